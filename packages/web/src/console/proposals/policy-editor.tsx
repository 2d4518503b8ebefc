/** Edits a copy of the policy; what differs is shown before it is sent. */

import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, SelectField, TextField } from '../../ui/field.tsx';
import type { Action } from '../action/action.ts';
import { ActionDialog } from '../action/action-dialog.tsx';
import { useListedCurrencies } from '../action/known-values.ts';
import type { Call } from '../operator/calls.ts';
import { ROLES, wordsOf } from '../words.ts';
import { changesOf, type Rule } from './sentence.ts';

export interface Policy {
  readonly rules: readonly Rule[];
  readonly expiryMs: number;
}

/** Those of people who change something. */
const APPROVERS = ROLES.map(({ role }) => role).filter((role) => role !== 'viewer' && role !== 'custodian');
const UNITS = [
  { value: '60000', label: 'minutes' },
  { value: '3600000', label: 'hours' },
  { value: '86400000', label: 'days' },
];
const RULES_MAX = 100;

/** An amount as typed; the exchange judges it. */
interface DraftAmount {
  readonly currency: string;
  readonly amount: string;
}

interface DraftRule {
  /** For the list's keys: rules have none of their own. */
  readonly id: number;
  readonly call: string;
  readonly amounts: readonly DraftAmount[];
  readonly approvals: string;
  readonly roles: readonly string[];
}

let lastId = 0;

const draftOf = ({ call, above = {}, approvals, roles }: Rule): DraftRule => ({
  id: ++lastId,
  call,
  amounts: Object.entries(above).map(([currency, amount]) => ({ currency, amount })),
  approvals: String(approvals),
  roles,
});

const ruleOf = ({ call, amounts, approvals, roles }: DraftRule): Rule => ({
  call,
  ...(amounts.length > 0 && {
    above: Object.fromEntries(amounts.map(({ currency, amount }) => [currency, amount.trim()])),
  }),
  approvals: Number(approvals),
  roles,
});

export interface PolicyEditorProps {
  readonly first: Policy;
  /** As it is in force. */
  readonly before: Policy;
  /** Those that the policy can name. */
  readonly calls: readonly Call[];
  readonly onClose: () => void;
}

