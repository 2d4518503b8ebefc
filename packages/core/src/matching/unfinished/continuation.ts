/** T3: continues orders that the previous record left unfinished, and defers commands that must not overtake them. */

import type { Command, OrderRequest, PlaceOrders, Transfer } from '../../commands/commands.ts';
import type { OrderOutcome, Rejected } from '../../commands/outcomes.ts';
import type { State } from '../../state.ts';
import { requestOf } from '../check.ts';
import { continueOrder, place } from '../place.ts';
import { continueUncross } from '../auction.ts';
import { continueClearing } from '../cancel-for-others.ts';
import { isMarket, type Unfinished } from './unfinished.ts';

type Entry = OrderOutcome | Rejected;
type Outcomes = readonly Entry[];

/** The latest order is unfinished, and it is the only order of its command. */
export function deferOrder(state: State): void {
  defer(state, state.unfinished.awaitLatest({ kind: 'order' }));
}

/** The order `cancelled` was replaced by the latest, which is unfinished. */
export function deferAltered(state: State, cancelled: number): void {
  defer(state, state.unfinished.awaitLatest({ kind: 'altered', cancelled }));
}

function defer(state: State, order: number): void {
  state.outcomes.other({ kind: 'unfinished', order });
}

export function placeOrders(state: State, { user, orders }: PlaceOrders): void {
  const { outcomes } = state;
  const begin = outcomes.end;
  // Otherwise ordinary batches would be split whenever many arrive together.
  state.steps.ensureMeetings(orders.length);
  outcomes.group(orders.length);
  const first = outcomes.end;
  for (let i = 0; i < orders.length; i++) {
    if (place(state, user, orders[i])) continue;
    const rest = orders.slice(i + 1).map(requestOf);
    const soFar = (outcomes.takeBack(first) as Outcomes).map((each) => dated(state, each, state.time));
    outcomes.drop(begin);
    defer(state, state.unfinished.awaitLatest({ kind: 'orders', outcomes: soFar, rest }));
    return;
  }
}

/** The outcome is in a later record than the order, so it carries the order's time, which is part of its public id. */
function dated(state: State, outcome: Entry, createdAt: number): Entry {
  if (outcome.kind !== 'order') return outcome;
  return { ...outcome, createdAt, matchedAt: state.time };
}

/**
 * Continues them oldest first, as far as the record allows. They share its matches equally, and the commands
 * of the record get a share too: otherwise an order in another symbol would wait until all of these are complete.
 */
export function continueUnfinished(state: State, hasCommands: boolean, afterEach: () => void): void {
  const { steps } = state;
  const entries = state.unfinished.list.slice();
  for (const [i, entry] of entries.entries()) {
    const sharers = entries.length - i + (hasCommands ? 1 : 0);
    const kept = steps.reserveMeetings(sharers);
    if (!isMarket(entry)) continueCommand(state, entry);
    else if (entry.task === 'uncross') continueUncross(state, entry);
    else continueClearing(state, entry);
    afterEach();
    steps.meetingsLeft += kept;
  }
}

function continueCommand(state: State, entry: Unfinished): void {
  const { current, answer, ticket } = entry;
  const { orders, outcomes, unfinished } = state;
  const begin = outcomes.end;
  const createdAt = orders.createdAt(orders.rowOf(current.order));
  if (!continueOrder(state, current, answer !== null)) return;
  const [written] = outcomes.takeBack(begin);
  if (answer === null) {
    unfinished.remove(entry);
    return;
  }
  const outcome = dated(state, written as Entry, createdAt);
  if (answer.kind !== 'orders') {
    unfinished.remove(entry);
    const replacement = outcome as OrderOutcome;
    state.finished.push({
      ticket,
      outcome:
        answer.kind === 'order' ? outcome : { kind: 'altered', cancelled: answer.cancelled, replacement },
    });
    return;
  }
  const all = continueBatch(state, entry, [...answer.outcomes, outcome], answer.rest);
  if (all === null) return;
  unfinished.remove(entry);
  state.finished.push({ ticket, outcome: { kind: 'orders', outcomes: all } });
}

/** The outcomes of the whole batch; null if another of its orders is unfinished. */
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
    const [outcome] = state.outcomes.takeBack(begin) as Outcomes;
    all.push(dated(state, outcome, state.time));
  }
  return all;
}

/** A master also moves the money of its sub-accounts. */
function movesMoneyOfBusy({ unfinished }: State, { fromUser, toUser }: Transfer): boolean {
  return [fromUser, toUser].some((user) => user !== undefined && unfinished.isOf(user));
}

const ALONE: ReadonlySet<Command['kind']> = new Set([
  'freeze-person',
  'close-user',
  'reverse-movement',
  'move-money',
  'pause-exchange',
]);

/** Whether the command would overtake an unfinished order: it is of its user, or about its symbol. */
export function mustWait(state: State, command: Command): boolean {
  const { unfinished } = state;
  if (unfinished.count === 0) return false;
  if (command.kind === 'approve-proposal') {
    const proposed = state.proposals.get(command.proposal);
    return proposed !== null && mustWait(state, proposed.command);
  }
  // They are about several users or all symbols. A pause stops all symbols between two records.
  if (ALONE.has(command.kind)) return true;
  const { user, symbol } = command as { readonly user?: number; readonly symbol?: number };
  if (user !== undefined && unfinished.isOf(user)) return true;
  if (command.kind === 'transfer') return movesMoneyOfBusy(state, command);
  if (command.kind === 'place-orders') return command.orders.some((order) => unfinished.isBusy(order.symbol));
  const isForOthers = command.kind === 'cancel-for-others';
  if ((command.kind === 'cancel-orders' || isForOthers) && user !== undefined && symbol === undefined)
    return unfinished.symbols.some(
      (busy) =>
        state.traders.firstOrder(state.traders.find(user, busy)) >= 0 ||
        (isForOthers && state.stops.count(user, busy) > 0),
    );
  return symbol !== undefined && unfinished.isBusy(symbol);
}
