/**
 * T3: an order that meets more others than one record allows goes on in the next. What was cut short is resumed there,
 * and whoever would overtake it waits.
 */

import type { Command } from '../../packages/core/src/commands.ts';
import type { Outcome } from '../../packages/core/src/outcomes.ts';
import type { Cut, Cuttable } from './cut.ts';
import type { State } from './state.ts';

/** Runs it; what it comes to, or the outcome that says that it is not through. */
export function begin(state: State, user: number, run: Cuttable<Outcome>): Outcome {
  const { done, value } = run.next();
  if (done) return value;
  const { order, symbols } = value;
  state.unfinished.push({ run, user, symbols, ticket: order, isAwaited: true });
  return { kind: 'unfinished', order };
}

/** The same for something that nobody waits for. */
export function beginUnasked(state: State, user: number, run: Cuttable<unknown>): void {
  const { done, value } = run.next();
  if (done) return;
  const { order, symbols } = value as Cut;
  state.unfinished.push({ run, user, symbols, ticket: order, isAwaited: false });
}

/** The oldest first. */
export function resumeUnfinished(state: State, afterEach: () => void): void {
  for (const each of state.unfinished.slice()) {
    const { done, value } = each.run.next();
    if (done) {
      state.unfinished.splice(state.unfinished.indexOf(each), 1);
      if (each.isAwaited) state.finished.push({ ticket: each.ticket, outcome: value as Outcome });
    } else each.symbols = (value as Cut).symbols;
    afterEach();
  }
}

export function isBusy(state: State, symbol: number): boolean {
  return state.unfinished.some(({ symbols }) => symbols.includes(symbol));
}

/** Whether a command has to wait for what is unfinished. */
export function hasToWait(state: State, command: Command): boolean {
  const { user } = command as { readonly user?: number };
  if (state.unfinished.some((each) => each.user === user)) return true;
  return symbolsOf(state, command).some((symbol) => isBusy(state, symbol));
}

function symbolsOf(state: State, command: Command): number[] {
  if (command.kind === 'place-orders') return command.orders.map(({ symbol }) => symbol);
  if (command.kind === 'cancel-orders' && command.symbol === undefined) {
    return (state.users[command.user]?.orders ?? []).map(({ terms }) => terms.symbol);
  }
  const { symbol } = command as { readonly symbol?: number };
  return symbol === undefined ? [] : [symbol];
}
