/** Effects of time on orders: expiry, and the dead man's switch. */

import type { SetSwitch } from '../commands/commands.ts';
import type { SwitchOutcome } from '../commands/outcomes.ts';
import type { Rejection } from '../commands/rejections.ts';
import { executeAudited } from '../administration.ts';
import { applyNoticeChange, applyScheduledChange } from '../reference/announce.ts';
import type { State } from '../state.ts';
import { invalidValue } from '../values/checks.ts';
import { cancelAllOf } from './cancel.ts';
import { endCall } from './auction.ts';
import { cancelResting, DONE } from './finish.ts';
import type { Switch } from './stops/stop-table.ts';
import type { DueHeap } from '../tables/ordered.ts';
import type { ScheduleEntry } from '../reference/announcements.ts';
import { mustWait } from './unfinished/continuation.ts';

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
export function executeNextDue(state: State, until: number): boolean {
  const { due } = state.switches;
  const next = nextDueOf(state);
  if (next > until || !state.steps.areLeft) return false;
  if (state.expiries.firstRank === next) {
    cancelResting(state, state.orders.rowOf(state.expiries.firstKey), DONE.expired);
    state.steps.use(1);
  } else if (due.firstRank === next) fire(state, state.switches.get(due.firstKey) as Switch);
  else if (state.notices.due.firstRank === next) applyNoticeChange(state);
  else if (!state.instruments.isPaused && state.auctions.firstRank === next) endCall(state);
  else applyScheduledChange(state, executeAudited);
  return true;
}

function fire(state: State, { user, symbols }: Switch): void {
  state.switches.delete(user);
  state.events.rare({ kind: 'switch-set', user, timeoutSec: OFF, triggerAt: 0, symbols: [] });
  const targets = symbols.length > 0 ? symbols : state.instruments.all.keys();
  const cancelled: number[] = [];
  for (const symbol of targets) cancelAllOf(state, user, symbol, DONE.switch, cancelled);
  state.steps.use(1 + cancelled.length);
}

/**
 * T3: work that is due while an order is unfinished. Work for the same symbol or user stays due, because it would overtake
 * the order. Everything else is executed: otherwise one user's large order would keep all other orders in the book after they
 * should have expired.
 */
export function executeDueElsewhere(state: State, afterEach: () => void): void {
  const { steps, time } = state;
  const putBack: (() => void)[] = [];
  for (;;) {
    const next = nextDueOf(state);
    if (next > time || !steps.areLeft) break;
    const [heap, overtakes] = nextOf(state, next);
    const { firstKey, firstRank } = heap;
    if (overtakes(state, firstKey)) {
      // Removed until the end, to reach the next due entry. It costs a step, which bounds how many a record visits.
      heap.delete(firstKey);
      putBack.push(() => {
        // An uncross or a delisting behind it may have ended the order whose expiry it is.
        if (heap !== state.expiries || state.orders.rowOf(firstKey) >= 0) heap.set(firstKey, firstRank);
      });
      steps.use(1);
    } else {
      executeNextDue(state, time);
      afterEach();
    }
  }
  for (const put of putBack) put();
}

type Overtakes = (state: State, key: number) => boolean;

/** In the order of `executeNextDue`. */
function nextOf(
  { expiries, switches, notices, auctions, schedule, instruments }: State,
  rank: number,
): [DueHeap, Overtakes] {
  if (expiries.firstRank === rank) return [expiries, expiryOvertakes];
  if (switches.due.firstRank === rank) return [switches.due, switchOvertakes];
  if (notices.due.firstRank === rank) {
    return [notices.due, ({ unfinished }, key) => unfinished.isBusy(notices.get(key)?.change?.symbol ?? -1)];
  }
  return !instruments.isPaused && auctions.firstRank === rank
    ? [auctions, ({ unfinished }, symbol) => unfinished.isBusy(symbol)]
    : [schedule.due, (state, key) => mustWait(state, (schedule.get(key) as ScheduleEntry).command)];
}

function expiryOvertakes({ orders, unfinished }: State, order: number): boolean {
  const row = orders.rowOf(order);
  return unfinished.isBusy(orders.symbol(row)) || unfinished.isOf(orders.user(row));
}

/** A switch is never split: it waits where one of the orders that it cancels would have to. */
function switchOvertakes({ switches, traders, unfinished }: State, user: number): boolean {
  if (unfinished.isOf(user)) return true;
  const { symbols } = switches.get(user) as Switch;
  return unfinished.symbols.some(
    (busy) =>
      (symbols.length === 0 || symbols.includes(busy)) && traders.firstOrder(traders.find(user, busy)) >= 0,
  );
}
