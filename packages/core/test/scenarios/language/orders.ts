/** The words of orders: `buy 5 @ 100 IOC stp=CN`, `sell 2 market`, `buy for 500 market`, `cancel A`. */

import type { Command, OrderRequest } from '../../../src/commands/commands.ts';
import type { Units } from './show.ts';
import { isDecimal, toNumber, toUnits } from './numbers.ts';
import type { State } from './state.ts';
import { keyValue, splitWords, Words } from './text.ts';

export interface Built {
  readonly command: Command;
  /** The units of the numbers in its rejection. */
  readonly units: Units;
}

const DEFAULT_SYMBOL = 'BTC-USDT';

/** A name that exists, or `#7` for the raw number. */
function lookUp(known: readonly string[], name: string, what: string): number {
  if (/^#-?\d+$/.test(name)) return Number(name.slice(1));
  const index = known.indexOf(name);
  if (index < 0) throw new Error(`unknown ${what}: ${name}`);
  return index;
}

export function findUser(state: State, name: string): number {
  return lookUp(state.users, name, 'user');
}

export function findSymbol(state: State, code = DEFAULT_SYMBOL): number {
  return lookUp(
    state.symbols.map((symbol) => symbol.code),
    code,
    'symbol',
  );
}

export function findCurrency(state: State, code: string): number {
  return lookUp(
    state.currencies.map((currency) => currency.code),
    code,
    'currency',
  );
}

export function findId(state: State, label: string): number {
  if (/^#\d+$/.test(label)) return Number(label.slice(1));
  const id = state.labels.get(label);
  if (id === undefined) throw new Error(`unknown label: ${label}`);
  return id;
}

const FLAGS = ['postOnly', 'hidden', 'iceberg'];

/** Keys that set a field unchecked, even to an invalid value. */
const FIELDS: Record<string, 'price' | 'size' | 'money' | 'number' | 'text'> = {
  price: 'price',
  size: 'size',
  visible: 'size',
  funds: 'money',
  after: 'number',
  stp: 'text',
  id: 'text',
  tags: 'text',
  remark: 'text',
  side: 'text',
  type: 'text',
  tif: 'text',
};
const FIELD_NAMES: Record<string, string> = {
  visible: 'visibleSize',
  after: 'cancelAfterSec',
  id: 'clientId',
  tif: 'timeInForce',
};

export function buildOrder(words: Words, state: State): OrderRequest {
  const symbol = findSymbol(state, words.after('in'));
  const known = state.symbols[symbol] ?? state.symbols[0]!;
  const convert = {
    price: (text: string) => toNumber(text, known.priceDecimals),
    size: (text: string) => toNumber(text, known.sizeDecimals),
    money: (text: string) => toUnits(text, state.currencies[known.quote]!.scale),
    number: Number,
    text: (text: string) => text,
  };
  const order: Record<string, unknown> = { symbol, type: 'limit', side: words.next('side') };
  if (order['side'] !== 'buy' && order['side'] !== 'sell') throw new Error(`unknown word: ${order['side']}`);
  while (!words.ended) {
    const word = words.next('word');
    const [key, value] = keyValue(word);
    const field = FIELDS[key];
    if (isDecimal(word)) order['size'] = convert.size(word);
    else if (word === '@') order['price'] = convert.price(words.next('price'));
    else if (word === 'for') order['funds'] = convert.money(words.next('funds'));
    else if (word === 'market' || word === 'limit') order['type'] = word;
    else if (['GTC', 'GTT', 'IOC', 'FOK'].includes(word)) order['timeInForce'] = word;
    else if (word === 'in') words.next('symbol');
    else if (FLAGS.includes(key)) order[key] = value === 'true';
    else if (field !== undefined) order[FIELD_NAMES[key] ?? key] = convert[field](value);
    else throw new Error(`unknown word: ${word}`);
  }
  return order as unknown as OrderRequest;
}

/** `A`, `#17`, `id=mine`, both or `nothing`, then `in SYMBOL`; the keys of the rest are for the caller. */
function buildName(words: Words, state: State): { symbol: number; order?: number; clientId?: string } {
  const name: { symbol: number; order?: number; clientId?: string } = { symbol: 0 };
  if (!words.take('nothing')) {
    if (!words.peek().startsWith('id=')) name.order = findId(state, words.next('order'));
    if (words.peek().startsWith('id=')) name.clientId = keyValue(words.next('id'))[1];
  }
  const known = name.order === undefined ? undefined : state.orders.get(name.order);
  name.symbol = known?.received.symbol ?? 0;
  if (words.take('in')) name.symbol = findSymbol(state, words.next('symbol'));
  return name;
}

export function buildOrderCommand(user: number, verb: string, words: Words, state: State): Built | null {
  switch (verb) {
    case 'batch': {
      const parts = words.rest().join(' ').split(' ; ');
      const orders = parts.map((part) => buildOrder(new Words(splitWords(part)), state));
      return { command: { kind: 'place-orders', user, orders }, units: { symbol: orders[0]?.symbol } };
    }
    case 'test': {
      const order = buildOrder(words, state);
      return { command: { kind: 'test-order', user, ...order }, units: order };
    }
    case 'stop': {
      const stop = words.next('loss or entry') as 'loss' | 'entry';
      const at = words.next('stop price');
      const order = buildOrder(words, state);
      const stopPrice = toNumber(at, (state.symbols[order.symbol] ?? state.symbols[0]!).priceDecimals);
      return { command: { kind: 'place-stop-order', user, stop, stopPrice, ...order }, units: order };
    }
    case 'oco': {
      const [at = '', then = ''] = words.next('stop price/limit price').split('/');
      const { symbol, side, price = 0, size = 0, clientId, tags, remark } = buildOrder(words, state);
      const { priceDecimals } = state.symbols[symbol] ?? state.symbols[0]!;
      const command = {
        kind: 'place-oco-order',
        user,
        symbol,
        side,
        price,
        size,
        stopPrice: toNumber(at, priceDecimals),
        limitPrice: toNumber(then, priceDecimals),
        ...(clientId === undefined ? {} : { clientId }),
        ...(tags === undefined ? {} : { tags }),
        ...(remark === undefined ? {} : { remark }),
      } as const;
      return { command, units: { symbol } };
    }
    case 'cancel':
      if (words.take('all')) {
        const symbol = words.take('in') ? findSymbol(state, words.next('symbol')) : undefined;
        const command = { kind: 'cancel-orders', user, ...(symbol === undefined ? {} : { symbol }) } as const;
        return { command, units: { symbol } };
      }
      return named('cancel-order', {});
    case 'cancel-stop':
      return named('cancel-stop-order', {});
    case 'cancel-oco':
      return named('cancel-oco-order', {});
    case 'reduce': {
      const name = buildName(words, state);
      words.expect('by');
      const size = toNumber(words.next('size'), state.symbols[name.symbol]!.sizeDecimals);
      return { command: { kind: 'reduce-order', user, ...name, size }, units: name };
    }
    case 'alter': {
      const name = buildName(words, state);
      const symbol = state.symbols[name.symbol] ?? state.symbols[0]!;
      const pairs = words.pairs(['price', 'size']);
      const [price, size] = [pairs.get('price'), pairs.get('size')];
      const changes = {
        ...(price === undefined ? {} : { newPrice: toNumber(price, symbol.priceDecimals) }),
        ...(size === undefined ? {} : { newSize: toNumber(size, symbol.sizeDecimals) }),
      };
      return { command: { kind: 'alter-order', user, ...name, ...changes }, units: name };
    }
    case 'switch': {
      const timeout = words.next('seconds or off');
      const symbols = words.take('in') ? words.rest().map((code) => findSymbol(state, code)) : [];
      const timeoutSec = timeout === 'off' ? -1 : Number(timeout);
      return { command: { kind: 'set-switch', user, timeoutSec, symbols }, units: {} };
    }
    default:
      return null;
  }

  function named(kind: 'cancel-order' | 'cancel-stop-order' | 'cancel-oco-order', more: object): Built {
    const name = buildName(words, state);
    return { command: { kind, user, ...name, ...more }, units: name };
  }
}
