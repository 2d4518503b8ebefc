/** Publishing and removing notices, scheduling and unscheduling changes, and applying both when they are due. */

import type {
  Administration,
  ChangeSymbol,
  NoticeChange,
  PublishNotice,
  RemoveNotice,
  ScheduleCall,
  ScheduledChange,
  UnscheduleCall,
} from '../commands/commands.ts';
import type { Outcome } from '../commands/outcomes.ts';
import { reject, type Rejection } from '../commands/rejections.ts';
import { withSortedFields } from '../operators/decide.ts';
import { type Notice, SCHEDULE_MAX, type ScheduleEntry } from './announcements.ts';
import type { State } from '../state.ts';
import { checkLength, checkPrintable, invalidValue, pick } from '../values/checks.ts';

const TITLE_LENGTH_MAX = 200;
const TEXT_LENGTH_MAX = 2000;
const URL_LENGTH_MAX = 256;
const TYPE_LENGTH_MAX = 32;
const TYPES_MAX = 9;
const LANGUAGE_LENGTH_MAX = 16;
const NOTICES_MAX = 1000;
/** 9999-12-31: later times are not valid dates everywhere. */
const TIME_MAX = 253_402_300_799_999;

const TERMS = ['priceIncrement', 'quoteIncrement'] as const;

export function publishNotice(state: State, command: PublishNotice): Rejection | number {
  const { title, text, url, types, language, publishAt, change } = command;
  const refused =
    checkLength('title', title, 1, TITLE_LENGTH_MAX) ??
    checkLength('text', text, 0, TEXT_LENGTH_MAX) ??
    checkPrintable('url', url, 0, URL_LENGTH_MAX) ??
    checkTypes(types) ??
    checkPrintable('language', language, 1, LANGUAGE_LENGTH_MAX) ??
    checkTime('publishAt', publishAt, 0) ??
    (change === undefined ? null : checkChange(state, change));
  if (refused) return refused;
  const { notices } = state;
  if (notices.count >= NOTICES_MAX) {
    return invalidValue('notices', notices.count, `below ${NOTICES_MAX}: remove one first`);
  }
  notices.last += 1;
  notices.set({
    notice: notices.last,
    title,
    text,
    url,
    types: [...types],
    language,
    publishAt,
    ...(change !== undefined && {
      change: { symbol: change.symbol, at: change.at, ...pick(change, TERMS), state: 'scheduled' },
    }),
  });
  return notices.last;
}

/** Also cancels its scheduled change. */
export function removeNotice(state: State, { notice }: RemoveNotice): Rejection | null {
  if (state.notices.get(notice) === null) return invalidValue('notice', notice, 'the number of a notice');
  state.notices.delete(notice);
  return null;
}

/** Applies the change that is due first. */
export function applyNoticeChange(state: State): void {
  const { notices, instruments, steps } = state;
  const notice = notices.get(notices.due.firstKey) as Notice & { readonly change: NoticeChange };
  const { change } = notice;
  const refused = instruments.change(commandOf(change));
  notices.set({ ...notice, change: { ...notice.change, state: refused ? 'refused' : 'done' } } as Notice);
  if (!refused) state.touch(change.symbol);
  steps.use(1);
}

const commandOf = (change: NoticeChange): ChangeSymbol => ({
  kind: 'change-symbol',
  symbol: change.symbol,
  ...pick(change, TERMS),
});

function checkChange(state: State, change: NoticeChange): Rejection | null {
  if (TERMS.every((name) => change[name] === undefined)) {
    return invalidValue('change', 'nothing', 'priceIncrement, quoteIncrement or both');
  }
  return checkTime('at', change.at, state.time + 1) ?? state.instruments.checkChange(commandOf(change));
}

function checkTypes(types: readonly string[]): Rejection | null {
  if (types.length === 0 || types.length > TYPES_MAX) {
    return invalidValue('types', types.length, `1 to ${TYPES_MAX} words`);
  }
  for (const type of types) {
    const refused = checkPrintable('types', type, 1, TYPE_LENGTH_MAX);
    if (refused) return refused;
  }
  return null;
}

function checkTime(field: string, time: number, min: number): Rejection | null {
  return Number.isInteger(time) && time >= min && time <= TIME_MAX
    ? null
    : invalidValue(field, time, `milliseconds from ${min} to ${TIME_MAX}`);
}

const CALL_LENGTH_MAX = 64;
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
  const change = withSortedFields(command) as ScheduledChange;
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
export function applyScheduledChange(
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
  steps.use(1);
}

function emit(state: State, entry: number, what: 'scheduled' | 'removed' | 'done' | 'refused'): void {
  state.events.rare({ kind: 'schedule-changed', entry, what });
}
