/** The policy: which calls need a second pair of eyes, from which amount, and whose. */

import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { formatExact } from '../../decimal/format.ts';
import { lacking } from '../action/use-action.tsx';
import { type Call, useCalls } from '../operator/calls.ts';
import { useOperator } from '../operator/operator.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { type Policy, PolicyEditor } from '../proposals/policy-editor.tsx';
import type { Rule } from '../proposals/sentence.ts';
import { anyOf, spanOf, wordsOf } from '../words.ts';
import { Page } from './page.tsx';

/** What a venue should begin with: money that leaves, who operates, and this policy. */
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
                start={edit({ ...policy, rules: FIRST_RULES }, 'Start with a usual policy')}
              />
              <p className="px-3 py-2 text-xs text-muted">
                A proposal is open for {spanOf(policy.expiryMs)}. Of several rules for a call, the one that
                applies and wants most approvals counts.
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
