/** Notices to everybody, and the changes of increments that they announce. */

import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { timeOf } from '../words.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { Page } from './page.tsx';

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
    readonly status: keyof typeof TONES;
  } | null;
}

const TONES = { scheduled: 'warning', done: 'up', refused: 'danger' } as const;

export function Notices() {
  const notices = useOperatorQuery<readonly Notice[]>('/v1/notices');
  const { button, dialog } = useActions();
  return (
    <Page
      title="Notices"
      about="Published at /api/v3/announcements. A scheduled change of increments takes effect by itself."
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
                  change !== null && <Badge tone={TONES[change.status]}>{change.status}</Badge>,
              },
              {
                key: 'do',
                label: 'Do',
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
