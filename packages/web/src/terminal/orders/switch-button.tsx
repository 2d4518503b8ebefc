/** The dead man's switch: all orders are cancelled when nothing is heard for so many seconds. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { clockTime } from '../../ui/times.ts';
import { showToast } from '../../ui/toast.tsx';
import { useAct } from '../../user/actions.ts';
import { setSwitch } from './order-actions.ts';

const OFF = -1;

interface SwitchState {
  readonly timeout: number;
  /** Seconds since 1970. */
  readonly triggerTime: number;
}

export function SwitchButton() {
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const [seconds, setSeconds] = useState('60');
  const act = useAct();
  const state = useQuery({
    queryKey: ['user', session?.credentials.apiKey, 'switch'],
    queryFn: () =>
      session!.client.http.call<SwitchState | null>('GET', '/api/v1/hf/orders/dead-cancel-all/query'),
    enabled: session !== null,
  }).data;
  const isOn = state !== undefined && state !== null && state.timeout > 0;
  const timeout = Number(seconds);
  const isRight = /^\d+$/.test(seconds) && timeout >= 5 && timeout <= 86_400;
  const set = (value: number): void =>
    act.mutate(setSwitch(value), {
      onSuccess: () => {
        setIsOpen(false);
        showToast('done', value === OFF ? 'Switch off' : `Switch set: ${value} s`);
      },
    });
  return (
    <>
      <Button size="small" kind="quiet" onClick={() => setIsOpen(true)}>
        Dead man's switch: {isOn ? `at ${clockTime(state.triggerTime * 1000)}` : 'off'}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpen={setIsOpen}
        title="Dead man's switch"
        about="Cancels all your orders unless you set it again before the time is over."
      >
        <form
          aria-label="Dead man's switch"
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            set(timeout);
          }}
        >
          <TextField
            label="Seconds from now"
            inputMode="numeric"
            value={seconds}
            onValue={(value) => setSeconds(value.trim())}
            error={isRight ? undefined : 'From 5 to 86400 seconds.'}
          />
          <div className="flex gap-2">
            <Button type="submit" kind="primary" isBusy={act.isPending} disabled={!isRight}>
              Set
            </Button>
            <Button isBusy={act.isPending} disabled={!isOn} onClick={() => set(OFF)}>
              Turn off
            </Button>
            <ShowMeButton action={setSwitch(isRight ? timeout : 60)} />
          </div>
        </form>
      </Dialog>
    </>
  );
}
