/** Travel Rule questionnaires, pending and decided. */

import { useState } from 'react';
import { Link } from 'wouter';
import { formatExact } from '../../decimal/decimal.ts';
import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { visible } from '../../ui/text.ts';
import { explainFailure, FAILURE_CODES } from '../../user/user-queries.ts';
import { useActions } from '../action/action-dialog.tsx';
import type { Action } from '../action/action.ts';
import { AcceptEffect, type Moved } from '../action/effects.tsx';
import { Answered, pathWith, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { Page } from './page.tsx';
import { assignment, release } from './queues.tsx';

export function Questionnaires() {
  const [status, setStatus] = useState('pending');
  const list = useOperatorQuery<{ readonly items: readonly Questionnaire[] }>(
    pathWith('/v1/questionnaires', { status, pageSize: '100' }),
  );
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  return (
    <Page
      title="Questionnaires"
      actions={
        <Segments
          label="Which questionnaires"
          value={status || 'all'}
          onValue={(value) => setStatus(value === 'all' ? '' : value)}
          choices={[
            ...Object.entries(questionnaireStates).map(([value, { label }]) => ({ value, label })),
            { value: 'all', label: 'All' },
          ]}
        />
      }
    >
      <Answered query={list} label="the questionnaires">
        {({ items }) => (
          <Table
            label="Questionnaires found"
            rows={items}
            rowKey={({ orderId }) => orderId}
            empty={<Empty title="No pending questionnaire" />}
            columns={[
              {
                key: 'id',
                label: 'Questionnaire',
                cell: ({ orderId }) => (
                  <Link href={pathOfQuestionnaire(orderId)} className="text-accent hover:underline">
                    <code>{orderId}</code>
                  </Link>
                ),
              },
              { key: 'user', label: 'User', cell: ({ userId }) => nameOf(userId) },
              { key: 'type', label: 'Sender', cell: senderOf },
              {
                key: 'status',
                label: 'State',
                cell: (row) => (
                  <Badge tone={questionnaireStates[row.status].tone}>
                    {questionnaireStates[row.status].label}
                  </Badge>
                ),
              },
              { key: 'why', label: 'Reason of the refusal', cell: ({ failureCode }) => failureCode ?? '–' },
              { key: 'assigned', label: 'Assigned to', cell: ({ assigned }) => assigned ?? '–' },
              {
                key: 'do',
                label: 'Actions',
                isAction: true,
                cell: (row) =>
                  row.status === 'pending' && (
                    <span className="flex gap-1">
                      {button(decisionOn(row, nameOf(row.userId), true), 'accept')}
                      {button(decisionOn(row, nameOf(row.userId), false), 'refuse')}
                      {(row.assigned ?? null) === null
                        ? button(
                            assignment('assign-questionnaire', row.orderId, { orderId: row.orderId }),
                            'assign',
                          )
                        : button(
                            release('release-questionnaire', row.orderId, { orderId: row.orderId }),
                            'release',
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

/** One questionnaire: answers, deposit, and decision. */
interface Questionnaire {
  readonly orderId: string;
  readonly travelRuleOId: string;
  readonly userId: string;
  readonly type: string;
  readonly complianceInfo: string;
  readonly status: 'pending' | 'success' | 'fail';
  readonly failureCode: string | null;
  /** Present only in lists. */
  readonly assigned?: string | null;
}

interface WithDeposit extends Questionnaire {
  readonly deposit:
    | (Moved & { readonly depositId: string; readonly chain: string; readonly txId: string })
    | null;
}

const questionnaireStates = {
  pending: { label: 'To decide', tone: 'warning' },
  success: { label: 'Accepted', tone: 'up' },
  fail: { label: 'Refused', tone: 'danger' },
} as const;

const senderOf = ({ type }: Questionnaire): string => (type === 'company' ? 'a company' : 'a person');

const pathOfQuestionnaire = (orderId: string): string =>
  `/console/deposits/questionnaires/${encodeURIComponent(orderId)}`;

/** Labels in display order; other answers follow under their field names. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['companyName', 'Company'],
  ['tin', 'Tax number'],
  ['identityType', 'Identity document'],
  ['identityNo', 'Number of the document'],
  ['country', 'Country'],
  ['reasonOfTransfer', 'Reason of the transfer'],
  ['wallet', 'Came from'],
]);

const IDENTITY_TYPES: ReadonlyMap<string, string> = new Map([
  ['TCKN', 'Turkish identity number'],
  ['PASSPORT', 'Passport'],
]);

export function QuestionnairePage({ orderId }: { readonly orderId: string }) {
  const query = useOperatorQuery<WithDeposit>(`/v1/questionnaires/${encodeURIComponent(orderId)}`);
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  return (
    <div className="flex flex-col gap-3">
      <Answered query={query} label="the questionnaire">
        {(questionnaire) => {
          const { userId, status, failureCode, deposit } = questionnaire;
          const name = nameOf(userId);
          return (
            <>
              <section
                aria-label="Decision"
                className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-panel px-4 py-3"
              >
                <h1 className="text-sm font-semibold">Questionnaire of {name}</h1>
                <Badge tone={questionnaireStates[status].tone}>{questionnaireStates[status].label}</Badge>
                {failureCode !== null && (
                  <span className="text-xs text-muted">{explainFailure(failureCode)}</span>
                )}
                <span className="flex flex-1 flex-wrap gap-2 sm:justify-end">
                  {status === 'pending' && button(decisionOn(questionnaire, name, true, deposit))}
                  {status === 'pending' && button(decisionOn(questionnaire, name, false, deposit))}
                </span>
              </section>
              <div className="grid items-start gap-3 xl:grid-cols-[3fr_2fr]">
                <Page title={`Answers: the sender is ${senderOf(questionnaire)}`}>
                  <Facts facts={answersOf(questionnaire.complianceInfo)} />
                </Page>
                <Page title="Deposit">
                  {deposit === null ? (
                    <Empty icon="download" title="The exchange no longer has this deposit in memory" />
                  ) : (
                    <Facts
                      facts={[
                        ['Account', <UserLink key="user" userId={userId} name={name} />],
                        ['Amount', `${formatExact(deposit.amount)} ${deposit.currency}`],
                        ['Fee', `${formatExact(deposit.fee)} ${deposit.currency}`],
                        ['Chain', deposit.chain],
                        ['Transaction', deposit.txId],
                        ['Deposit', deposit.depositId],
                      ]}
                    />
                  )}
                </Page>
              </div>
              {status === 'pending' && (
                <Page
                  title="Failure codes"
                  about="The user sees the code with this explanation, and may answer again. You can enter any other code of up to 64 characters, which the user sees without an explanation."
                >
                  <Facts facts={[...FAILURE_CODES]} />
                </Page>
              )}
              <Others questionnaire={questionnaire} name={name} />
            </>
          );
        }}
      </Answered>
      {dialog}
    </div>
  );
}

/** With a `deposit`, the preview shows the balance before and after. */
function decisionOn(
  { orderId }: Questionnaire,
  name: string,
  isAccepted: boolean,
  deposit: Moved | null = null,
): Action {
  return {
    call: 'decide-questionnaire',
    title: `${isAccepted ? 'Accept' : 'Refuse'} the questionnaire of ${name}`,
    consequence: isAccepted
      ? 'The deposit is credited immediately, which cannot be undone here.'
      : `The deposit stays pending. ${name} sees the reason, and may answer again.`,
    ...(isAccepted && deposit !== null && { effect: () => <AcceptEffect of={deposit} name={name} /> }),
    given: {
      orderId,
      status: isAccepted ? 'success' : 'fail',
      ...(isAccepted && { failureCode: null }),
    },
    ...(!isAccepted && { required: ['failureCode'] }),
    isDangerous: !isAccepted,
  };
}

type Fact = readonly [name: string, value: React.ReactNode];

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-2 p-3">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-xs leading-5 text-muted">{name}</dt>
          <dd className="min-w-0 break-words whitespace-pre-wrap">
            {typeof value === 'string' ? visible(value) : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const UserLink = ({ userId, name }: { readonly userId: string; readonly name: string }) => (
  <Link href={`/console/users/${userId}`} className="text-accent hover:underline">
    {name}
  </Link>
);

/** JSON; the exchange has validated that it is an object of strings. */
function answersOf(complianceInfo: string): readonly Fact[] {
  const answers = new Map(Object.entries(JSON.parse(complianceInfo) as Readonly<Record<string, string>>));
  const known = [...LABELS].filter(([field]) => answers.has(field));
  const others = [...answers.keys()]
    .filter((field) => !LABELS.has(field))
    .map((field) => [field, field] as const);
  return [...known, ...others].map(([field, label]) => [label, shownAnswer(field, answers.get(field) ?? '')]);
}

function shownAnswer(field: string, value: string): string {
  if (field === 'identityType') return IDENTITY_TYPES.get(value) ?? value;
  if (field !== 'country' || !/^[A-Z]{2}$/.test(value)) return value;
  return `${new Intl.DisplayNames('en', { type: 'region' }).of(value) ?? value} (${value})`;
}

function Others({ questionnaire, name }: { readonly questionnaire: Questionnaire; readonly name: string }) {
  const { data } = useOperatorQuery<{ readonly items: readonly Questionnaire[] }>(
    pathWith('/v1/questionnaires', { userId: questionnaire.userId, pageSize: '20' }),
  );
  const others = (data?.items ?? []).filter(({ orderId }) => orderId !== questionnaire.orderId);
  if (others.length === 0) return null;
  return (
    <Page title={`Other questionnaires of ${name}`}>
      <ul className="flex flex-col gap-1 p-3 text-xs">
        {others.map((each) => (
          <li key={each.orderId} className="flex items-center gap-2">
            <Badge tone={questionnaireStates[each.status].tone}>
              {questionnaireStates[each.status].label}
            </Badge>
            <Link href={pathOfQuestionnaire(each.orderId)} className="text-accent hover:underline">
              <code>{each.orderId}</code>
            </Link>
            {each.failureCode !== null && <span className="text-muted">{each.failureCode}</span>}
            {each.travelRuleOId === questionnaire.travelRuleOId && (
              <span className="text-muted">about the same deposit</span>
            )}
          </li>
        ))}
      </ul>
    </Page>
  );
}
