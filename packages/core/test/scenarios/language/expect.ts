/** Lines that expect something: the book, money, an order, trades and events of the last command. */

import type { Side } from '../../../src/commands/commands.ts';
import type { Event, Trade } from '../../../src/events/events.ts';
import { findCurrency, findId, findSymbol, findUser } from './orders.ts';
import { Mismatch, same } from './outcome.ts';
import { showEvent, showField, showId, showMoney, showPrice, showSize, showUser } from './show.ts';
import { type OrderState, remaining, type State } from './state.ts';
import { keyValue, Words } from './text.ts';

/** The events of the last record; once some are listed, all have to be. */
export class Seen {
  #listed = 0;
  #tradesListed = 0;
  readonly events: readonly Event[];
  readonly #trades: readonly Trade[];

  constructor(events: readonly Event[]) {
    this.events = events;
    this.#trades = events.filter((event) => event.kind === 'trade');
  }

  event(state: State, expected: string): void {
    if (expected === 'none') return same('no event', this.#show(state, this.events[0], 'no event'));
    same(expected, this.#show(state, this.events[this.#listed++], 'no more events'));
  }

  trade(): Trade {
    const trade = this.#trades[this.#tradesListed++];
    if (trade === undefined) throw new Mismatch('a trade', 'no more trades');
    return trade;
  }

  noTrade(): void {
    same('0 trades', `${this.#trades.length} trades`);
  }

  /** Called before the next command, and at the end. */
  finish(state: State): void {
    const next = this.events[this.#listed];
    if (this.#listed > 0 && next !== undefined) throw new Mismatch('no more events', showEvent(state, next));
    const trade = this.#trades[this.#tradesListed];
    if (this.#tradesListed > 0 && trade !== undefined) {
      throw new Mismatch('no more trades', showEvent(state, trade));
    }
  }

  #show(state: State, event: Event | undefined, none: string): string {
    return event === undefined ? none : showEvent(state, event);
  }
}

/** False if the line is not an expectation. */
export function checkExpectation(words: Words, state: State, seen: Seen): boolean {
  const first = words.peek();
  const check = CHECKS[first];
  if (check !== undefined) {
    words.next('word');
    check(words, state, seen);
  } else if (state.users.includes(first) && isBalance(words, state)) {
    const user = findUser(state, words.next('user'));
    checkBalances(words, state, user, words.take('main') ? 'main' : 'trade');
  } else return false;
  words.end();
  return true;
}

function isBalance(words: Words, state: State): boolean {
  const second = words.after(words.peek());
  return second === 'main' || state.currencies.some((currency) => currency.code === second);
}

const CHECKS: Record<string, (words: Words, state: State, seen: Seen) => void> = {
  '*': (words, state, seen) => seen.event(state, words.rest().join(' ')),
  book: checkBook,
  order: checkOrder,
  trade: (words, state, seen) => checkTrade(words, state, seen.trade()),
  no: (words, _state, seen) => {
    words.expect('trade');
    seen.noTrade();
  },
  system: (words, state) => {
    const account = words.next('account');
    const currency = findCurrency(state, words.next('currency'));
    const actual = showMoney(state, currency, state.balance(-1, account, currency).available);
    same(words.next('amount'), actual);
  },
  /** Consecutive ids. */
  ids: (words, state) => {
    const ids = words.rest().map((label) => findId(state, label));
    ids.forEach((id, index) => same(String(ids[0]! + index), String(id)));
  },
  shows: checkShown,
};

/** `BTC 95 + 3 held`, one or more. */
function checkBalances(words: Words, state: State, user: number, account: string): void {
  while (!words.ended) {
    const code = words.next('currency');
    const currency = findCurrency(state, code);
    const balance = state.balance(user, account, currency);
    const expected = [words.next('available'), words.next('+'), words.next('held'), words.next('held')];
    const actual = [
      showMoney(state, currency, balance.available),
      '+',
      showMoney(state, currency, balance.hold),
    ];
    same([code, ...expected].join(' '), [code, ...actual, 'held'].join(' '));
  }
}

/** `book ask 100: 3` is one level, `book asks 100: 3, 101: 5` or `book asks none` the whole side. */
function checkBook(words: Words, state: State): void {
  const word = words.next('bid, ask, bids or asks');
  const side: Side | undefined = ({ bid: 'buy', bids: 'buy', ask: 'sell', asks: 'sell' } as const)[word];
  if (side === undefined) throw new Error(`unknown word: ${word}`);
  const symbol = words.take('in') ? findSymbol(state, words.next('symbol')) : 0;
  const levels = state.depth(symbol, side).map(({ price, size }) => {
    return { price: showPrice(state, symbol, price), size: showSize(state, symbol, size) };
  });
  if (word.endsWith('s')) {
    const actual = levels.map(({ price, size }) => `${price}: ${size}`).join(' ');
    same(words.rest().join(' '), actual === '' ? 'none' : actual);
    return;
  }
  const price = words.next('price').replace(/:$/, '');
  same(words.next('size'), levels.find((level) => level.price === price)?.size ?? '0');
}

function checkOrder(words: Words, state: State): void {
  const label = words.next('order');
  const order = state.orders.get(findId(state, label));
  if (order === undefined) throw new Mismatch('an order', `no order ${label}`);
  const expected = words.next('open or done');
  same(expected === 'open' ? 'open' : words.next('reason'), order.state === 'open' ? 'open' : order.reason);
  while (!words.ended) {
    const word = words.next('word');
    same(`${word} ${words.next(word)}`, `${word} ${orderNumber(state, order, word)}`);
  }
}

function orderNumber(state: State, order: OrderState, word: string): string {
  const { symbol } = order.received;
  const { base, quote, sizeDecimals } = state.symbols[symbol]!;
  switch (word) {
    case 'deal':
      return showSize(state, symbol, order.dealSize);
    case 'for':
      return showMoney(state, quote, order.dealFunds);
    case 'remaining':
      return showSize(state, symbol, remaining(order));
    case 'cancelled':
      return showSize(state, symbol, order.cancelledSize);
    case 'back':
      return showMoney(state, quote, order.cancelledFunds);
    case 'fee':
      return showMoney(state, quote, order.fee);
    case 'holds':
      return order.received.side === 'buy'
        ? showMoney(state, quote, order.held)
        : showSize(
            state,
            symbol,
            Number(order.held / 10n ** BigInt(state.currencies[base]!.scale - sizeDecimals)),
          );
    default:
      throw new Error(`unknown word: ${word}`);
  }
}

/** `trade 2 @ 100 buy with A, fees 0.4/0.2, rates taker/maker, liquidity taker/maker`, the incoming first. */
function checkTrade(words: Words, state: State, trade: Trade): void {
  const { incoming, resting, symbol } = trade;
  const quote = state.symbols[symbol]!.quote;
  same(
    [words.next('size'), words.next('@'), words.next('price'), words.next('side')].join(' '),
    `${showSize(state, symbol, trade.size)} @ ${showPrice(state, symbol, trade.price)} ${trade.side}`,
  );
  const values: Record<string, () => string> = {
    with: () => showId(state, resting.order),
    by: () => showUser(state, incoming.user),
    fees: () => [incoming, resting].map((fill) => showMoney(state, quote, fill.fee)).join('/'),
    rates: () => `${incoming.rate}/${resting.rate}`,
    liquidity: () => `${incoming.liquidity}/${resting.liquidity}`,
  };
  while (!words.ended) {
    const word = words.next('word');
    const value = values[word];
    if (value === undefined) throw new Error(`unknown word: ${word}`);
    same(`${word} ${words.next(word)}`, `${word} ${value()}`);
  }
}

/** `shows order A stp=CN`, `shows symbol BTC-USDT state=open`, `shows limits stopOrdersPerSymbolMax=20`. */
function checkShown(words: Words, state: State): void {
  const what = words.next('thing');
  const fields = shownEvent(what, words, state) as unknown as Record<string, unknown>;
  const units = {
    symbol: ['order', 'stop', 'oco'].includes(what) ? (fields['symbol'] as number) : undefined,
    currency: fields['currency'] as number | undefined,
  };
  for (const word of words.rest()) {
    const [key, value] = keyValue(word);
    if (!(key in fields)) throw new Error(`unknown field: ${key}`);
    same(`${key}=${value}`, `${key}=${showField(state, units, key, fields[key])}`);
  }
}

function shownEvent(what: string, words: Words, state: State): Event {
  if (what === 'order') {
    const order = state.orders.get(findId(state, words.next('order')));
    if (order === undefined) throw new Error('no such order');
    return order.received;
  }
  const name = what === 'limits' ? '' : words.next('name');
  const numbered: Record<string, (name: string) => number> = {
    symbol: (code) => findSymbol(state, code),
    currency: (code) => findCurrency(state, code),
    user: (code) => findUser(state, code),
    standing: (code) => findUser(state, code),
  };
  const key =
    what === 'limits' || what === 'key'
      ? name
      : String((numbered[what] ?? ((label) => findId(state, label)))(name));
  const event = state.latest.get(`${what} ${key}`.trimEnd());
  if (event === undefined) throw new Mismatch(`${what} ${name}`, 'no such thing');
  return event;
}
