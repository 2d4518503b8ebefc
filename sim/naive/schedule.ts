/** Scheduled changes and notices. */

import type {
  ChangeSymbol,
  NoticeChange,
  PublishNotice,
  RemoveNotice,
  ScheduleCall,
  UnscheduleCall,
} from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Rejection } from '../../packages/core/src/commands/rejections.ts';
import { accepted, checkOneOf, checkText, refuse, refused, valueInvalid } from './refusal.ts';
import type { State } from './state.ts';
import { changeSymbol, checkChange } from './symbols.ts';

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

// Notices of operators, and changes of increments that take effect at their time.

export function publishNotice(state: State, command: PublishNotice): Outcome {
  const { title, text, url, types, language, publishAt, change } = command;
  const wrong =
    checkText('title', title, 1, 200, 'any') ??
    checkText('text', text, 0, 2000, 'any') ??
    checkText('url', url, 0, 256, 'printable') ??
    checkTypes(types) ??
    checkText('language', language, 1, 16, 'printable') ??
    checkTime('publishAt', publishAt, 0) ??
    (change === undefined ? null : checkAnnounced(state, change));
  if (wrong !== null) return refused(wrong);
  if (state.notices.size >= 1000) {
    return refused(valueInvalid('notices', state.notices.size, 'below 1000: remove one first'));
  }
  state.lastNotice += 1;
  state.notices.set(state.lastNotice, change ?? null);
  return { kind: 'added', id: state.lastNotice };
}

export function removeNotice(state: State, { notice }: RemoveNotice): Outcome {
  if (!state.notices.has(notice)) {
    return refused(valueInvalid('notice', notice, 'the number of a notice'));
  }
  state.notices.delete(notice);
  return accepted;
}

/** The change has been processed, whether or not the symbol's terms still allowed it. */
export function takeEffect(state: State, notice: number, change: NoticeChange): void {
  state.notices.set(notice, null);
  changeSymbol(state, commandOf(change));
}

const commandOf = ({ symbol, priceIncrement, quoteIncrement }: NoticeChange): ChangeSymbol => ({
  kind: 'change-symbol',
  symbol,
  ...(priceIncrement !== undefined && { priceIncrement }),
  ...(quoteIncrement !== undefined && { quoteIncrement }),
});

function checkAnnounced(state: State, change: NoticeChange): Rejection | null {
  if (change.priceIncrement === undefined && change.quoteIncrement === undefined) {
    return valueInvalid('change', 'nothing', 'priceIncrement, quoteIncrement or both');
  }
  return checkTime('at', change.at, state.time + 1) ?? checkChange(state, commandOf(change));
}

function checkTypes(types: readonly string[]): Rejection | null {
  if (types.length === 0 || types.length > 9) return valueInvalid('types', types.length, '1 to 9 words');
  for (const type of types) {
    const wrong = checkText('types', type, 1, 32, 'printable');
    if (wrong !== null) return wrong;
  }
  return null;
}

function checkTime(field: string, time: number, least: number): Rejection | null {
  if (Number.isInteger(time) && time >= least && time <= END) return null;
  return valueInvalid(field, time, `milliseconds from ${least} to ${END}`);
}
