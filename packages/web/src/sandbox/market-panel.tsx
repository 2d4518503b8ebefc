/** The simulated market: preset, seed, shocks of the latent value, and replays of recorded markets. */

import { useState } from 'react';
import { formatExact } from '../decimal/decimal.ts';
import { useSymbols } from '../exchange/market-data.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { DrawerSection } from '../ui/panel.tsx';
import { Badge, Empty, Failed, Loading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { useControl, useControlCalls } from './control.ts';

interface Market {
  readonly preset: string;
  readonly seed: number;
  readonly symbols: readonly { readonly symbol: string; readonly value: string; readonly agents: number }[];
}

const PRESETS = ['calm', 'busy', 'thin', 'wild', 'one-sided', 'crash', 'quiet'];

export function MarketPanel() {
  const { data: market, error, refetch } = useControl<Market>('/market');
  const { send, isPending } = useControlCalls();
  const [factor, setFactor] = useState('0.9');
  const [symbol, setSymbol] = useState('');
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (market === undefined) return <Loading label="Loading the market" />;
  const shocked = symbol || market.symbols[0]?.symbol || '';
  return (
    <>
      <DrawerSection
        title="Preset"
        about="Agents cancel their orders when they leave. The preset quiet has no agents and empty books."
      >
        <div className="flex flex-wrap gap-2">
          {PRESETS.map((preset) => (
            <Button
              key={preset}
              size="small"
              kind={preset === market.preset ? 'primary' : 'neutral'}
              aria-pressed={preset === market.preset}
              isBusy={isPending}
              onClick={() =>
                send({ method: 'POST', path: '/market', body: { preset }, done: `Preset ${preset} applied` })
              }
            >
              {preset}
            </Button>
          ))}
        </div>
        <p className="text-xs text-muted">Seed {market.seed}</p>
      </DrawerSection>
      <DrawerSection
        title="Latent values"
        about="The agents' estimate of each currency's value; prices follow it."
      >
        <div className="max-h-52 overflow-auto rounded-md border border-line">
          <Table
            label="Values by symbol"
            rows={market.symbols}
            rowKey={(row) => row.symbol}
            empty={<Empty title="No agents: the market is quiet" />}
            columns={[
              { key: 'symbol', label: 'Symbol', cell: (row) => row.symbol },
              { key: 'value', label: 'Value', isFigure: true, cell: (row) => formatExact(row.value) },
              { key: 'agents', label: 'Agents', isFigure: true, cell: (row) => row.agents },
            ]}
          />
        </div>
      </DrawerSection>
      {market.symbols.length > 0 && (
        <DrawerSection title="Shock" about="The value jumps by the factor: 0.5 halves it.">
          <div className="flex flex-wrap items-end gap-2">
            <SelectField
              label="Symbol"
              value={shocked}
              onValue={setSymbol}
              choices={market.symbols.map((row) => ({ value: row.symbol, label: row.symbol }))}
              className="w-40"
            />
            <TextField
              label="Factor"
              inputMode="decimal"
              value={factor}
              onValue={setFactor}
              className="w-24"
            />
            <Button
              isBusy={isPending}
              disabled={!/^\d{1,6}(\.\d{1,6})?$/.test(factor)}
              onClick={() =>
                send({
                  method: 'POST',
                  path: '/market/shock',
                  body: { symbol: shocked, factor: Number(factor) },
                  done: `Shock of ${factor} applied to ${shocked}`,
                })
              }
            >
              Shock
            </Button>
          </div>
        </DrawerSection>
      )}
      <ReplaySection />
    </>
  );
}

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

/** Replays of recorded markets in place of agents: file, symbol, progress, and a button to stop. */
function ReplaySection() {
  const { data: replay } = useControl<Replay>('/market/replay');
  return (
    <DrawerSection
      title="Replay"
      about={
        <>
          Replays a recorded market. The file is in the directory that the sandbox was started with:{' '}
          <code className="whitespace-nowrap">--recordings</code>.
        </>
      }
    >
      {replay?.replays?.map((each) => (
        <Progress key={each.symbol} {...each} />
      ))}
      <Begin />
    </DrawerSection>
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
        aria-label={`Progress of ${file}`}
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
              done: `Replay in ${symbol} stopped`,
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
            done: `Replay of ${file.trim()} started in ${symbol}`,
          })
        }
      >
        Play
      </Button>
    </div>
  );
}
