/** The state of the exchange as text, and its metrics as small charts. */

import { useState } from 'react';
import { Badge } from '../../ui/states.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useActions } from '../action/action-dialog.tsx';
import {
  BYTE_STEPS,
  bytes,
  count,
  COUNT_STEPS,
  type FigureRange,
  type Figures,
  milliseconds,
  percent,
  PERCENT_STEPS,
  perSecond,
  type Sample,
  withGaps,
} from '../figures/figures.ts';
import { FigureCard } from '../figures/line-chart.tsx';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { Waiting } from './queues.tsx';

interface Status {
  readonly state: 'starting' | 'open' | 'full' | 'clock' | 'no-leader' | 'stopped';
  readonly seq: number;
  readonly waiting: number;
  readonly historyLag: number;
  readonly snapshotSeq: number;
  /** What a cluster is missing, as a sentence; absent if nothing is. */
  readonly degraded?: string;
}

const STATES: Readonly<Record<Status['state'], string>> = {
  starting: 'is starting',
  open: 'takes commands',
  full: 'has a full disk, and accepts no commands',
  clock: 'sees a clock that is wrong, and takes no commands until it is right or accepted',
  'no-leader': 'has no leader: no node of its cluster appends to the log, or this one is cut off from it',
  stopped: 'has stopped and must be restarted',
};

const REFRESH_MS: Readonly<Record<FigureRange, number>> = { recent: 2_000, day: 30_000 };

function useFigures(range: FigureRange): readonly Sample[] {
  const { data } = useOperatorQuery<Figures>(`/v1/figures?range=${range}`, REFRESH_MS[range]);
  return data === undefined ? [] : withGaps(data);
}

export default function Overview() {
  const status = useOperatorQuery<Status>('/v1/status', 2000);
  const [range, setRange] = useState<FigureRange>('recent');
  const samples = useFigures(range);
  const { button, dialog } = useActions();
  const times = samples.map(({ time }) => time / 1000);
  const line = (label: string, colour: string, read: (sample: Sample) => number | null) => ({
    label,
    colour,
    values: samples.map(read),
  });
  return (
    <div className="flex flex-col gap-3">
      <section aria-label="State" className="rounded-lg border border-line bg-panel px-4 py-3">
        <Answered query={status} label="the state">
          {({ state, seq, waiting, historyLag, snapshotSeq, degraded }) => (
            <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
              <p className="flex items-center gap-2 text-sm">
                <Badge tone={state === 'open' ? 'up' : 'danger'}>{state}</Badge>
                The exchange {STATES[state]}.
              </p>
              {degraded !== undefined && <p className="text-sm text-warning">{degraded}</p>}
              <Fact name="last record" value={count(seq)} />
              <Fact name="queued commands" value={count(waiting)} />
              <Fact name="history lag" value={count(historyLag)} />
              <Fact name="newest snapshot" value={count(snapshotSeq)} />
              <span className="flex-1" />
              {button({
                call: 'accept-clock',
                title: 'Accept the clock',
                consequence:
                  'Confirms that the clock of the machine is right. If the exchange rejects commands because the clock jumped, it accepts them again; otherwise nothing changes.',
              })}
              {button({
                call: 'take-checkpoint',
                title: 'Take a checkpoint',
                consequence:
                  'Signs the current size and Merkle root of the log, and makes them public. Nothing in the exchange changes.',
              })}
              {button({
                call: 'reload',
                title: 'Reload the settings',
                consequence:
                  'Reloads the settings file and the token files. The response lists what changed and what needs a restart.',
              })}
            </div>
          )}
        </Answered>
      </section>
      <Waiting />
      <Segments
        label="Time range"
        value={range}
        onValue={(value) => setRange(value === 'day' ? 'day' : 'recent')}
        choices={[
          { value: 'recent', label: '5 minutes' },
          { value: 'day', label: '24 hours' },
        ]}
        className="self-end"
      />
      <div className="grid gap-3 @2xl:grid-cols-2 @5xl:grid-cols-4">
        <FigureCard
          title="Orders from users"
          times={times}
          show={perSecond}
          lines={[line('orders', '--accent', ({ orders }) => orders)]}
        />
        <FigureCard
          title="Response time of orders"
          times={times}
          show={milliseconds}
          lines={[line('p50', '--blue', ({ p50 }) => p50), line('p99', '--orange', ({ p99 }) => p99)]}
        />
        <FigureCard
          title="Records written to the log"
          times={times}
          show={perSecond}
          lines={[line('records', '--accent', ({ records }) => records)]}
        />
        <FigureCard
          title="Backlog"
          times={times}
          show={count}
          steps={COUNT_STEPS}
          lines={[
            line('history, records', '--blue', ({ historyLag }) => historyLag),
            line('queue, commands', '--orange', ({ queue }) => queue),
          ]}
        />
        <FigureCard
          title="Connections"
          times={times}
          show={count}
          steps={COUNT_STEPS}
          lines={[
            line('all', '--blue', ({ connections }) => connections),
            line('feed', '--orange', ({ feedConnections }) => feedConnections),
          ]}
        />
        <FigureCard
          title="Processor"
          times={times}
          show={percent}
          steps={PERCENT_STEPS}
          lines={[line('of one core', '--accent', ({ processor }) => processor)]}
        />
        <FigureCard
          title="Memory"
          times={times}
          show={bytes}
          steps={BYTE_STEPS}
          lines={[
            line('process', '--blue', ({ memory }) => memory),
            line('heap', '--orange', ({ heap }) => heap),
          ]}
        />
        <FigureCard
          title="Free disk space"
          times={times}
          show={bytes}
          steps={BYTE_STEPS}
          lines={[line('free', '--accent', ({ diskFree }) => diskFree)]}
        />
      </div>
      {dialog}
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <p className="text-xs text-muted">
      {name} <strong className="font-medium text-text">{value}</strong>
    </p>
  );
}
