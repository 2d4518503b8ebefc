/** Corrections: moves of money and reversals, by new postings. */

import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import type { Action } from '../action/action.ts';
import { MoveEffect } from '../action/effects.tsx';
import { EntryError, question } from '../action/form-field.ts';
import { useActions } from '../action/use-action.tsx';
import { Answered, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { valueLabel } from '../words.ts';
import { Page } from './page.tsx';

interface Posting {
  readonly system?: string;
  readonly userId?: string;
  readonly account?: string;
  readonly amount: string;
}

interface Correction {
  readonly correctionId: string;
  readonly kind: 'reverse' | 'move';
  readonly currency: string;
  readonly amount: string;
  readonly reverses: Readonly<Record<string, string>> | null;
  readonly reversedBy: string | null;
  readonly postings: readonly Posting[];
}

const SIDES = ['user-main', 'user-trade', 'fees', 'suspense'] as const;

export function Corrections() {
  const list = useOperatorQuery<{ readonly items: readonly Correction[] }>('/v1/corrections?pageSize=100');
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  const sideOf = ({ system, userId, account }: Posting): string =>
    system !== undefined
      ? valueLabel(system)
      : `${nameOf(userId ?? '')}, ${account === undefined ? '' : valueLabel(account)}`;
  return (
    <Page
      title="Corrections"
      about="A correction adds postings and never edits existing ones. Reverse a deposit or withdrawal on its own page. The newest 100 are shown."
      actions={button(moveMoney())}
    >
      <Answered query={list} label="the corrections">
        {({ items }) => (
          <Table
            label="Corrections made"
            rows={items}
            rowKey={({ correctionId }) => correctionId}
            empty={<Empty icon="wallet" title="No corrections yet" />}
            columns={[
              { key: 'id', label: 'Correction', cell: (row) => <code>{row.correctionId}</code> },
              { key: 'kind', label: 'Kind', cell: (row) => KINDS[row.kind] },
              { key: 'amount', label: 'Amount', amount: (row) => row.amount, unit: (row) => row.currency },
              {
                key: 'postings',
                label: 'Postings',
                cell: ({ postings }) =>
                  postings.map((each) => `${sideOf(each)}: ${each.amount.replace('-', '−')}`).join('; '),
              },
              {
                key: 'of',
                label: 'Reverses',
                cell: ({ reverses }) => (reverses === null ? '–' : Object.values(reverses).join(', ')),
              },
              {
                key: 'state',
                label: 'State',
                cell: ({ reversedBy }) =>
                  reversedBy === null ? (
                    <Badge tone="up">In force</Badge>
                  ) : (
                    <Badge>{`Reversed by ${reversedBy}`}</Badge>
                  ),
              },
              {
                key: 'do',
                label: 'Do',
                isAction: true,
                cell: (row) => row.reversedBy === null && button(reversalOf(row), 'Reverse'),
              },
            ]}
          />
        )}
      </Answered>
      {dialog}
    </Page>
  );
}

const KINDS = { reverse: 'Reversal', move: 'Move' } as const;

const reversalOf = ({ correctionId, amount, currency }: Correction): Action => ({
  call: 'correct',
  title: `Reverse ${correctionId}`,
  consequence: `Adds the opposite postings, of ${amount} ${currency}. Rejected if the money was spent. A correction can be reversed once.`,
  given: { kind: 'reverse', correctionId },
  questions: { fields: [], bodyOf: () => ({}) },
  isDangerous: true,
});

/** With an id of its own each time it is opened: sent again after a lost answer, the move is booked once. */
const moveMoney = (): Action => ({
  call: 'correct',
  title: 'Move money',
  effect: (body) => <MoveEffect body={body} />,
  consequence: 'Both accounts change together. The correction can be reversed, once.',
  given: { kind: 'move', clientOid: crypto.randomUUID() },
  questions: {
    fields: [
      question('currency', 'text'),
      question('amount', 'text'),
      question('from', 'choice', { choices: SIDES }),
      question('fromUser', 'text', { isRequired: false, hint: 'For MAIN or TRADE of a user.' }),
      question('to', 'choice', { choices: SIDES }),
      question('toUser', 'text', { isRequired: false, hint: 'For MAIN or TRADE of a user.' }),
    ],
    bodyOf: (answers) => ({
      currency: answers.get('currency'),
      amount: answers.get('amount'),
      from: side(answers, 'from'),
      to: side(answers, 'to'),
    }),
  },
});

function side(answers: ReadonlyMap<string, unknown>, end: 'from' | 'to'): object {
  const chosen = String(answers.get(end));
  const user = answers.get(`${end}User`);
  if (!chosen.startsWith('user-')) return { system: chosen };
  if (user === undefined) throw new EntryError(`${end}User`, 'Enter the user who owns the account.');
  return { userId: String(user), account: chosen.slice('user-'.length) };
}
