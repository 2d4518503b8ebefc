/** The part after `->`: `open`, `done filled, deal 2`, `rejected min-funds min=10`, `cancelled A B`. */

import type { OrderOutcome, Outcome, Rejected } from '../../../src/commands/outcomes.ts';
import { rejectionFields, showField, showId, showRejection, type Units } from './show.ts';
import { remaining, type State } from './state.ts';
import { keyValue, splitWords, Words } from './text.ts';

export class Mismatch extends Error {
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(`expected ${expected}, actual ${actual}`);
    this.expected = expected;
    this.actual = actual;
  }
}

export function same(expected: string, actual: string): void {
  if (expected !== actual) throw new Mismatch(expected, actual);
}

/** Words of an order's numbers, in outcomes and in `order A ...` lines. */
const ORDER_WORDS: Record<string, keyof OrderOutcome> = {
  size: 'size',
  funds: 'funds',
  deal: 'dealSize',
  for: 'dealFunds',
  remaining: 'remaining',
  cancelled: 'cancelledSize',
  back: 'cancelledFunds',
};

export function checkOutcome(state: State, units: Units, outcome: Outcome, expected: string): void {
  const words = new Words(splitWords(expected));
  if (outcome.kind === 'orders' && expected !== '') {
    const parts = expected.split(' ; ');
    same(`${parts.length} outcomes`, `${outcome.outcomes.length} outcomes`);
    outcome.outcomes.forEach((entry, index) => checkOutcome(state, units, entry, parts[index]!));
    return;
  }
  switch (words.peek()) {
    case '':
      if (outcome.kind === 'rejected') throw new Mismatch('no rejection', showOutcome(state, units, outcome));
      return;
    case 'rejected':
      return checkRejected(state, units, outcome, words);
    case 'open':
    case 'done':
      if (outcome.kind !== 'order') throw new Mismatch(expected, showOutcome(state, units, outcome));
      return checkOrder(state, outcome, words, expected);
    case 'altered':
      words.next('word');
      if (outcome.kind !== 'altered') throw new Mismatch(expected, showOutcome(state, units, outcome));
      if (words.take('nothing'))
        return same('nothing', outcome.replacement === null ? 'nothing' : 'an order');
      if (outcome.replacement === null) throw new Mismatch(expected, 'altered nothing');
      return checkOrder(state, outcome.replacement, words, expected);
    default:
      return checkPlain(state, units, outcome, words, expected);
  }
}

function checkPlain(state: State, units: Units, outcome: Outcome, words: Words, expected: string): void {
  if (!['accepted', 'added', 'cancelled', 'deposit', 'switch'].includes(words.peek())) {
    throw new Error(`unknown word: ${words.peek()}`);
  }
  same(splitWords(expected).join(' '), showOutcome(state, units, outcome));
}

function checkRejected(state: State, units: Units, outcome: Outcome, words: Words): void {
  if (outcome.kind !== 'rejected')
    throw new Mismatch(words.rest().join(' '), showOutcome(state, units, outcome));
  words.expect('rejected');
  const code = words.next('code');
  const actual = showRejection(state, units, outcome.rejection);
  if (code !== outcome.rejection.code) throw new Mismatch(`rejected ${code}`, actual);
  const fields = rejectionFields(state, units, outcome.rejection);
  for (const word of words.rest()) {
    const [key, value] = keyValue(word);
    if (fields.get(key) !== value) throw new Mismatch(word, actual);
  }
}

function checkOrder(state: State, outcome: OrderOutcome, words: Words, expected: string): void {
  const units = { symbol: state.orders.get(outcome.order)!.received.symbol };
  const actual = showOrder(state, outcome);
  if (words.next('open or done') === 'open') {
    if (outcome.done !== '') throw new Mismatch(expected, actual);
  } else if (words.next('reason') !== outcome.done) throw new Mismatch(expected, actual);
  while (!words.ended) {
    const word = words.next('word');
    const field = ORDER_WORDS[word];
    if (field === undefined) throw new Error(`unknown word: ${word}`);
    const value = words.next(word);
    if (value !== showField(state, units, field, outcome[field])) throw new Mismatch(expected, actual);
  }
}

/**
 * An order's outcome must agree with its events, whatever the scenario expects. Not checked for a batch, where a later
 * entry may trade with an earlier one.
 */
export function checkAgainstEvents(state: State, outcome: Outcome): void {
  if (outcome.kind === 'altered' && outcome.replacement !== null)
    checkAgainstEvents(state, outcome.replacement);
  if (outcome.kind !== 'order') return;
  const order = state.orders.get(outcome.order);
  if (order === undefined) throw new Error(`outcome of order ${outcome.order}, which has no event`);
  const { received } = order;
  const seen: OrderOutcome = {
    kind: 'order',
    order: received.order,
    clientId: received.clientId,
    done: order.reason as '',
    size: received.size,
    funds: received.funds,
    dealSize: order.dealSize,
    dealFunds: order.dealFunds,
    remaining: remaining(order),
    cancelledSize: order.cancelledSize,
    cancelledFunds: order.cancelledFunds,
  };
  const text = (of: OrderOutcome): string => `${showOrder(state, of)} clientId '${of.clientId}'`;
  same(`by its events: ${text(seen)}`, `by its events: ${text(outcome)}`);
}

function showOrder(state: State, outcome: OrderOutcome): string {
  const units = { symbol: state.orders.get(outcome.order)?.received.symbol };
  const numbers = Object.entries(ORDER_WORDS).map(
    ([word, field]) => `${word} ${showField(state, units, field, outcome[field])}`,
  );
  return [outcome.done === '' ? 'open' : `done ${outcome.done}`, ...numbers].join(' ');
}

function showOutcome(state: State, units: Units, outcome: Outcome): string {
  switch (outcome.kind) {
    case 'rejected':
      return showRejection(state, units, outcome.rejection);
    case 'order':
      return showOrder(state, outcome);
    case 'orders':
      return outcome.outcomes.map((entry) => showOutcome(state, units, entry)).join(' ; ');
    case 'cancelled':
      return ['cancelled', ...outcome.orders.map((id) => showId(state, id))].join(' ');
    case 'altered':
      return `altered ${outcome.replacement === null ? 'nothing' : showOrder(state, outcome.replacement)}`;
    case 'deposit':
      return `deposit ${outcome.state}`;
    case 'switch':
      return `switch ${outcome.triggerAt === 0 ? 'off' : `${outcome.triggerAt - state.time}ms`}`;
    default:
      return outcome.kind;
  }
}

/** The ids that an outcome assigned, for the labels before the command. */
export function idsOf(outcome: Outcome | Rejected): (number | null)[] {
  switch (outcome.kind) {
    case 'order':
      return [outcome.order];
    case 'orders':
      return outcome.outcomes.map((entry) => (entry.kind === 'order' ? entry.order : null));
    case 'altered':
      return [outcome.replacement?.order ?? null];
    case 'added':
      return [outcome.id];
    case 'deposit':
      return [outcome.deposit];
    default:
      return [null];
  }
}
