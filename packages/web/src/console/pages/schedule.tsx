/** Scheduled changes, and notices to all users with the increment changes that they announce. */

import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/action-dialog.tsx';
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
                label: 'Actions',
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

interface Notice {
  readonly noticeId: string;
  readonly title: string;
  readonly type: string;
  readonly publishAt: string;
  readonly change: {
    readonly symbol: string;
    readonly effectiveAt: string;
    readonly priceIncrement: string | null;
    readonly quoteIncrement: string | null;
    readonly status: keyof typeof NOTICE_TONES;
  } | null;
}

const NOTICE_TONES = { scheduled: 'warning', done: 'up', refused: 'danger' } as const;

/** Notices to all users, and the increment changes that they announce. */
export function Notices() {
  const notices = useOperatorQuery<readonly Notice[]>('/v1/notices');
  const { button, dialog } = useActions();
  return (
    <Page
      title="Notices"
      about="Published at /api/v3/announcements. A scheduled change of increments takes effect automatically."
      actions={button({
        call: 'publish-notice',
        title: 'Publish a notice',
        consequence:
          'Public immediately, or from the time you enter. New increments of a market take effect at their own time.',
      })}
    >
      <Answered query={notices} label="the notices">
        {(items) => (
          <Table
            label="Published notices"
            rows={items}
            rowKey={({ noticeId }) => noticeId}
            empty={<Empty title="No notice yet" />}
            columns={[
              { key: 'time', label: 'Published', cell: ({ publishAt }) => timeOf(publishAt) },
              { key: 'title', label: 'Title', cell: ({ title }) => title },
              { key: 'type', label: 'Type', cell: ({ type }) => type },
              {
                key: 'change',
                label: 'Change',
                cell: ({ change }) =>
                  change === null ? '–' : `${change.symbol} at ${timeOf(change.effectiveAt)}`,
              },
              {
                key: 'status',
                label: 'State',
                cell: ({ change }) =>
                  change !== null && <Badge tone={NOTICE_TONES[change.status]}>{change.status}</Badge>,
              },
              {
                key: 'do',
                label: 'Actions',
                cell: ({ noticeId, title }) =>
                  button(
                    {
                      call: 'remove-notice',
                      title: `Remove "${title}"`,
                      consequence: 'Also cancels the announced change, if it has not taken effect yet.',
                      given: { noticeId },
                      isDangerous: true,
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
