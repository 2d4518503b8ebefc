/** T3: orders that the record before left unfinished go on, and what must not overtake them waits. */

import type { Command, OrderRequest, PlaceOrders } from '../commands.ts';
import type { OrderOutcome, Rejected } from '../outcomes.ts';
import type { State } from '../state.ts';
import { requestOf } from './order-request.ts';
import { continueOrder, place } from './place.ts';
import type { Unfinished } from './unfinished.ts';

type Outcomes = readonly (OrderOutcome | Rejected)[];

/** The latest order is unfinished, and it is all that its command asked for. */
export function leaveOrder(state: State): void {
  leave(state, state.unfinished.awaitLatest({ kind: 'order' }));
}

/** The order `cancelled` was replaced by the latest, which is unfinished. */
export function leaveAltered(state: State, cancelled: number): void {
  leave(state, state.unfinished.awaitLatest({ kind: 'altered', cancelled }));
}

function leave(state: State, order: number): void {
  state.outcomes.other({ kind: 'unfinished', order });
}

export function placeOrders(state: State, { user, orders }: PlaceOrders): void {
  const { outcomes } = state;
  const begin = outcomes.end;
  outcomes.group(orders.length);
  const first = outcomes.end;
  for (let i = 0; i < orders.length; i++) {
    if (place(state, user, orders[i])) continue;
    const rest = orders.slice(i + 1).map(requestOf);
    const soFar = outcomes.takeBack(first) as Outcomes;
    outcomes.takeBack(begin);
    leave(state, state.unfinished.awaitLatest({ kind: 'orders', outcomes: soFar, rest }));
    return;
  }
}

/** One after the other, the oldest first, as far as the record allows. */
export function carryOn(state: State, afterEach: () => void): void {
  for (const entry of state.unfinished.list.slice()) {
    continueCommand(state, entry);
    afterEach();
  }
}

function continueCommand(state: State, entry: Unfinished): void {
  const { current, answer, ticket } = entry;
  const { outcomes, unfinished } = state;
  const begin = outcomes.end;
  if (!continueOrder(state, current, answer !== null)) return;
  const [outcome] = outcomes.takeBack(begin);
  if (answer?.kind !== 'orders') {
    unfinished.remove(entry);
    if (answer === null) return;
    const replacement = outcome as OrderOutcome;
    state.finished.push({
      ticket,
      outcome:
        answer.kind === 'order' ? outcome : { kind: 'altered', cancelled: answer.cancelled, replacement },
    });
    return;
  }
  const all = continueBatch(state, entry, [...answer.outcomes, outcome as OrderOutcome], answer.rest);
  if (all === null) return;
  unfinished.remove(entry);
  state.finished.push({ ticket, outcome: { kind: 'orders', outcomes: all } });
}

/** The outcomes of the whole batch; null when one of the rest is unfinished in its turn. */
function continueBatch(
  state: State,
  entry: Unfinished,
  outcomes: Outcomes,
  rest: readonly OrderRequest[],
): Outcomes | null {
  const all = [...outcomes];
  for (const [i, request] of rest.entries()) {
    const begin = state.outcomes.end;
    if (!place(state, entry.current.user, request)) {
      state.unfinished.moveLatest(entry, { kind: 'orders', outcomes: all, rest: rest.slice(i + 1) });
      return null;
    }
    all.push(...(state.outcomes.takeBack(begin) as Outcomes));
  }
  return all;
}

/** Whether the command would overtake an unfinished order: it is of its user, or about its symbol. */
export function mustWait(state: State, command: Command): boolean {
  const { unfinished } = state;
  if (unfinished.count === 0) return false;
  const { user, symbol } = command as { readonly user?: number; readonly symbol?: number };
  if (user !== undefined && unfinished.isOf(user)) return true;
  if (command.kind === 'place-orders') return command.orders.some((order) => unfinished.isBusy(order.symbol));
  if (command.kind === 'cancel-orders' && symbol === undefined)
    return unfinished.symbols.some(
      (busy) => state.traders.firstOrder(state.traders.find(command.user, busy)) >= 0,
    );
  return symbol !== undefined && unfinished.isBusy(symbol);
}
