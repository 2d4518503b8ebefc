/** A user's notes, withdrawal limits, sessions, activity, rejected requests and ledger. */

import { type ReactNode, useState } from 'react';
import { formatExact } from '../../decimal/decimal.ts';
import { Badge, Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useActions } from '../action/action-dialog.tsx';
import { type Action, question } from '../action/action.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { timeOf, valueLabel, wordsOf } from '../words.ts';
import { Page } from './page.tsx';

interface Note {
  readonly time: string;
  readonly by: string;
  readonly text: string;
}

interface Limit {
  readonly currency: string;
  readonly withdrawalPerDay: string;
  readonly usedToday: string;
  readonly leftToday: string;
  readonly of: 'user' | 'tier';
}

interface PersonSession {
  readonly sessionId: string;
  readonly createdAt: string;
  readonly expires: string;
}

interface Activity {
  readonly time: string;
  readonly kind: string;
  readonly sessionId: string | null;
}

interface Refusal {
  readonly time: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly text: string;
}

interface Entry {
  readonly id: number;
  readonly time: string;
  readonly account: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly balance: string;
  readonly kind: string;
  readonly reference: string;
}

const LISTS = [
  { value: 'notes', label: 'Notes' },
  { value: 'limits', label: 'Withdrawal limits' },
  { value: 'ledger', label: 'Ledger' },
  { value: 'sessions', label: 'Sessions' },
  { value: 'activity', label: 'Activity' },
  { value: 'refusals', label: 'Rejected requests' },
] as const;

type List = (typeof LISTS)[number]['value'];

const time = <Row extends { readonly time: string }>(): Column<Row> => ({
  key: 'time',
  label: 'Time',
  cell: (row) => timeOf(row.time),
});

