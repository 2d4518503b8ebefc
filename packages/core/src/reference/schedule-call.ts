/** Scheduling a change, taking it back, and the moment at which it takes effect. */

import type { Administration, ScheduleCall, ScheduledChange, UnscheduleCall } from '../commands/commands.ts';
import type { Outcome } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { ordered } from '../operators/decide.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/text.ts';
import { SCHEDULE_MAX, type ScheduleEntry } from './schedule.ts';

const CALL_LENGTH_MAX = 64;
/** 9999-12-31: later times are not dates everywhere. */
const TIME_MAX = 253_402_300_799_999;
const KINDS: Readonly<Record<ScheduledChange['kind'], true>> = {
  'set-market-state': true,
  'begin-auction': true,
  'cancel-auction': true,
  'pause-exchange': true,
  'resume-exchange': true,
  'change-symbol': true,
  'set-fees': true,
  'remove-fees': true,
};

export function scheduleCall(state: State, call: ScheduleCall): Rejection | number {
  const { at, scheduled, command, by = '', why = '' } = call;
  const { schedule, time } = state;
  const wrong =
    checkPrintable('scheduled', scheduled, 1, CALL_LENGTH_MAX) ??
    (Object.hasOwn(KINDS, command.kind)
      ? null
      : invalidValue('command', command.kind, `one of ${Object.keys(KINDS).join(', ')}`)) ??
    (Number.isInteger(at) && at > time && at <= TIME_MAX
      ? null
      : invalidValue('at', at, `milliseconds from ${time + 1} to ${TIME_MAX}`));
  if (wrong) return wrong;
  if (!schedule.makeRoom()) return reject('schedule-full', { max: SCHEDULE_MAX });
  const entry = ++schedule.last;
  const change = ordered(command) as ScheduledChange;
  schedule.set({ entry, at, scheduled, command: change, by, why, createdAt: time, state: 'scheduled' });
  emit(state, entry, 'scheduled');
  return entry;
}

export function unscheduleCall(state: State, { entry }: UnscheduleCall): Rejection | null {
  const found = state.schedule.get(entry);
  if (found?.state !== 'scheduled') return reject('schedule-unknown', { entry });
  state.schedule.delete(entry);
  emit(state, entry, 'removed');
  return null;
}

/** The change that is due first takes effect. */
export function letScheduledHappen(
  state: State,
  execute: (state: State, command: Administration) => Outcome,
): void {
  const { schedule, steps } = state;
  const found = schedule.get(schedule.due.firstKey) as ScheduleEntry;
  const outcome = execute(state, found.command);
  const isRefused = outcome.kind === 'rejected';
  schedule.set({
    ...found,
    state: isRefused ? 'refused' : 'done',
    ...(isRefused && { failure: outcome.rejection }),
  });
  emit(state, found.entry, isRefused ? 'refused' : 'done');
  steps.take(1);
}

function emit(state: State, entry: number, what: 'scheduled' | 'removed' | 'done' | 'refused'): void {
  state.events.rare({ kind: 'schedule-changed', entry, what });
}
