/** Questionnaires of the Travel Rule, and the decision on each. */

import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { DetailDialog } from '../operator/detail-dialog.tsx';
import { useUserNames } from '../operator/user-names.ts';
import { pathWith, useOperatorQuery } from '../operator/use-operator-query.ts';
import { Page } from './page.tsx';

interface Questionnaire {
  readonly orderId: string;
  readonly travelRuleOId: string;
  readonly userId: string;
  readonly type: string;
  readonly status: 'pending' | 'success' | 'fail';
  readonly failureCode: string | null;
}

const TONES = { pending: 'warning', success: 'up', fail: 'danger' } as const;

export function Questionnaires() {
  const [status, setStatus] = useState('pending');
  const [shown, setShown] = useState('');
  const list = useOperatorQuery<{ readonly items: readonly Questionnaire[] }>(
    pathWith('/v1/questionnaires', { status, pageSize: '100' }),
  );
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  const decide = ({ orderId }: Questionnaire, decision: 'success' | 'fail') =>
    button(
      {
        call: 'decide-questionnaire',
        title: `${decision === 'success' ? 'Accept' : 'Refuse'} questionnaire ${orderId}`,
        consequence:
          decision === 'success'
            ? 'The deposit it belongs to is credited at once.'
            : 'The deposit goes on waiting, and the user may submit the questionnaire again.',
        given: { orderId, status: decision, ...(decision === 'success' && { failureCode: null }) },
        isDangerous: decision === 'fail',
      },
      decision === 'success' ? 'accept' : 'refuse',
    );
  return (
    <Page
      title="Questionnaires"
      actions={
        <Segments
          label="Which questionnaires"
          value={status || 'all'}
          onValue={(value) => setStatus(value === 'all' ? '' : value)}
          choices={['pending', 'success', 'fail', 'all'].map((value) => ({ value, label: value }))}
        />
      }
    >
      <Answered query={list} label="the questionnaires">
        {({ items }) => (
          <Table
            label="Questionnaires found"
            rows={items}
            rowKey={({ orderId }) => orderId}
            empty={<Empty title="No questionnaire waits for a decision" />}
            columns={[
              { key: 'id', label: 'Questionnaire', cell: ({ orderId }) => <code>{orderId}</code> },
              { key: 'user', label: 'User', cell: ({ userId }) => nameOf(userId) },
              { key: 'type', label: 'Sender', cell: ({ type }) => type },
              {
                key: 'status',
                label: 'State',
                cell: (row) => <Badge tone={TONES[row.status]}>{row.status}</Badge>,
              },
              { key: 'why', label: 'Failure', cell: ({ failureCode }) => failureCode ?? '–' },
              {
                key: 'do',
                label: 'Do',
                cell: (row) => (
                  <span className="flex gap-1">
                    <Button
                      size="small"
                      aria-label={`Read questionnaire ${row.orderId}`}
                      onClick={() => setShown(row.orderId)}
                    >
                      read
                    </Button>
                    {row.status === 'pending' && decide(row, 'success')}
                    {row.status === 'pending' && decide(row, 'fail')}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Answered>
      {shown !== '' && (
        <DetailDialog
          title="Questionnaire"
          path={`/v1/questionnaires/${shown}`}
          onClose={() => setShown('')}
        />
      )}
      {dialog}
    </Page>
  );
}
