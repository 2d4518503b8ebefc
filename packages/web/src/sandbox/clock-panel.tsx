/** Exchange time: what it is, how fast it goes, and steps of it where it stands. */

import { useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Segments } from '../ui/tabs.tsx';
import { useControl, useControlCalls } from './control.ts';
import { Section } from './section.tsx';

interface Clock {
  readonly mode: 'real' | 'scaled' | 'manual';
  readonly speed: number;
  readonly time: number;
}

const STEPS = [
  { label: '1 s', ms: 1_000 },
  { label: '1 min', ms: 60_000 },
  { label: '1 h', ms: 3_600_000 },
  { label: '1 day', ms: 86_400_000 },
];
const SPEEDS = ['2', '10', '100', '1000'];

export function ClockPanel() {
  const { data: clock, error, refetch } = useControl<Clock>('/clock');
  const { send, isPending } = useControlCalls();
  const [ms, setMs] = useState('5000');
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (clock === undefined) return <Loading label="Loading the clock" />;
  const set = (mode: Clock['mode'], speed?: number): void =>
    send({
      method: 'POST',
      path: '/clock',
      body: { mode, ...(speed !== undefined && { speed }) },
      done: mode === 'manual' ? 'Time stands until it is moved' : 'Time goes on',
    });
  const advance = (by: number): void =>
    send({ method: 'POST', path: '/clock/advance', body: { ms: by }, done: `Time went on by ${by} ms` });
  return (
    <>
      <Section title="Exchange time">
        <p className="flex items-center gap-2 text-base font-semibold">
          {new Date(clock.time).toISOString().replace('T', ' ').slice(0, 19)}
          <Badge tone={clock.mode === 'real' ? 'neutral' : 'accent'}>
            {clock.mode === 'scaled' ? `x${clock.speed}` : clock.mode}
          </Badge>
        </p>
        <div className="flex flex-wrap gap-2">
          {clock.mode === 'manual' ? (
            <Button kind="primary" isBusy={isPending} onClick={() => set('real')}>
              Let it run
            </Button>
          ) : (
            <Button kind="primary" isBusy={isPending} onClick={() => set('manual')}>
              Pause
            </Button>
          )}
        </div>
      </Section>
      <Section
        title="Speed"
        about="Everything of the exchange follows: expiries, candles, rate windows, agents."
      >
        <Segments
          label="Speed"
          value={clock.mode === 'manual' ? '' : String(clock.speed)}
          onValue={(speed) => (speed === '1' ? set('real') : set('scaled', Number(speed)))}
          choices={['1', ...SPEEDS].map((value) => ({ value, label: value === '1' ? 'real' : `x${value}` }))}
        />
      </Section>
      <Section
        title="Step"
        about={
          clock.mode === 'manual'
            ? 'What is due in between happens at its own millisecond, in order, before the answer comes.'
            : 'Pause the clock first: a clock that runs cannot be moved.'
        }
      >
        <div className="flex flex-wrap items-end gap-2">
          {STEPS.map((step) => (
            <Button
              key={step.label}
              disabled={clock.mode !== 'manual'}
              isBusy={isPending}
              onClick={() => advance(step.ms)}
            >
              {step.label}
            </Button>
          ))}
          <Button
            disabled={clock.mode !== 'manual'}
            isBusy={isPending}
            onClick={() =>
              send({
                method: 'POST',
                path: '/clock/advance-until-idle',
                body: {},
                done: 'Time went on until no requests came',
              })
            }
          >
            Until idle
          </Button>
          <TextField label="Milliseconds" inputMode="numeric" value={ms} onValue={setMs} className="w-32" />
          <Button
            disabled={clock.mode !== 'manual' || !/^\d{1,11}$/.test(ms)}
            isBusy={isPending}
            onClick={() => advance(Number(ms))}
          >
            Advance
          </Button>
        </div>
      </Section>
    </>
  );
}
