/** Prints outcomes and events in the words of a scenario: names, labels and decimals instead of numbers. */

import type { Event, Trade } from '../../../src/events/events.ts';
import type { Rejection } from '../../../src/commands/rejections.ts';
import { toText } from './numbers.ts';
import type { State } from './state.ts';

/** The units of a number. */
export interface Units {
  readonly symbol?: number | undefined;
  readonly currency?: number | undefined;
}

const PRICES = ['price', 'stopPrice', 'limitPrice'];
const SIZES = ['size', 'dealSize', 'remaining', 'cancelledSize', 'visibleSize', 'by'];
const QUOTES = ['funds', 'dealFunds', 'cancelledFunds'];
const USERS = ['user', 'parent', 'fromUser', 'toUser'];
const IDS = [
  'order',
  'transfer',
  'deposit',
  'questionnaire',
  'withdrawal',
  'stopOrder',
  'oco',
  'cancelled',
  'correction',
  'id',
];

export function showUser(state: State, user: number): string {
  return user === -1 ? 'none' : (state.users[user] ?? `#${user}`);
}

export function showCurrency(state: State, currency: number): string {
  return state.currencies[currency]?.code ?? `#${currency}`;
}

export function showSymbol(state: State, symbol: number): string {
  return state.symbols[symbol]?.code ?? `#${symbol}`;
}

export function showId(state: State, id: number): string {
  return state.names.get(id) ?? `#${id}`;
}

export function showPrice(state: State, symbol: number, price: number): string {
  return toText(price, state.symbols[symbol]!.priceDecimals);
}

export function showSize(state: State, symbol: number, size: number): string {
  return toText(size, state.symbols[symbol]!.sizeDecimals);
}

export function showMoney(state: State, currency: number, amount: bigint | number): string {
  return toText(amount, state.currencies[currency]!.scale);
}

/** One field of an event, an outcome or a rejection, by its name. */
export function showField(state: State, units: Units, field: string, value: unknown): string {
  const money = units.symbol === undefined ? units.currency : state.symbols[units.symbol]?.quote;
  if (Array.isArray(value)) return value.map((item) => showItem(state, field, item)).join(',');
  if (typeof value === 'bigint') return money === undefined ? String(value) : showMoney(state, money, value);
  if (typeof value !== 'number') return String(value);
  if (USERS.includes(field)) return showUser(state, value);
  if (field === 'symbol') return showSymbol(state, value);
  if (field === 'currency') return showCurrency(state, value);
  if (field === 'base' || field === 'quote') return showCurrency(state, value);
  if (IDS.includes(field)) return value === 0 ? 'none' : showId(state, value);
  if (units.symbol !== undefined && PRICES.includes(field)) return showPrice(state, units.symbol, value);
  if (units.symbol !== undefined && SIZES.includes(field)) return showSize(state, units.symbol, value);
  if (money !== undefined && QUOTES.includes(field)) return showMoney(state, money, value);
  return String(value);
}

function showItem(state: State, field: string, item: unknown): string {
  if (field === 'currencies') return showCurrency(state, item as number);
  if (field === 'symbols') return showSymbol(state, item as number);
  return String(item);
}

/** `code key=value ...`; value, increment and bounds are prices, sizes or money according to the code. */
export function rejectionFields(state: State, units: Units, rejection: Rejection): Map<string, string> {
  const fields = new Map<string, string>();
  const { code, ...details } = rejection;
  const kind = code.startsWith('price-')
    ? 'price'
    : code === 'visible-size' || code.startsWith('size-')
      ? 'size'
      : '';
  const own: Units = 'currency' in details ? { currency: details.currency } : units;
  for (const [key, value] of Object.entries(details)) {
    const bound = ['value', 'increment', 'below', 'above', 'min', 'max'].includes(key);
    fields.set(key, showField(state, own, bound && kind !== '' ? kind : key, value));
  }
  return fields;
}

export function showRejection(state: State, units: Units, rejection: Rejection): string {
  const fields = [...rejectionFields(state, units, rejection)].map(([key, value]) => `${key}=${value}`);
  return ['rejected', rejection.code, ...fields].join(' ');
}

