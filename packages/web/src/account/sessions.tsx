/** The person's sessions and recent activity. */

import { useState } from 'react';
import type { PersonInfo } from '../session/identity.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Badge, Empty, Failed, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateTime } from '../ui/text.ts';
import { useIdentity, useIdentityCall } from './identity-calls.ts';

interface SessionRow {
  readonly id: string;
  readonly created: number;
  readonly expires: number;
  readonly lastSeen: number;
  readonly device: string;
  readonly address: string;
  readonly current?: boolean;
}

const UNKNOWN = 'unknown';

export function Sessions() {
  const sessions = useIdentity<readonly SessionRow[]>('/sessions');
  const end = useIdentityCall();
  if (sessions.isError && sessions.data === undefined)
    return <Failed error={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (sessions.data === undefined) return <Loading label="Sessions are loading" lines={3} />;
  const others = sessions.data.filter(({ current }) => current !== true).length;
  const columns: readonly Column<SessionRow>[] = [
    {
      key: 'device',
      label: 'Device',
      isTitle: true,
      cell: ({ device, current }) => (
        <span className="flex items-center gap-2">
          <span>{device || UNKNOWN}</span> {current === true && <Badge tone="accent">this one</Badge>}
        </span>
      ),
    },
    { key: 'address', label: 'IP address', cell: ({ address }) => address },
    { key: 'created', label: 'Signed in', cell: ({ created }) => dateTime(created), className: 'text-muted' },
    { key: 'seen', label: 'Last used', cell: ({ lastSeen }) => dateTime(lastSeen), className: 'text-muted' },
    {
      key: 'expires',
      label: 'Expires',
      cell: ({ expires }) => dateTime(expires),
      className: 'text-muted',
    },
    {
      key: 'end',
      label: <span className="sr-only">Actions</span>,
      isAction: true,
      cell: ({ id, device, current }) =>
        current === true ? (
          ''
        ) : (
          <Button
            size="small"
            className="max-md:w-auto!"
            isBusy={end.isPending}
            aria-label={`End the session of ${device || UNKNOWN}`}
            onClick={() => end.mutate({ method: 'DELETE', path: `/sessions/${id}`, done: 'Session ended' })}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <div className="flex flex-col">
      <div className="flex items-center justify-between gap-3 p-4">
        <p className="text-xs text-muted">
          A session ends when it is idle for too long, and when the password changes. Its feeds and order
          entry end with it.
        </p>
        <ConfirmButton
          label="End all others"
          question={`End ${others === 1 ? 'the other session' : `all ${others} other sessions`}?`}
          yes="End them"
          no="Keep them"
          isBusy={end.isPending || others === 0}
          onConfirm={() =>
            end.mutate({ method: 'DELETE', path: '/sessions', done: 'All other sessions ended' })
          }
        />
      </div>
      <Table label="Sessions" columns={columns} rows={sessions.data} rowKey={({ id }) => id} />
    </div>
  );
}

interface ActivityRow {
  readonly id: string;
  readonly time: number;
  readonly kind: string;
  readonly address: string;
  readonly device: string;
  readonly sessionId: string | null;
}

const PAGE = 50;

export function Activity({ info }: { readonly info: PersonInfo }) {
  /** The last row of each previous page. */
  const [before, setBefore] = useState<readonly string[]>([]);
  const after = before.at(-1);
  const path = `/activity?limit=${PAGE}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`;
  const activity = useIdentity<readonly ActivityRow[]>(path);
  if (activity.isError && activity.data === undefined)
    return <Failed error={activity.error} onRetry={() => void activity.refetch()} />;
  if (activity.data === undefined) return <Loading label="Activity is loading" lines={8} />;
  const last = activity.data.at(-1);
  const columns: readonly Column<ActivityRow>[] = [
    {
      key: 'kind',
      label: 'What',
      isTitle: true,
      cell: ({ kind }) => <span className={/fail/.test(kind) ? 'text-warning' : ''}>{sentence(kind)}</span>,
    },
    { key: 'time', label: 'When', cell: ({ time }) => dateTime(time), className: 'text-muted' },
    { key: 'address', label: 'IP address', cell: ({ address }) => address },
    {
      key: 'device',
      label: 'Device',
      cell: ({ device }) => device || UNKNOWN,
      className: 'text-muted',
    },
    {
      key: 'session',
      label: 'Session',
      cell: ({ sessionId }) => (sessionId === info.session.id ? <Badge tone="accent">this one</Badge> : ''),
    },
  ];
  return (
    <div className="flex flex-col">
      <Table
        label="Activity"
        columns={columns}
        rows={activity.data}
        rowKey={({ id }) => id}
        empty={<Empty icon="clock" title="Nothing older" />}
      />
      {(before.length > 0 || activity.data.length === PAGE) && (
        <div className="flex gap-2 p-3">
          <Button size="small" disabled={before.length === 0} onClick={() => setBefore(before.slice(0, -1))}>
            Newer
          </Button>
          <Button
            size="small"
            disabled={last === undefined || activity.data.length < PAGE}
            onClick={() => last !== undefined && setBefore([...before, last.id])}
          >
            Older
          </Button>
        </div>
      )}
    </div>
  );
}

/** `key-added` as "Key added". */
const sentence = (kind: string): string => {
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
