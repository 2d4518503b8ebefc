/** Travel Rule questionnaires, pending and decided. */

import { useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered, pathWith, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
import { assignment, release } from './queues.tsx';
import { Page } from './page.tsx';
import {
  decisionOn,
  pathOfQuestionnaire,
  type Questionnaire,
  questionnaireStates,
  senderOf,
} from './questionnaire.tsx';

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
              { key: 'why', label: 'Refused because', cell: ({ failureCode }) => failureCode ?? '–' },
              { key: 'assigned', label: 'Assigned to', cell: ({ assigned }) => assigned ?? '–' },
              {
                key: 'do',
                label: 'Do',
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
