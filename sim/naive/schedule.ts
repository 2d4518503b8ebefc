/** Scheduled changes. */

import type { ScheduleCall, UnscheduleCall } from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { accepted, checkOneOf, checkText, refuse, refused, valueInvalid } from './refusal.ts';
import type { State } from './state.ts';

const END = 253_402_300_799_999;
const KINDS = [
  'set-market-state',
  'begin-auction',
  'cancel-auction',
  'pause-exchange',
  'resume-exchange',
  'change-symbol',
  'set-fees',
  'remove-fees',
];

export function scheduleCall(state: State, { at, scheduled, command }: ScheduleCall): Outcome {
  const isTime = Number.isInteger(at) && at > state.time && at <= END;
  const wrong =
    checkText('scheduled', scheduled, 1, 64, 'printable') ??
    checkOneOf('command', command.kind, KINDS) ??
    (isTime ? null : valueInvalid('at', at, 'milliseconds to come'));
  if (wrong !== null) return refused(wrong);
  if (state.schedule.size + state.scheduleOver >= 1000) {
    if (state.scheduleOver === 0) return refuse('schedule-full', { max: 1000 });
    state.scheduleOver -= 1;
  }
  state.lastScheduled += 1;
  const entry = state.lastScheduled;
  state.schedule.set(entry, { at, command });
  state.events.push({ kind: 'schedule-changed', entry, what: 'scheduled' });
  return { kind: 'added', id: entry };
}

export function unscheduleCall(state: State, { entry }: UnscheduleCall): Outcome {
  if (!state.schedule.delete(entry)) return refuse('schedule-unknown', { entry });
  state.events.push({ kind: 'schedule-changed', entry, what: 'removed' });
  return accepted;
}

export function takePlace(state: State, entry: number, execute: () => Outcome): void {
  state.schedule.delete(entry);
  state.scheduleOver += 1;
  const what = execute().kind === 'rejected' ? 'refused' : 'done';
  state.events.push({ kind: 'schedule-changed', entry, what });
}
