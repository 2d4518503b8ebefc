/**
 * T3: an order that matches more orders than one record allows continues in the next. Interrupted work is resumed there,
 * and commands that would overtake it wait.
 */

import type { Command } from '../../packages/core/src/commands/commands.ts';
import type { OrderOutcome, Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Cut, Cuttable, State } from './state.ts';

/** Runs it; returns its outcome, or `unfinished`. */
export function begin(state: State, user: number, run: Cuttable<Outcome>): Outcome {
  const { done, value } = run.next();
  if (done) return withoutTimes(value);
  const { order, symbols } = value;
  state.unfinished.push({ run, user, symbols, ticket: order, isAwaited: true });
  return { kind: 'unfinished', order };
}

/** Only interrupted orders carry times; otherwise the record's time applies. */
function withoutTimes(outcome: Outcome): Outcome {
  if (outcome.kind === 'orders') {
    return { ...outcome, outcomes: outcome.outcomes.map((each) => withoutTimes(each) as OrderOutcome) };
  }
  if (outcome.kind === 'altered' && outcome.replacement !== null) {
    return { ...outcome, replacement: withoutTimes(outcome.replacement) as OrderOutcome };
  }
  if (outcome.kind !== 'order') return outcome;
  const { createdAt: _, matchedAt: __, ...rest } = outcome;
  return rest;
}

/** The same without a caller. */
export function beginUnasked(state: State, user: number, run: Cuttable<unknown>): void {
  const { done, value } = run.next();
  if (done) return;
  const { order, symbols } = value as Cut;
  state.unfinished.push({ run, user, symbols, ticket: order, isAwaited: false });
}

/** Oldest first. Each gets an equal share of the meetings, and so do the record's commands together. */
export function resumeUnfinished(state: State, hasCommands: boolean, afterEach: () => void): void {
  let sharers = state.unfinished.length + (hasCommands ? 1 : 0);
  for (const each of state.unfinished.slice()) {
    const all = state.meetingsLeft;
    state.meetingsLeft = Math.ceil(all / sharers);
    const others = all - state.meetingsLeft;
    sharers -= 1;
    const { done, value } = each.run.next();
    if (done) {
      state.unfinished.splice(state.unfinished.indexOf(each), 1);
      if (each.isAwaited) state.finished.push({ ticket: each.ticket, outcome: value as Outcome });
    } else each.symbols = (value as Cut).symbols;
    afterEach();
    state.meetingsLeft += others;
  }
}

export function isBusy(state: State, symbol: number): boolean {
  return state.unfinished.some(({ symbols }) => symbols.includes(symbol));
}

export function isUserBusy(state: State, user: number): boolean {
  return state.unfinished.some((each) => each.user === user);
}

/** These concern several users or symbols. */
const ALONE: readonly string[] = ['pause-exchange', 'close-user', 'reverse-movement', 'move-money'];

/** Whether a command has to wait for an unfinished order. */
export function hasToWait(state: State, command: Command): boolean {
  if (ALONE.includes(command.kind)) return state.unfinished.length > 0;
  if (usersOf(command).some((user) => isUserBusy(state, user))) return true;
  return symbolsOf(state, command).some((symbol) => isBusy(state, symbol));
}

/** The users that it affects: a transfer also moves other users' money. */
function usersOf(command: Command): number[] {
  const { user } = command as { readonly user?: number };
  const others = command.kind === 'transfer' ? [command.fromUser, command.toUser] : [];
  return [user, ...others].filter((each) => each !== undefined);
}

function symbolsOf(state: State, command: Command): number[] {
  if (command.kind === 'place-orders') return command.orders.map(({ symbol }) => symbol);
  if (command.kind === 'cancel-orders' && command.symbol === undefined) {
    return (state.users[command.user]?.orders ?? []).map(({ terms }) => terms.symbol);
  }
  if (command.kind === 'cancel-for-others' && command.symbol === undefined) {
    const orders = (state.users[command.user!]?.orders ?? []).map(({ terms }) => terms.symbol);
    const stops = state.instruments.filter((each) => each.stops.some(({ user }) => user === command.user));
    return [...orders, ...stops.map((each) => each.symbol)];
  }
  const { symbol } = command as { readonly symbol?: number };
  return symbol === undefined ? [] : [symbol];
}
