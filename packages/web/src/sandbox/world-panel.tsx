/** Worlds: named states to restore, and forks, which are second exchanges started from one. */

import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { DrawerSection } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { useControl, useControlCalls } from './control.ts';

interface Snapshot {
  readonly id: string;
  readonly name: string | null;
  readonly seq: number;
  readonly time: number;
}

interface Fork {
  readonly id: string;
  readonly baseUrl: string;
  readonly market: string;
  readonly clock: string;
}

const NAME_MAX = 128;

/** Shared by both sections, so that only one change of worlds runs at a time. */
type Calls = Pick<ReturnType<typeof useControlCalls>, 'send' | 'isPending'>;

export function WorldPanel() {
  const { send, isPending } = useControlCalls();
  return (
    <>
      <Snapshots send={send} isPending={isPending} />
      <Forks send={send} isPending={isPending} />
    </>
  );
}

function Snapshots({ send, isPending }: Calls) {
  const { data: snapshots = [] } = useControl<readonly Snapshot[]>('/snapshots');
  const [name, setName] = useState('');
  return (
    <DrawerSection
      title="Snapshots"
      about="Going back restores balances, orders, ids, history and clock. Sockets are closed and reconnect."
    >
      <div className="flex items-end gap-2">
        <TextField label="Name" value={name} onValue={setName} maxLength={NAME_MAX} className="flex-1" />
        <Button
          kind="primary"
          isBusy={isPending}
          onClick={() =>
            send({
              method: 'POST',
              path: '/snapshots',
              body: name.trim() === '' ? {} : { name: name.trim() },
              done: 'Snapshot taken',
            })
          }
        >
          Take a snapshot
        </Button>
      </div>
      {snapshots.length === 0 && <Empty icon="clock" title="No snapshot yet" />}
      <ul className="flex flex-col gap-1">
        {snapshots.map((each) => (
          <li
            key={each.id}
            className="flex items-center gap-2 rounded-md border border-line px-2 py-1.5 text-xs"
          >
            <span className="min-w-0 flex-1 truncate">
              <strong className="font-medium">{each.name ?? each.id}</strong>{' '}
              <span className="text-faint">record {each.seq}</span>
            </span>
            <Button
              size="small"
              isBusy={isPending}
              aria-label={`Go back to ${each.name ?? each.id}`}
              onClick={() =>
                send({
                  method: 'POST',
                  path: `/snapshots/${each.id}/restore`,
                  done: `Restored the state of record ${each.seq}`,
                })
              }
            >
              Go back
            </Button>
            <Button
              size="small"
              isBusy={isPending}
              aria-label={`Fork from ${each.name ?? each.id}`}
              onClick={() =>
                send({ method: 'POST', path: '/forks', body: { from: each.id }, done: 'Fork started' })
              }
            >
              Fork
            </Button>
            <Button
              size="small"
              isBusy={isPending}
              aria-label={`Remove ${each.name ?? each.id}`}
              onClick={() =>
                send({ method: 'DELETE', path: `/snapshots/${each.id}`, done: 'Snapshot removed' })
              }
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}

function Forks({ send, isPending }: Calls) {
  const { data: forks = [] } = useControl<readonly Fork[]>('/forks');
  return (
    <DrawerSection title="Forks" about="A fork is a second, independent exchange at another address.">
      <Button
        className="self-start"
        isBusy={isPending}
        onClick={() => send({ method: 'POST', path: '/forks', body: {}, done: 'Fork started' })}
      >
        Fork from now
      </Button>
      <ul className="flex flex-col gap-1">
        {forks.map(({ id, baseUrl, market, clock }) => (
          <li key={id} className="flex items-center gap-2 rounded-md border border-line px-2 py-1.5 text-xs">
            <a
              href={baseUrl}
              target="_blank"
              rel="noreferrer"
              className="flex-1 truncate text-accent hover:underline"
            >
              {baseUrl}
            </a>
            <span className="text-faint">
              {market}, {clock}
            </span>
            <Button
              size="small"
              isBusy={isPending}
              aria-label={`End the fork ${baseUrl}`}
              onClick={() => send({ method: 'DELETE', path: `/forks/${id}`, done: 'Fork ended' })}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}
