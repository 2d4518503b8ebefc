/** Scheduled changes. */

import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { timeOf, wordsOf } from '../words.ts';
import { Page } from './page.tsx';

interface Entry {
  readonly id: string;
  readonly at: number;
  readonly call: string;
  readonly status: string;
  readonly scheduledBy: string;
  readonly reason: string;
  readonly command: Readonly<Record<string, unknown>>;
}

const TONES: ReadonlyMap<string, 'warning' | 'up' | 'danger'> = new Map([
  ['scheduled', 'warning'],
  ['done', 'up'],
]);

const detailsOf = (command: Entry['command']): string =>
  Object.entries(command)
    .filter(([name]) => name !== 'kind')
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');

export function Schedule() {
  const schedule = useOperatorQuery<readonly Entry[]>('/v1/schedule');
  const { button, dialog } = useActions();
  return (
    <Page
      title="Schedule"
      about="Changes of markets and fees, and pauses, that take effect at a given exchange time. Each is announced publicly."
      actions={button({
        call: 'schedule-call',
        title: 'Schedule a change',
        consequence: 'Announced publicly now, and takes effect at its time, even after a restart.',
      })}
    >
      <Answered query={schedule} label="the schedule">
        {(entries) => (
          <Table
            label="Scheduled changes"
            rows={entries}
            rowKey={({ id }) => id}
            empty={<Empty icon="clock" title="No scheduled change" />}
            columns={[
              { key: 'at', label: 'At', cell: ({ at }) => timeOf(at) },
              { key: 'call', label: 'Change', cell: ({ call }) => wordsOf(call) },
              { key: 'what', label: 'Details', cell: ({ command }) => detailsOf(command) },
              {
                key: 'status',
                label: 'State',
                cell: ({ status }) => <Badge tone={TONES.get(status) ?? 'danger'}>{status}</Badge>,
              },
              { key: 'by', label: 'By', cell: ({ scheduledBy }) => scheduledBy },
              { key: 'why', label: 'Reason', cell: ({ reason }) => reason },
              {
                key: 'do',
                label: 'Do',
                isAction: true,
                cell: ({ id, call, at, status }) =>
                  status === 'scheduled' &&
                  button(
                    {
                      call: 'unschedule-call',
                      title: `Cancel the change of ${timeOf(at)}`,
                      consequence: `“${wordsOf(call)}” will not take effect.`,
                      given: { scheduleId: id },
                      isDangerous: true,
                    },
                    'cancel',
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