export function UserStanding({ userId, name }: { readonly userId: string; readonly name: string }) {
  const [list, setList] = useState<List>('notes');
  const { button, dialog } = useActions();
  const path = `/v1/users/${encodeURIComponent(userId)}`;
  const lists: Readonly<Record<List, () => ReactNode>> = {
    notes: () => (
      <Rows<Note>
        path={`${path}/notes`}
        label="Notes"
        empty="No notes about this user"
        rowKey={(row) => `${row.time} ${row.by}`}
        columns={[
          time(),
          { key: 'by', label: 'By', cell: ({ by }) => by },
          {
            key: 'text',
            label: 'Note',
            className: 'break-words whitespace-pre-wrap',
            cell: (row) => row.text,
          },
        ]}
      />
    ),
    limits: () => (
      <Rows<Limit>
        path={`${path}/limits`}
        label="Withdrawal limits"
        empty="No limit: neither the user nor the tier has one"
        rowKey={({ currency }) => currency}
        columns={[
          { key: 'currency', label: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
          { key: 'most', label: 'A day (UTC)', amount: (row) => row.withdrawalPerDay },
          { key: 'used', label: 'Used today', amount: (row) => row.usedToday },
          { key: 'left', label: 'Left today', amount: (row) => row.leftToday },
          { key: 'of', label: 'Set for', cell: (row) => (row.of === 'user' ? 'This user' : 'The tier') },
          {
            key: 'do',
            label: 'Actions',
            isAction: true,
            cell: (row) => row.of === 'user' && button(backToTier(userId, name, row), 'Remove'),
          },
        ]}
      />
    ),
    ledger: () => (
      <Rows<Entry>
        path={`${path}/ledger`}
        label="Balance changes"
        empty="No balance changes of this user"
        rowKey={({ id }) => String(id)}
        columns={[
          time(),
          { key: 'account', label: 'Account', cell: ({ account }) => account },
          { key: 'kind', label: 'Cause', cell: ({ kind }) => wordsOf(kind) },
          {
            key: 'amount',
            label: 'Change',
            isSigned: true,
            amount: ({ amount }) => amount,
            unit: ({ currency }) => currency,
          },
          { key: 'fee', label: 'Fee', amount: ({ fee }) => fee },
          { key: 'balance', label: 'Balance after', amount: ({ balance }) => balance },
          { key: 'of', label: 'Of', cell: ({ reference }) => <code>{reference}</code> },
        ]}
      />
    ),
    sessions: () => (
      <Rows<PersonSession>
        path={`${path}/sessions`}
        label="Sessions of the person"
        empty="No session of this user"
        rowKey={({ sessionId }) => sessionId}
        columns={[
          { key: 'begun', label: 'Signed in', cell: ({ createdAt }) => timeOf(createdAt) },
          { key: 'ends', label: 'Ends', cell: ({ expires }) => timeOf(expires) },
          { key: 'id', label: 'Session', cell: ({ sessionId }) => <code>{sessionId}</code> },
        ]}
      />
    ),
    activity: () => (
      <Rows<Activity>
        path={`${path}/activity`}
        label="Activity of the person"
        empty="Nobody signed up as this user"
        rowKey={(row) => `${row.time} ${row.kind}`}
        columns={[
          time(),
          { key: 'kind', label: 'What', cell: ({ kind }) => valueLabel(kind) },
          { key: 'session', label: 'Session', cell: ({ sessionId }) => <code>{sessionId ?? '–'}</code> },
        ]}
      />
    ),
    refusals: () => (
      <Rows<Refusal>
        path={`${path}/refusals`}
        label="Rejected requests"
        empty="No rejected requests since this process started"
        rowKey={(row) => `${row.time} ${row.target} ${row.text}`}
        columns={[
          time(),
          { key: 'request', label: 'Request', cell: (row) => <code>{`${row.method} ${row.target}`}</code> },
          { key: 'status', label: 'Status', cell: (row) => <Badge tone="danger">{row.status}</Badge> },
          { key: 'text', label: 'Response', className: 'max-w-[40rem] break-words', cell: (row) => row.text },
        ]}
      />
    ),
  };
  return (
    <Page
      title="User details"
      actions={
        <>
          <Segments
            label="Which user details"
            value={list}
            onValue={(value) => setList(value as List)}
            choices={LISTS}
          />
          {list === 'notes' &&
            button({
              call: 'add-user-note',
              title: `Note about ${name}`,
              consequence: 'Visible to operators, but not to the user.',
              given: { userId },
            })}
          {list === 'limits' && button(limitOf(userId, name))}
          {list === 'sessions' &&
            button({
              call: 'end-user-sessions',
              title: `End the sessions of ${name}`,
              consequence: `${name} is signed out everywhere and can sign in again. API keys stay valid.`,
              given: { userId },
              isDangerous: true,
            })}
        </>
      }
    >
      {lists[list]()}
      {dialog}
    </Page>
  );
}

interface RowsProps<Row> {
  readonly path: string;
  readonly label: string;
  readonly empty: string;
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
}

function Rows<Row>({ path, label, empty, rowKey, columns }: RowsProps<Row>) {
  const query = useOperatorQuery<readonly Row[]>(path);
  return (
    <Answered query={query} label={label}>
      {(rows) => <Table {...{ label, rows, columns, rowKey }} empty={<Empty title={empty} />} />}
    </Answered>
  );
}

const limitOf = (userId: string, name: string): Action => ({
  call: 'set-user-limits',
  title: `Limit the withdrawals of ${name}`,
  effect: (body) => <LimitEffect userId={userId} name={name} body={body} />,
  consequence: 'Sub-accounts count towards it. Withdrawals already requested are not affected.',
  given: { userId },
  questions: {
    fields: [question('currency', 'text'), question('perDay', 'text')],
    bodyOf: (answers) => perDay(String(answers.get('currency')), String(answers.get('perDay'))),
  },
});

const backToTier = (userId: string, name: string, { currency, withdrawalPerDay }: Limit): Action => ({
  call: 'set-user-limits',
  title: `Remove the ${currency} limit of ${name}`,
  consequence: `${name} may now withdraw ${formatExact(withdrawalPerDay)} ${currency} per day. After that, the tier’s limit applies, if it has one.`,
  given: { userId, ...perDay(currency, null) },
});

const perDay = (currency: string, amount: string | null) => ({
  withdrawalPerDay: Object.fromEntries([[currency, amount]]),
});

interface LimitEffectProps {
  readonly userId: string;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

function LimitEffect({ userId, name, body }: LimitEffectProps) {
  const limits = useOperatorQuery<readonly Limit[]>(`/v1/users/${encodeURIComponent(userId)}/limits`).data;
  const [[currency, after] = []] = Object.entries(
    body['withdrawalPerDay'] as Readonly<Record<string, string>>,
  );
  if (limits === undefined || currency === undefined) return null;
  const before = limits.find((each) => each.currency === currency);
  return (
    <p className="text-sm">
      <strong>{name}</strong> may withdraw{' '}
      {before === undefined ? 'without a limit' : formatExact(before.withdrawalPerDay)} →{' '}
      <strong>
        {formatExact(after)} {currency}
      </strong>{' '}
      a day{before === undefined ? '' : `; ${formatExact(before.usedToday)} used today`}.
    </p>
  );
}
