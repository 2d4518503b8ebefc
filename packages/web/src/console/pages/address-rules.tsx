/** Blocked withdrawal addresses, and exceptions. */

import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { timeOf } from '../words.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { Page } from './page.tsx';

interface AddressRule {
  readonly ruleId: number;
  readonly currency: string | null;
  readonly chain: string | null;
  readonly address: string;
  readonly rule: 'block' | 'allow';
  readonly by: string;
  readonly reason: string;
  readonly time: string;
}

const where = ({ currency, chain }: Pick<AddressRule, 'currency' | 'chain'>): string =>
  [currency ?? 'every currency', ...(chain === null ? [] : [`on ${chain}`])].join(' ');

export function AddressRules() {
  const rules = useOperatorQuery<readonly AddressRule[]>('/v1/address-rules');
  const { button, dialog } = useActions();
  return (
    <Page
      title="Withdrawal addresses"
      about="Withdrawals to a blocked address are rejected. An exception allows a currency or chain despite a broader block."
      actions={button({
        call: 'add-address-rule',
        title: 'Block or allow an address',
        effect: (body) => <RuleEffect body={body} />,
        consequence: 'Applies to new withdrawals, and to requested ones when they are claimed for payment.',
        suggested: { rule: 'block' },
      })}
    >
      <Answered query={rules} label="the address rules">
        {(rows) => (
          <Table
            label="Address rules"
            rows={rows}
            rowKey={({ ruleId }) => String(ruleId)}
            empty={<Empty icon="shield" title="No address is blocked" />}
            columns={[
              { key: 'address', label: 'Address', cell: ({ address }) => <code>{address}</code> },
              {
                key: 'rule',
                label: 'Rule',
                cell: ({ rule }) => (
                  <Badge tone={rule === 'block' ? 'danger' : 'up'}>
                    {rule === 'block' ? 'Blocked' : 'Allowed'}
                  </Badge>
                ),
              },
              { key: 'where', label: 'For', cell: where },
              { key: 'by', label: 'By', cell: ({ by }) => by || '–' },
              { key: 'why', label: 'Reason', className: 'max-w-72 truncate', cell: ({ reason }) => reason },
              { key: 'time', label: 'Since', cell: ({ time }) => timeOf(time) },
              {
                key: 'do',
                label: 'Do',
                isAction: true,
                cell: (row) =>
                  button(
                    {
                      call: 'remove-address-rule',
                      title: `Remove the rule of ${row.address}`,
                      consequence:
                        row.rule === 'block'
                          ? `Withdrawals of ${where(row)} to this address are possible again.`
                          : `The exception ends: a broader rule may block ${where(row)} to this address.`,
                      given: { ruleId: row.ruleId },
                      isDangerous: row.rule === 'block',
                    },
                    'Remove',
                  ),
              },
            ]}
          />
        )}
      </Answered>
      {dialog}
    </Page>
  );
}

function RuleEffect({ body }: { readonly body: Readonly<Record<string, unknown>> }) {
  const text = (name: string): string | null => (body[name] === undefined ? null : String(body[name]));
  return (
    <p className="text-sm break-words">
      {body['rule'] === 'block' ? 'Block' : 'Allow'} withdrawals of{' '}
      <strong>{where({ currency: text('currency'), chain: text('chain') })}</strong> to{' '}
      <code>{text('address')}</code>.
    </p>
  );
}
