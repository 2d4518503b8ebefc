/** Recorded markets in place of agents: which file plays in which symbol, how far it is, and an end to it. */

import { useState } from 'react';
import { formatExact } from '../decimal/format.ts';
import { useSymbols } from '../exchange/market-data.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { useControl, useControlCalls } from './control.ts';
import { Section } from './section.tsx';

interface Playing {
  readonly symbol: string;
  readonly file: string;
  readonly speed: number;
  readonly events: number;
  readonly played: number;
}

interface Replay {
  readonly replays?: readonly Playing[];
}

const SPEED = /^\d{1,5}(\.\d{1,3})?$/;

export function ReplaySection() {
  const { data: replay } = useControl<Replay>('/market/replay');
  return (
    <Section
      title="Replay"
      about={
        <>
          Plays a recorded market. The file lies below the directory that the start named with{' '}
          <code className="whitespace-nowrap">--recordings</code>.
        </>
      }
    >
      {replay?.replays?.map((each) => (
        <Progress key={each.symbol} {...each} />
      ))}
      <Begin />
    </Section>
  );
}

function Progress({ symbol, file, speed, events, played }: Playing) {
  const { send, isPending } = useControlCalls();
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line p-3 text-xs">
      <div className="flex items-center gap-2">
        <strong className="font-medium">{symbol}</strong>
        <span className="min-w-0 flex-1 truncate text-muted">{file}</span>
        <Badge tone="accent">x{speed}</Badge>
      </div>
      <progress
        aria-label={`Played of ${file}`}
        max={events}
        value={played}
        className="h-1.5 w-full overflow-hidden rounded-full accent-accent"
      />
      <div className="flex items-center justify-between">
        <span className="text-muted">
          {formatExact(String(played))} of {formatExact(String(events))} events
        </span>
        <Button
          size="small"
          isBusy={isPending}
          onClick={() =>
            send({
              method: 'DELETE',
              path: `/market/replay?symbol=${encodeURIComponent(symbol)}`,
              done: `The replay in ${symbol} has ended`,
            })
          }
        >
          Stop the replay
        </Button>
      </div>
    </div>
  );
}

function Begin() {
  const { send, isPending } = useControlCalls();
  const symbols = useSymbols().data ?? [];
  const [chosen, setChosen] = useState('');
  const [file, setFile] = useState('');
  const [speed, setSpeed] = useState('1');
  const symbol = chosen || symbols[0]?.symbol || '';
  return (
    <div className="flex flex-wrap items-start gap-2">
      <SelectField
        label="Symbol of the replay"
        value={symbol}
        onValue={setChosen}
        choices={symbols.map((each) => ({ value: each.symbol, label: each.symbol }))}
        className="w-40"
      />
      <TextField
        label="File"
        placeholder="btc-usdt.csv"
        value={file}
        onValue={setFile}
        className="min-w-32 flex-1"
      />
      <TextField label="Speed" inputMode="decimal" value={speed} onValue={setSpeed} className="w-20" />
      <Button
        className="mt-5"
        isBusy={isPending}
        disabled={symbol === '' || file.trim() === '' || !SPEED.test(speed)}
        onClick={() =>
          send({
            method: 'POST',
            path: '/market/replay',
            body: { symbol, file: file.trim(), speed: Number(speed) },
            done: `${file.trim()} plays in ${symbol}`,
          })
        }
      >
        Play
      </Button>
    </div>
  );
}
