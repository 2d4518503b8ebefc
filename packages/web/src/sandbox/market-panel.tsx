/** The market that agents make: its preset, its seed, shocks of a latent value, and recordings that are played. */

import { useState } from 'react';
import { formatExact } from '../decimal/format.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { useControl, useControlCalls } from './control.ts';
import { ReplaySection } from './replay-section.tsx';
import { Section } from './section.tsx';

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
      <Section
        title="Preset"
        about="Agents that leave cancel their orders first. Quiet has none, and empty books."
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
                send({ method: 'POST', path: '/market', body: { preset }, done: `The market is ${preset}` })
              }
            >
              {preset}
            </Button>
          ))}
        </div>
        <p className="text-xs text-muted">Seed {market.seed}</p>
      </Section>
      <Section title="Latent values" about="The agents' estimate of each currency's value; prices follow it.">
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
      </Section>
      {market.symbols.length > 0 && (
        <Section title="Shock" about="The value jumps by the factor: 0.5 halves it.">
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
                  done: `${shocked} was shocked by ${factor}`,
                })
              }
            >
              Shock
            </Button>
          </div>
        </Section>
      )}
      <ReplaySection />
    </>
  );
}
