/** Fee rules and the limits of the exchange. */

import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { question } from '../action/form-field.ts';
import { useActions } from '../action/use-action.tsx';
import { Answered, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { formLabelOf } from '../words.ts';
import { AddressRules } from './address-rules.tsx';
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
              empty={<Empty title="No fee rule is set: everybody pays 0.1 %" />}
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
                  label: 'Do',
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
              empty={<Empty title="No tier has a limit" />}
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
