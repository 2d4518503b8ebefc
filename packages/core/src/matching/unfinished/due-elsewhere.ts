/**
 * T3: work that is due while an order is unfinished. Work for the same symbol or user stays due, because it would overtake
 * the order. Everything else is executed: otherwise one user's large order would keep all other orders in the book after they
 * should have expired.
 */

import type { State } from '../../state.ts';
import type { DueHeap } from '../../tables/due-heap.ts';
import type { ScheduleEntry } from '../../reference/schedule.ts';
import type { Switch } from '../switch-table.ts';
import { mustWait } from './carry-on.ts';
import { letNextDueHappen, nextDueOf } from '../switches.ts';

export function letDueElsewhereHappen(state: State, afterEach: () => void): void {
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
      steps.take(1);
    } else {
      letNextDueHappen(state, time);
      afterEach();
    }
  }
  for (const put of putBack) put();
}

type Overtakes = (state: State, key: number) => boolean;

/** In the order of `letNextDueHappen`. */
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
