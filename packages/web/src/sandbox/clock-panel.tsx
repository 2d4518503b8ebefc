/** Exchange time: the current value, its speed, and steps while the clock is stopped. */

import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { DrawerSection } from '../ui/panel.tsx';
import { Badge, Failed, Loading } from '../ui/states.tsx';
import { Segments } from '../ui/tabs.tsx';
import { useControl, useControlCalls } from './control.ts';

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
      done: mode === 'manual' ? 'The clock is paused' : 'The clock is running',
    });
  const advance = (by: number): void =>
    send({
      method: 'POST',
      path: '/clock/advance',
      body: { ms: by },
      done: `The clock advanced by ${by} ms`,
    });
  return (
    <>
      <DrawerSection title="Exchange time">
        <p className="flex items-center gap-2 text-base font-semibold">
          {new Date(clock.time).toISOString().replace('T', ' ').slice(0, 19)}
          <Badge tone={clock.mode === 'real' ? 'neutral' : 'accent'}>
            {clock.mode === 'scaled' ? `x${clock.speed}` : clock.mode}
          </Badge>
        </p>
        <div className="flex flex-wrap gap-2">
          {clock.mode === 'manual' ? (
            <Button kind="primary" isBusy={isPending} onClick={() => set('real')}>
              Resume
            </Button>
          ) : (
            <Button kind="primary" isBusy={isPending} onClick={() => set('manual')}>
              Pause
            </Button>
          )}
        </div>
      </DrawerSection>
      <DrawerSection
        title="Speed"
        about="The complete exchange follows the clock: expiries, candles, rate windows, agents."
      >
        <Segments
          label="Speed"
          value={clock.mode === 'manual' ? '' : String(clock.speed)}
          onValue={(speed) => (speed === '1' ? set('real') : set('scaled', Number(speed)))}
          choices={['1', ...SPEEDS].map((value) => ({ value, label: value === '1' ? 'real' : `x${value}` }))}
        />
      </DrawerSection>
      <DrawerSection
        title="Step"
        about={
          clock.mode === 'manual'
            ? 'Events due in between happen in order, each at its own millisecond, before the call returns.'
            : 'Pause the clock first: a running clock cannot be stepped.'
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
                done: 'The clock advanced until no requests came',
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
      </DrawerSection>
    </>
  );
}
