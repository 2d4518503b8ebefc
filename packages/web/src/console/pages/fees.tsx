/** Fee rules and the limits of the exchange. */

import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { useUserNames } from '../operator/user-names.ts';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { Page } from './page.tsx';

interface FeeRule {
  readonly userId: string | null;
  readonly symbol: string | null;
  readonly maker: string;
  readonly taker: string;
}

export function Fees() {
  const fees = useOperatorQuery<FeeRule[]>('/v1/fees');
  const limits = useOperatorQuery<object>('/v1/limits');
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
                { key: 'maker', label: 'Maker', isFigure: true, cell: ({ maker }) => maker },
                { key: 'taker', label: 'Taker', isFigure: true, cell: ({ taker }) => taker },
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
                      'remove',
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
              consequence: 'Changed limits apply immediately. Whatever already exceeds them stays.',
              before: values,
            })}
          >
            <Table
              label="Limits in force"
              rows={Object.entries(values) as [string, number][]}
              rowKey={([name]) => name}
              columns={[
                { key: 'name', label: 'Limit', cell: ([name]) => name },
                {
                  key: 'value',
                  label: 'Value',
                  isFigure: true,
                  cell: ([, value]) => value.toLocaleString('en'),
                },
              ]}
            />
          </Page>
        )}
      </Answered>
      {dialog}
    </div>
  );
}
