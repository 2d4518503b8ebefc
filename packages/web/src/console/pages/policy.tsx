/**
 * The policy: which calls need approval, from which amount, and by which roles. It is edited as a copy, and the
 * changes are shown before it is sent.
 */

import { useState } from 'react';
import { formatExact } from '../../decimal/decimal.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, SelectField, TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ActionDialog, lacking } from '../action/action-dialog.tsx';
import { useListedCurrencies } from '../action/action-form.tsx';
import type { Action } from '../action/action.ts';
import { useOperator } from '../operator/operator.ts';
import { Answered, type Call, useCalls, useOperatorQuery } from '../operator/queries.tsx';
import { changesOf, type Rule } from '../proposals/sentence.ts';
import { anyOf, ROLES, spanOf, wordsOf } from '../words.ts';
import { Page } from './page.tsx';

/** A recommended first policy for a venue: withdrawals, operators, and the policy itself. */
const FIRST_RULES: readonly Rule[] = [
  { call: 'settle-withdrawal', approvals: 1, roles: ['finance'] },
  { call: 'report-deposit', approvals: 1, roles: ['finance'] },
  { call: 'add-operator', approvals: 1, roles: ['admin'] },
  { call: 'change-operator', approvals: 1, roles: ['admin'] },
  { call: 'set-policy', approvals: 1, roles: ['admin'] },
];

export default function PolicyPage() {
  const query = useOperatorQuery<Policy>('/v1/policy');
  const calls = useCalls();
  const operator = useOperator();
  const [draft, setDraft] = useState<Policy | null>(null);
  const mayChange = operator?.calls.includes('set-policy') === true;
  const edit = (policy: Policy, label: string) =>
    operator?.mayChange === true && (
      <Button
        size="small"
        disabled={!mayChange || calls === undefined}
        title={mayChange ? label : lacking(calls?.get('set-policy')?.roles)}
        onClick={() => setDraft(policy)}
      >
        {label}
      </Button>
    );
  return (
    <Page
      title="Policy"
      about="A listed call becomes a proposal. It is executed when enough other operators have approved it."
      actions={query.data !== undefined && draft === null && edit(query.data, 'Change the policy')}
    >
      {draft !== null && query.data !== undefined && calls !== undefined ? (
        <PolicyEditor
          first={draft}
          before={query.data}
          calls={[...calls.values()].filter(({ policy }) => policy !== 'never')}
          onClose={() => setDraft(null)}
        />
      ) : (
        <Answered query={query} label="the policy">
          {(policy) => (
            <>
              <Rules
                policy={policy}
                calls={calls}
                start={edit({ ...policy, rules: FIRST_RULES }, 'Start with a recommended policy')}
              />
              <p className="px-3 py-2 text-xs text-muted">
                A proposal is open for {spanOf(policy.expiryMs)}. If several rules apply to a call, the
                highest number of approvals counts.
              </p>
            </>
          )}
        </Answered>
      )}
    </Page>
  );
}

interface RulesProps {
  readonly policy: Policy;
  readonly calls: ReadonlyMap<string, Call> | undefined;
  readonly start: React.ReactNode;
}

function Rules({ policy, calls, start }: RulesProps) {
  return (
    <Table
      label="Rules of the policy"
      className="h-auto!"
      rows={policy.rules.map((rule, at) => ({ ...rule, at }))}
      rowKey={({ at }) => String(at)}
      empty={
        <Empty icon="shield" title="No call needs approval" className="h-auto! border-b border-line">
          <p className="mb-3">
            One operator alone can do everything their roles allow, including moving money.
          </p>
          {start}
        </Empty>
      }
      columns={[
        {
          key: 'call',
          label: 'Call',
          isTitle: true,
          cell: ({ call }) => <strong className="font-medium">{wordsOf(call)}</strong>,
        },
        { key: 'when', label: 'Needs approval', cell: when },
        { key: 'count', label: 'Approvals', isFigure: true, cell: ({ approvals }) => approvals },
        { key: 'roles', label: 'By', cell: ({ roles }) => anyOf(roles) },
        {
          key: 'about',
          label: 'What it does',
          className: 'max-w-96 truncate text-muted',
          cell: ({ call }) => calls?.get(call)?.summary.replaceAll('`', '') ?? '',
        },
      ]}
    />
  );
}

function when({ above }: Rule): string {
  const amounts = Object.entries(above ?? {});
  if (amounts.length === 0) return 'always';
  const named = amounts.map(([code, amount]) => `above ${formatExact(amount)} ${code}`);
  return `${named.join(', ')}; other currencies always`;
}

interface Policy {
  readonly rules: readonly Rule[];
  readonly expiryMs: number;
}

/** The roles that may change something. */
const APPROVERS = ROLES.map(({ role }) => role).filter((role) => role !== 'viewer' && role !== 'custodian');
const UNITS = [
  { value: '60000', label: 'minutes' },
  { value: '3600000', label: 'hours' },
  { value: '86400000', label: 'days' },
];
const RULES_MAX = 100;

/** An amount as typed; the exchange validates it. */
interface DraftAmount {
  readonly currency: string;
  readonly amount: string;
}

interface DraftRule {
  /** A key for React, because rules have no id. */
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
  /** The policy in force. */
  readonly before: Policy;
  /** The calls that a policy can name. */
  readonly calls: readonly Call[];
  readonly onClose: () => void;
}

/** Edits a copy of the policy; the changes are shown before it is sent. */
function PolicyEditor({ first, before, calls, onClose }: PolicyEditorProps) {
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

/** What is still missing, as a sentence; '' if nothing is. */
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