export function PolicyEditor({ first, before, calls, onClose }: PolicyEditorProps) {
  const [rules, setRules] = useState(() => first.rules.map(draftOf));
  const unitOf = UNITS.findLast(({ value }) => first.expiryMs % Number(value) === 0) ?? UNITS[0]!;
  const [unit, setUnit] = useState(unitOf.value);
  const [count, setCount] = useState(String(first.expiryMs / Number(unitOf.value)));
  const [action, setAction] = useState<Action | null>(null);
  const wanted = missing(rules, count);
  const change = (next: DraftRule): void =>
    setRules(rules.map((each) => (each.id === next.id ? next : each)));
  const review = (): void => {
    const policy = { rules: rules.map(ruleOf), expiryMs: Number(count) * Number(unit) };
    setAction({
      call: 'set-policy',
      title: 'Change the policy',
      consequence: 'Applies to new calls. Open proposals keep the approvals they need.',
      given: policy,
      effect: () => <Effect before={before} after={policy} />,
    });
  };
  return (
    <div className="flex flex-col">
      <ul aria-label="Rules" className="flex flex-col">
        {rules.map((rule, at) => (
          <RuleFields
            key={rule.id}
            name={`Rule ${at + 1}`}
            rule={rule}
            calls={calls}
            onChange={change}
            onRemove={() => setRules(rules.filter((each) => each.id !== rule.id))}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-end gap-3 p-3">
        <Button
          disabled={rules.length >= RULES_MAX}
          onClick={() =>
            setRules([...rules, draftOf({ call: calls[0]!.id, approvals: 1, roles: ['admin'] })])
          }
        >
          Add a rule
        </Button>
        <div className="ml-auto flex items-end gap-2">
          <TextField
            label="A proposal is open for"
            inputMode="numeric"
            value={count}
            onValue={setCount}
            className="w-32"
          />
          <SelectField
            label="Unit"
            isLabelHidden
            value={unit}
            onValue={setUnit}
            choices={UNITS}
            className="w-28"
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line p-3">
        <p aria-live="polite" className="mr-auto text-xs text-muted">
          {wanted}
        </p>
        <Button onClick={onClose}>Leave it as it is</Button>
        <Button kind="primary" disabled={wanted !== ''} onClick={review}>
          Continue
        </Button>
      </div>
      <ActionDialog
        action={action}
        onClose={() => {
          setAction(null);
        }}
        onDone={onClose}
      />
    </div>
  );
}

/** What is still needed, in a sentence; '' for nothing. */
function missing(rules: readonly DraftRule[], count: string): string {
  if (rules.some(({ roles }) => roles.length === 0))
    return 'Still needed: a role that may approve, in each rule.';
  if (rules.some(({ amounts }) => amounts.some(({ amount }) => amount.trim() === '')))
    return 'Still needed: an amount for each currency.';
  return /^[1-9]\d{0,6}$/.test(count) ? '' : 'Still needed: how long a proposal is open.';
}

function Effect({ before, after }: { readonly before: Policy; readonly after: Policy }) {
  const changes = changesOf({ ...before }, { ...after });
  if (changes.length === 0) return <p>No change from the current policy.</p>;
  return (
    <div className="flex flex-col gap-3 text-xs">
      {changes.map(({ name, before: was, after: will }) => (
        <div key={name} className="grid gap-3 rounded-md border border-line bg-raised p-3 sm:grid-cols-2">
          <Side title={`${name}, now`} text={was ?? 'none'} />
          <Side title={`${name}, then`} text={will} />
        </div>
      ))}
    </div>
  );
}

const Side = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <div className="min-w-0">
    <p className="mb-1 text-muted">{title}</p>
    <p className="break-words whitespace-pre-line">{text}</p>
  </div>
);

interface RuleFieldsProps {
  readonly name: string;
  readonly rule: DraftRule;
  readonly calls: readonly Call[];
  readonly onChange: (rule: DraftRule) => void;
  readonly onRemove: () => void;
}

function RuleFields({ name, rule, calls, onChange, onRemove }: RuleFieldsProps) {
  const call = calls.find(({ id }) => id === rule.call);
  return (
    <li
      aria-label={name}
      className="grid gap-x-4 gap-y-3 border-b border-line p-3 md:grid-cols-[16rem_minmax(0,1fr)_10rem]"
    >
      <SelectField
        label="Call"
        value={rule.call}
        onValue={(id) => onChange({ ...rule, call: id, amounts: [] })}
        choices={calls.map(({ id }) => ({ value: id, label: wordsOf(id) }))}
        hint={call?.summary.replaceAll('`', '')}
      />
      <div className="flex min-w-0 flex-col gap-3">
        <fieldset className="min-w-0">
          <legend className="mb-1 text-xs text-muted">May be approved by</legend>
          <div className="flex flex-wrap gap-x-3 gap-y-1 py-1">
            {APPROVERS.map((role) => (
              <Checkbox
                key={role}
                label={role}
                isChecked={rule.roles.includes(role)}
                onChecked={(isChecked) =>
                  onChange({
                    ...rule,
                    roles: APPROVERS.filter((each) =>
                      each === role ? isChecked : rule.roles.includes(each),
                    ),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
        {call?.policy === 'above' && <Amounts rule={rule} onChange={onChange} />}
      </div>
      <div className="flex items-start gap-2">
        <SelectField
          label="Approvals"
          value={rule.approvals}
          onValue={(approvals) => onChange({ ...rule, approvals })}
          choices={['1', '2', '3'].map((value) => ({ value, label: value }))}
          className="flex-1"
        />
        <IconButton icon="cross" label={`Remove ${name.toLowerCase()}`} onClick={onRemove} className="mt-5" />
      </div>
    </li>
  );
}

function Amounts({ rule, onChange }: Pick<RuleFieldsProps, 'rule' | 'onChange'>) {
  const codes = (useListedCurrencies().data ?? []).map(({ currency }) => currency);
  const { amounts } = rule;
  const free = codes.find((code) => !amounts.some(({ currency }) => currency === code));
  const set = (next: readonly DraftAmount[]): void => onChange({ ...rule, amounts: next });
  const replace = (at: number, change: Partial<DraftAmount>): void =>
    set(amounts.map((each, index) => (index === at ? { ...each, ...change } : each)));
  return (
    <div role="group" aria-label="Only above an amount" className="flex flex-col items-start gap-2">
      {amounts.map(({ currency, amount }, at) => (
        <div key={currency} className="flex flex-wrap items-end gap-2">
          <SelectField
            label="Only above, in"
            value={currency}
            onValue={(code) => replace(at, { currency: code })}
            choices={codes
              .filter((code) => code === currency || !amounts.some((each) => each.currency === code))
              .map((code) => ({ value: code, label: code }))}
            className="w-28"
          />
          <TextField
            label={`Amount of ${currency}`}
            inputMode="decimal"
            value={amount}
            onValue={(text) => replace(at, { amount: text })}
            className="w-36"
          />
          <IconButton
            icon="cross"
            label={`Remove the amount of ${currency}`}
            onClick={() => set(amounts.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <Button
          size="small"
          disabled={free === undefined}
          onClick={() => free !== undefined && set([...amounts, { currency: free, amount: '' }])}
        >
          {amounts.length === 0 ? 'Only above an amount…' : 'Another currency'}
        </Button>
        {amounts.length > 0 && 'A currency that is not named always needs approval.'}
      </div>
    </div>
  );
}
