/** Fee rules, limits of the exchange, and rules for withdrawal addresses. */

import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/action-dialog.tsx';
import { question } from '../action/action.ts';
import { Answered, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { formLabelOf, timeOf } from '../words.ts';
import { Page } from './page.tsx';

const MINUTE_MS = 60_000;

interface FeeRule {
  readonly userId: string | null;
  readonly symbol: string | null;
  readonly maker: string;
  readonly taker: string;
}

interface Limits {
  readonly tiers: readonly TierLimits[];
}

interface TierLimits {
  readonly tier: number;
  readonly withdrawalPerDay: Readonly<Record<string, string>>;
}

export function Fees() {
  const fees = useOperatorQuery<FeeRule[]>('/v1/fees');
  const limits = useOperatorQuery<Limits>('/v1/limits');
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  return (
    <div className="grid items-start gap-3 xl:grid-cols-2">
      <Page
        title="Fee rules"
        about="The most specific rule applies: user and market, user, market, everybody. Orders keep the rates they were placed with."
        actions={button({
          call: 'set-fees',
          title: 'Set a fee rule',
          consequence:
            'New orders that match user and market have these rates; without both, all new orders. Open orders keep theirs.',
        })}
      >
        <Answered query={fees} label="the fee rules">
          {(rows) => (
            <Table
              label="Fee rules in force"
              rows={rows}
              rowKey={({ userId, symbol }) => `${userId} ${symbol}`}
              empty={<Empty title="No fee rules: everybody pays 0.1 %" />}
              columns={[
                {
                  key: 'user',
                  label: 'User',
                  cell: ({ userId }) => (userId === null ? 'everybody' : nameOf(userId)),
                },
                { key: 'symbol', label: 'Symbol', cell: ({ symbol }) => symbol ?? 'all' },
                { key: 'maker', label: 'Maker', amount: ({ maker }) => maker },
                { key: 'taker', label: 'Taker', amount: ({ taker }) => taker },
                {
                  key: 'do',
                  label: 'Actions',
                  cell: ({ userId, symbol }) =>
                    button(
                      {
                        call: 'remove-fees',
                        title: `Remove the rule of ${userId === null ? 'everybody' : nameOf(userId)}, ${symbol ?? 'all symbols'}`,
                        consequence: 'The next most specific rule applies to new orders.',
                        given: { ...(userId !== null && { userId }), ...(symbol !== null && { symbol }) },
                        isDangerous: true,
                      },
                      'Remove',
                    ),
                },
              ]}
            />
          )}
        </Answered>
      </Page>
      <Answered query={limits} label="the limits">
        {(values) => (
          <Page
            title="Limits"
            about="Limits for each user, and how long completed requests can be looked up."
            actions={button({
              call: 'set-limits',
              title: 'Change limits',
              consequence:
                'Changed limits apply immediately. Existing orders and movements beyond them stay.',
              before: values,
              left: ['tier', 'withdrawalPerDay'],
            })}
          >
            <Table
              label="Limits in force"
              rows={Object.entries(values).filter(
                (each): each is [string, number] => typeof each[1] === 'number',
              )}
              rowKey={([name]) => name}
              columns={[
                { key: 'name', label: 'Limit', cell: ([name]) => formLabelOf(name) },
                {
                  key: 'value',
                  label: 'Value',
                  isFigure: true,
                  cell: ([name, value]) =>
                    (name.endsWith('Ms') ? value / MINUTE_MS : value).toLocaleString('en'),
                },
              ]}
            />
          </Page>
        )}
      </Answered>
      <Answered query={limits} label="the limits of the tiers">
        {({ tiers }) => (
          <Page
            title="Withdrawals by tier"
            about="The maximum that a user of the tier may withdraw per day (UTC), unless the user has a limit of its own."
            actions={button({
              call: 'set-limits',
              title: 'Limit the withdrawals of a tier',
              consequence:
                'Applies to new withdrawals of all users of the tier without a limit of their own. An empty amount removes the limit.',
              questions: {
                fields: [
                  question('tier', 'integer', { hint: 'from 0 to 12' }),
                  question('currency', 'text'),
                  question('perDay', 'text', { isRequired: false }),
                ],
                bodyOf: (answers) => ({
                  tier: answers.get('tier'),
                  withdrawalPerDay: Object.fromEntries([
                    [String(answers.get('currency')), answers.get('perDay') ?? null],
                  ]),
                }),
              },
            })}
          >
            <Table
              label="Limits of the tiers"
              rows={tiers.flatMap(({ tier, withdrawalPerDay }) =>
                Object.entries(withdrawalPerDay).map(([currency, amount]) => ({ tier, currency, amount })),
              )}
              rowKey={({ tier, currency }) => `${tier} ${currency}`}
              empty={<Empty title="No tier limits" />}
              columns={[
                { key: 'tier', label: 'Tier', isFigure: true, cell: ({ tier }) => tier },
                { key: 'currency', label: 'Currency', cell: ({ currency }) => currency },
                { key: 'most', label: 'A day (UTC)', amount: ({ amount }) => amount },
              ]}
            />
          </Page>
        )}
      </Answered>
      <AddressRules />
      {dialog}
    </div>
  );
}

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

/** Blocked withdrawal addresses, and exceptions. */
function AddressRules() {
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
            empty={<Empty icon="shield" title="No blocked addresses" />}
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
                label: 'Actions',
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
