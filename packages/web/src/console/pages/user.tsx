/** One user: state, money, keys, orders and fills. */

import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { DepositEffect } from '../action/effects.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered, useOperatorQuery, type UserRow, useUserNames } from '../operator/queries.tsx';
import { Page } from './page.tsx';
import { Statement } from './statement.tsx';
import { UserOrders } from './user-orders.tsx';
import { UserStanding } from './user-standing.tsx';

interface Balance {
  /** MAIN or TRADE. */
  readonly type: string;
  readonly currency: string;
  readonly available: string;
  readonly holds: string;
}

export function User({ userId }: { readonly userId: string }) {
  const path = `/v1/users/${encodeURIComponent(userId)}`;
  const user = useOperatorQuery<UserRow>(path);
  const balances = useOperatorQuery<Balance[]>(`${path}/balances`);
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  return (
    <div className="flex flex-col gap-3">
      <Answered query={user} label="the user">
        {(row) => (
          <section
            aria-label={row.name}
            className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg border border-line bg-panel px-4 py-3"
          >
            <div>
              <Link href="/console/users" className="text-xs text-muted hover:text-text">
                Users
              </Link>
              <h2 className="text-base font-semibold">{row.name}</h2>
            </div>
            <p className="text-xs text-muted">
              {row.userId}
              {row.parentId !== null && <>, sub-account of {nameOf(row.parentId)}</>}
            </p>
            <p className="text-xs text-muted">Tier {row.tier}</p>
            {row.frozen ? <Badge tone="danger">Frozen</Badge> : <Badge tone="up">Free to trade</Badge>}
            <span className="flex flex-1 flex-wrap justify-end gap-2">
              {button({
                call: row.frozen ? 'unfreeze-user' : 'freeze-user',
                title: row.frozen ? `Unfreeze ${row.name}` : `Freeze ${row.name}`,
                consequence: row.frozen
                  ? 'The user may trade and withdraw again.'
                  : 'Blocks what the level covers. Resting orders stay, and the user may cancel them.',
                given: { userId, withSubAccounts: true },
                ...(!row.frozen && { suggested: { level: 'all' } }),
                isDangerous: !row.frozen,
              })}
              {button({
                call: 'cancel-user-orders',
                title: `Cancel orders of ${row.name}`,
                consequence:
                  'Cancels all orders of the user, or those in one symbol. The user sees the reason.',
                given: { userId },
                isDangerous: true,
              })}
              {button({
                call: 'close-user',
                title: `Close ${row.name}`,
                consequence: 'Permanent: keys and sessions end. Only possible without money and orders.',
                given: { userId },
                isDangerous: true,
              })}
              {button({
                call: 'change-user',
                title: `Change the tier of ${row.name}`,
                consequence: 'The user gets the rate limits of the tier immediately.',
                given: { userId },
                before: { tier: row.tier, frozen: row.frozen },
              })}
              {row.parentId === null &&
                button({
                  call: 'add-user',
                  title: `Add a sub-account of ${row.name}`,
                  consequence: 'A sub-account without keys and money.',
                  given: { parentId: userId },
                })}
            </span>
          </section>
        )}
      </Answered>
      <div className="grid items-start gap-3 xl:grid-cols-2">
        <Page
          title="Balances"
          actions={button({
            call: 'report-deposit',
            title: 'Report a deposit',
            effect: (body) => <DepositEffect body={body} />,
            consequence:
              'The money is credited to MAIN, or waits for a questionnaire where the Travel Rule asks for one. The same txId is credited once.',
            given: { userId },
          })}
        >
          <Answered query={balances} label="the balances">
            {(rows) => (
              <Table
                label="Accounts"
                className="max-h-[26rem]"
                rows={rows}
                rowKey={({ type, currency }) => `${type} ${currency}`}
                empty={<Empty icon="wallet" title="All accounts are empty" />}
                columns={[
                  { key: 'account', label: 'Account', cell: ({ type }) => type },
                  { key: 'currency', label: 'Currency', cell: ({ currency }) => currency },
                  { key: 'available', label: 'Available', amount: (row) => row.available },
                  { key: 'hold', label: 'Held', amount: (row) => row.holds },
                ]}
              />
            )}
          </Answered>
        </Page>
        <UserKeys userId={userId} />
      </div>
      <UserOrders userId={userId} />
      <Statement
        path={`${path}/statement`}
        name={user.data?.name ?? userId}
        about="Opening balance, every entry of the period and closing balance of each account and currency."
      />
      <UserStanding userId={userId} name={user.data?.name ?? userId} />
      {dialog}
    </div>
  );
}

interface Key {
  readonly apiKey: string;
  readonly version: number;
  readonly permissions: readonly string[];
  readonly ipAllowList: readonly string[];
}

/** The API keys of one user, without their secrets: a secret is shown once, when it is made. */
function UserKeys({ userId }: { readonly userId: string }) {
  const keys = useOperatorQuery<Key[]>(`/v1/users/${encodeURIComponent(userId)}/keys`);
  const { button, dialog } = useActions();
  return (
    <Page
      title="Keys"
      actions={button({
        call: 'add-key',
        title: 'Add a key',
        consequence: 'The secret is shown once, in the response. Pass it on before you close the dialog.',
        given: { userId },
        suggested: { permissions: ['General'] },
      })}
    >
      <Answered query={keys} label="the keys">
        {(rows) => (
          <Table
            label="Keys of the user"
            rows={rows}
            rowKey={({ apiKey }) => apiKey}
            empty={<Empty icon="key" title="No key: this user cannot sign anything" />}
            columns={[
              { key: 'key', label: 'Key', cell: ({ apiKey }) => <code>{apiKey}</code> },
              { key: 'may', label: 'May', cell: ({ permissions }) => permissions.join(', ') || 'nothing' },
              { key: 'from', label: 'From', cell: ({ ipAllowList }) => ipAllowList.join(', ') || 'anywhere' },
              {
                key: 'do',
                label: 'Do',
                cell: (row) => (
                  <span className="flex gap-1">
                    {button(
                      {
                        call: 'change-key',
                        title: `Change the key ${row.apiKey}`,
                        consequence: 'Permissions and IP allow-list apply immediately.',
                        given: { apiKey: row.apiKey },
                        before: row,
                      },
                      'Change',
                    )}
                    {button(
                      {
                        call: 'remove-key',
                        title: `Remove the key ${row.apiKey}`,
                        consequence:
                          'The key is rejected immediately, and its order entry connections are closed.',
                        given: { apiKey: row.apiKey },
                        isDangerous: true,
                      },
                      'Remove',
                    )}
                  </span>
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
