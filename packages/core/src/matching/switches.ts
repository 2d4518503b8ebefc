/** Effects of time on orders: expiry, and the dead man's switch. */

import type { SetSwitch } from '../commands/commands.ts';
import type { SwitchOutcome } from '../commands/outcomes.ts';
import type { Rejection } from '../commands/rejections.ts';
import { executeAudited } from '../administration.ts';
import { letNoticeTakeEffect } from '../reference/publish-notice.ts';
import { letScheduledHappen } from '../reference/schedule-call.ts';
import type { State } from '../state.ts';
import { invalidValue } from '../values/text.ts';
import { cancelAllOf } from './cancel.ts';
import { endCall } from './markets/auction.ts';
import { cancelResting, DONE } from './finish.ts';
import type { Switch } from './switch-table.ts';

const TIMEOUT_SEC_MIN = 5;
const TIMEOUT_SEC_MAX = 86_400;
const OFF = -1;

export function setSwitch(state: State, command: SetSwitch): SwitchOutcome | Rejection {
  const { user, timeoutSec } = command;
  const unknown = state.users.unknown(user);
  if (unknown) return unknown;
  const isTimeout =
    Number.isInteger(timeoutSec) && timeoutSec >= TIMEOUT_SEC_MIN && timeoutSec <= TIMEOUT_SEC_MAX;
  for (const symbol of command.symbols) {
    const refused = state.instruments.unknown(symbol);
    if (refused) return refused;
  }
  if (!isTimeout && timeoutSec !== OFF) {
    return invalidValue('timeoutSec', timeoutSec, `${OFF}, or ${TIMEOUT_SEC_MIN} to ${TIMEOUT_SEC_MAX}`);
  }
  const symbols = timeoutSec === OFF ? [] : [...new Set(command.symbols)].toSorted((a, b) => a - b);
  const triggerAt = timeoutSec === OFF ? 0 : state.time + timeoutSec * 1000;
  if (timeoutSec === OFF) state.switches.delete(user);
  else state.switches.set({ user, timeoutSec, triggerAt, symbols });
  state.events.rare({ kind: 'switch-set', user, timeoutSec, triggerAt, symbols });
  return { kind: 'switch', triggerAt };
}

/** When time alone changes something next. Auctions that would end while the exchange is paused wait for the end of it. */
export function nextDueOf(state: State): number {
  const { expiries, switches, notices, auctions, schedule, instruments } = state;
  const auction = instruments.isPaused ? Infinity : auctions.firstRank;
  return Math.min(
    expiries.firstRank,
    switches.due.firstRank,
    notices.due.firstRank,
    auction,
    schedule.due.firstRank,
  );
}

/**
 * Executes the next expiry, switch, announced change, end of an auction or scheduled change due at or before the given
 * time, in this order at the same instant; returns false if none is due or the record has no steps left.
 */
export function letNextDueHappen(state: State, until: number): boolean {
  const { due } = state.switches;
  const next = nextDueOf(state);
  if (next > until || !state.steps.areLeft) return false;
  if (state.expiries.firstRank === next) {
    cancelResting(state, state.orders.rowOf(state.expiries.firstKey), DONE.expired);
    state.steps.take(1);
  } else if (due.firstRank === next) fire(state, state.switches.get(due.firstKey) as Switch);
  else if (state.notices.due.firstRank === next) letNoticeTakeEffect(state);
  else if (!state.instruments.isPaused && state.auctions.firstRank === next) endCall(state);
  else letScheduledHappen(state, executeAudited);
  return true;
}

function fire(state: State, { user, symbols }: Switch): void {
  state.switches.delete(user);
  state.events.rare({ kind: 'switch-set', user, timeoutSec: OFF, triggerAt: 0, symbols: [] });
  const targets = symbols.length > 0 ? symbols : state.instruments.all.keys();
  const cancelled: number[] = [];
  for (const symbol of targets) cancelAllOf(state, user, symbol, DONE.switch, cancelled);
  state.steps.take(1 + cancelled.length);
}