/** The short form of an event, as in the `*` lines of a scenario. */
export function showEvent(state: State, event: Event): string {
  const id = (value: number): string => showId(state, value);
  switch (event.kind) {
    case 'order-received':
      return `received ${id(event.order)}`;
    case 'order-opened':
      return `opened ${id(event.order)} ${showSize(state, event.symbol, event.remaining)}`;
    case 'trade':
      return showTrade(state, event);
    case 'order-reduced': {
      const [by, left] = [event.by, event.remaining].map((size) => showSize(state, event.symbol, size));
      return `reduced ${id(event.order)} by ${by} to ${left} ${event.reason}`;
    }
    case 'order-done':
      return `done ${id(event.order)} ${event.reason}`;
    case 'book-changed': {
      const size = showSize(state, event.symbol, event.size);
      const side = event.side === 'buy' ? 'bid' : 'ask';
      return `book ${side} ${showPrice(state, event.symbol, event.price)}: ${size}`;
    }
    case 'balance-changed': {
      const words = [event.user === -1 ? 'system' : showUser(state, event.user)];
      if (event.account !== 'trade') words.push(event.account);
      words.push(showCurrency(state, event.currency));
      if (event.availableChange !== 0n) words.push(signed(state, event.currency, event.availableChange));
      if (event.holdChange !== 0n) words.push('held', signed(state, event.currency, event.holdChange));
      return `${words.join(' ')} (${event.cause})`;
    }
    case 'stop-done': {
      const more = event.order === 0 ? event.rejection : id(event.order);
      return `stop-done ${id(event.stopOrder)} ${event.reason} ${more}`.trimEnd();
    }
    case 'switch-set':
      return [
        `switch ${showUser(state, event.user)} ${event.timeoutSec === -1 ? 'off' : event.timeoutSec}`,
        ...(event.symbols.length === 0 ? [] : ['in']),
        ...event.symbols.map((symbol) => showSymbol(state, symbol)),
      ].join(' ');
    case 'symbol-set':
      return `symbol ${event.code} ${event.state}`;
    case 'currency-set':
      return `currency ${event.code} ${event.name}`;
    case 'fees-set':
      return [
        `fees ${showUser(state, event.user)}`,
        event.symbol === -1 ? 'all' : showSymbol(state, event.symbol),
        toText(event.maker, 8),
        toText(event.taker, 8),
      ].join(' ');
    case 'auction-set':
      return `auction ${showSymbol(state, event.symbol)}${event.isExtended ? ' extended' : ''} then ${event.thenState}`;
    case 'auction-ended': {
      const { symbol, result, size } = event;
      const at =
        size === 0 ? '' : ` ${showSize(state, symbol, size)} @ ${showPrice(state, symbol, event.price)}`;
      return `auction-ended ${showSymbol(state, symbol)} ${result}${at}`;
    }
    case 'schedule-changed':
      return `schedule ${event.entry} ${event.what}`;
    case 'pause-set':
      return event.isPaused ? 'paused' : 'resumed';
    case 'symbol-removed':
      return `symbol-removed ${event.code}`;
    case 'currency-removed':
      return `currency-removed ${event.code}`;
    case 'fees-removed': {
      const symbol = event.symbol === -1 ? 'all' : showSymbol(state, event.symbol);
      return `fees-removed ${showUser(state, event.user)} ${symbol}`;
    }
    case 'limits-set':
      return 'limits';
    case 'user-added':
      return `user ${event.name}`;
    case 'user-changed':
      return [
        `user-changed ${showUser(state, event.user)} tier ${event.tier}`,
        ...(event.closed ? ['closed'] : event.frozen ? ['frozen'] : []),
        ...(event.freeze ? [event.freeze.level, ...(event.freeze.withSubAccounts ? [] : ['alone'])] : []),
      ].join(' ');
    case 'key-set':
      return `key ${event.key}`;
    case 'key-removed':
      return `key-removed ${event.key}`;
    case 'person-changed':
      return `person ${event.person} ${event.what}`;
    case 'operators-changed':
      return `operator ${event.operator}`;
    case 'address-set':
      return [
        `address ${showUser(state, event.user)} ${showCurrency(state, event.currency)} ${event.chain}`,
        event.address,
        ...(event.memo === '' ? [] : ['memo', event.memo]),
      ].join(' ');
    case 'deposit-set':
      return `deposit ${id(event.deposit)} ${event.state}`;
    case 'correction-made':
      return `correction ${id(event.correction)} ${event.type}`;
    case 'questionnaire-set':
      return `questionnaire ${id(event.questionnaire)} ${event.state}`;
    case 'candles-imported':
      return `candles-imported ${event.interval} ${event.candles.length}`;
    case 'transfer-made':
      return `transfer ${id(event.transfer)}`;
    case 'withdrawal-set':
      return `withdrawal ${id(event.withdrawal)} ${event.state}`;
    case 'oco-placed':
      return `oco-placed ${id(event.oco)}`;
    case 'oco-done':
      return `oco-done ${id(event.oco)} ${event.reason}`;
    case 'stop-placed':
      return `stop-placed ${id(event.stopOrder)}`;
    default:
      throw new Error(`unknown event: ${JSON.stringify(event satisfies never)}`);
  }
}

function showTrade(state: State, { symbol, size, price, side }: Trade): string {
  return `trade ${showSize(state, symbol, size)} @ ${showPrice(state, symbol, price)} ${side}`;
}

function signed(state: State, currency: number, change: bigint): string {
  return `${change > 0n ? '+' : ''}${showMoney(state, currency, change)}`;
}
