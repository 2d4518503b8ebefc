/**
 * Commands as bytes: a tag, then the layout it names. Frequent kinds have their own layouts; everything else, and a
 * frequent one with unusual content, has the general layout. A tag keeps its meaning forever, because logs are
 * kept.
 */

import type {
  CancelOrder,
  Command,
  ImportCandles,
  ImportedCandle,
  Interval,
  Once,
  OrderRequest,
  PlaceOrder,
  PlaceOrders,
  SelfTradeMode,
  TimeInForce,
} from '@bourse/core';
import { type ByteSink, type ByteSource, isSmall, Malformed, putVarint, VARINT_BYTES_MAX } from '../bytes.ts';
import { readAny, type Fields, writeFields } from './any-command.ts';
import { LogTooNew } from './command-log.ts';

const ANY = 0;
const PLACE_ORDER = 1;
const PLACE_ORDERS = 2;
const CANCEL_ORDER = 3;
/** The idempotency key of a frequent command, followed by its own tag and layout. */
const ONCE = 4;
const IMPORT_CANDLES = 5;

/** Throws a TypeError for values that a command must not contain: functions, symbols, undefined in a list. */
export function writeCommand(sink: ByteSink, command: Command): void {
  const { at } = sink;
  if (writeHot(sink, command)) return;
  sink.at = at;
  sink.byte(ANY);
  writeFields(sink, command as unknown as Fields);
}

/** False if the command has no layout of its own or does not fit it. */
function writeHot(sink: ByteSink, command: Command): boolean {
  switch (command.kind) {
    case 'place-order':
      return writeOnce(sink, command.once) && writePlaceOrder(sink, command);
    case 'place-orders':
      return writeOnce(sink, command.once) && writePlaceOrders(sink, command);
    case 'cancel-order':
      return writeOnce(sink, command.once) && writeCancelOrder(sink, command);
    case 'import-candles':
      if (!writeOnce(sink, command.once)) return false;
      sink.byte(IMPORT_CANDLES);
      return writeImport(sink, command);
    default:
      return false;
  }
}

function writeOnce(sink: ByteSink, once: Once | undefined): boolean {
  if (once === undefined) return true;
  if (typeof once.id !== 'string' || typeof once.until !== 'number' || !hasFields(once, 2)) return false;
  sink.byte(ONCE);
  sink.text(once.id);
  sink.float64(once.until);
  return true;
}

const besidesOnce = (command: Command): number => (command.once === undefined ? 0 : 1);

function writePlaceOrder(sink: ByteSink, command: PlaceOrder): boolean {
  const { user } = command;
  if (!isSmall(user)) return false;
  sink.byte(PLACE_ORDER);
  sink.varint(user);
  return writeOrder(sink, command, 2 + besidesOnce(command));
}

function writePlaceOrders(sink: ByteSink, command: PlaceOrders): boolean {
  const { user, orders } = command;
  if (!isSmall(user) || !Array.isArray(orders) || !hasFields(command, 3 + besidesOnce(command))) return false;
  sink.byte(PLACE_ORDERS);
  sink.varint(user);
  sink.varint(orders.length);
  for (let i = 0; i < orders.length; i++) if (!writeOrder(sink, orders[i], 0)) return false;
  return true;
}

/** Tag, flags, user, symbol and the order id. */
const CANCEL_BYTES = 2 + 2 * VARINT_BYTES_MAX + 8;

/** Flags: bit 0 an order id follows, bit 1 a client id, bit 2 the second in which the order was created. */
function writeCancelOrder(sink: ByteSink, command: CancelOrder): boolean {
  const { user, symbol, order, clientId, createdSec } = command;
  if (!isSmall(user) || !isSmall(symbol)) return false;
  if (order !== undefined && typeof order !== 'number') return false;
  if (clientId !== undefined && typeof clientId !== 'string') return false;
  if (createdSec !== undefined && typeof createdSec !== 'number') return false;
  const marks =
    (order === undefined ? 0 : 1) | (clientId === undefined ? 0 : 2) | (createdSec === undefined ? 0 : 4);
  const fields = 3 + (marks & 1) + ((marks >> 1) & 1) + (marks >> 2);
  if (!hasFields(command, fields + besidesOnce(command))) return false;
  sink.reserve(CANCEL_BYTES);
  const { bytes, view } = sink;
  let { at } = sink;
  bytes[at] = CANCEL_ORDER;
  bytes[at + 1] = marks;
  at = putVarint(bytes, at + 2, user);
  at = putVarint(bytes, at, symbol);
  if (order !== undefined) {
    view.setFloat64(at, order, true);
    at += 8;
  }
  sink.at = at;
  if (clientId !== undefined) sink.text(clientId);
  if (createdSec !== undefined) sink.float64(createdSec);
  return true;
}

/**
 * Throws Malformed for invalid bytes, and LogTooNew for an unknown tag or kind. Fields that are
 * not set may be present as undefined, which the core treats alike.
 */
export function readCommand(source: ByteSource): Command {
  const tag = source.byte();
  if (tag === ANY) return readAny(source);
  if (tag !== ONCE) return readHot(source, tag, undefined);
  const once = { id: source.text(), until: source.float64() };
  return readHot(source, source.byte(), once);
}

function readHot(source: ByteSource, tag: number, once: Once | undefined): Command {
  switch (tag) {
    case PLACE_ORDER:
      return readPlaceOrder(source, once);
    case PLACE_ORDERS:
      return readPlaceOrders(source, once);
    case CANCEL_ORDER:
      return readCancelOrder(source, once);
    case IMPORT_CANDLES:
      return readImport(source, once);
    default:
      throw new LogTooNew(`Commands with the tag ${tag} are unknown to this version.`);
  }
}

function readPlaceOrders(source: ByteSource, once: Once | undefined): Command {
  const user = source.varint();
  const orders: OrderRequest[] = [];
  for (let left = source.count(); left > 0; left--) orders.push(readOrder(source));
  return { kind: 'place-orders', user, orders, once } as Command;
}

function readCancelOrder(source: ByteSource, once: Once | undefined): Command {
  const marks = source.byte();
  if (marks > 7) throw new Malformed(`a cancellation has the marks ${marks}`);
  const user = source.varint();
  const symbol = source.varint();
  const order = (marks & 1) === 0 ? undefined : source.float64();
  const clientId = (marks & 2) === 0 ? undefined : source.text();
  const createdSec = (marks & 4) === 0 ? undefined : source.float64();
  return { kind: 'cancel-order', user, symbol, order, clientId, createdSec, once } as Command;
}

// The compact layout of one order: a word of flags, then only the fields that are set.
//
// Flags: bit 0 sell, 1 market, 2-4 time in force, 5-7 self-trade mode, 8-9 postOnly, 10-11 hidden, 12-13 iceberg (each 0 for
// unset, else its index plus one), then a bit for each field that follows.
//
// An order with anything unusual (a word that is not in the lists, a field of another type) does not fit and takes the
// general layout, which can encode any value.

const TIMES: readonly (TimeInForce | undefined)[] = [undefined, 'GTC', 'GTT', 'IOC', 'FOK'];
const MODES: readonly (SelfTradeMode | undefined)[] = [undefined, '', 'CN', 'CO', 'CB', 'DC'];
const CHOICES: readonly (boolean | undefined)[] = [undefined, false, true];

const PRICE = 1 << 14;
const SIZE = 1 << 15;
const FUNDS = 1 << 16;
const CANCEL_AFTER = 1 << 17;
const VISIBLE_SIZE = 1 << 18;
const CLIENT_ID = 1 << 19;
const TAGS = 1 << 20;
const REMARK = 1 << 21;
const MARKS_END = 1 << 22;

/** Flags, symbol, price and size. */
const NUMBERS_BYTES = 4 + VARINT_BYTES_MAX + 2 * 8;

/**
 * Writes the order, which has `besides` more fields that the caller writes. Returns false, and has written nothing, if
 * the order does not fit.
 */
function writeOrder(sink: ByteSink, order: OrderRequest, besides: number): boolean {
  const { symbol, price, size, funds, cancelAfterSec, visibleSize, clientId, tags, remark } = order;
  const words = wordsOf(order);
  const fields = fieldsOf(order);
  if (words < 0 || fields < 0 || !isSmall(symbol)) return false;
  if (!hasFields(order, besides + 3 + countWords(words) + countBits(fields))) return false;
  sink.reserve(NUMBERS_BYTES);
  const { bytes, view } = sink;
  let { at } = sink;
  view.setUint32(at, words | fields, true);
  at = putVarint(bytes, at + 4, symbol);
  if (price !== undefined) {
    view.setFloat64(at, price, true);
    at += 8;
  }
  if (size !== undefined) {
    view.setFloat64(at, size, true);
    at += 8;
  }
  sink.at = at;
  if (cancelAfterSec !== undefined) sink.float64(cancelAfterSec);
  if (visibleSize !== undefined) sink.float64(visibleSize);
  if (funds !== undefined) sink.bigint(funds);
  if (clientId !== undefined) sink.text(clientId);
  if (tags !== undefined) sink.text(tags);
  if (remark !== undefined) sink.text(remark);
  return true;
}

/** Bits 0 to 13; negative if a word is not in its list. */
function wordsOf({ type, side, timeInForce, stp, postOnly, hidden, iceberg }: OrderRequest): number {
  const sideCode = side === 'buy' ? 0 : side === 'sell' ? 1 : -1;
  const typeCode = type === 'limit' ? 0 : type === 'market' ? 2 : -1;
  const time = timeInForce === undefined ? 0 : TIMES.indexOf(timeInForce);
  const mode = stp === undefined ? 0 : MODES.indexOf(stp);
  const choices = (choice(postOnly) << 8) | (choice(hidden) << 10) | (choice(iceberg) << 12);
  return sideCode | typeCode | (time << 2) | (mode << 5) | choices;
}

function choice(value: boolean | undefined): number {
  if (value === undefined) return 0;
  if (value === true) return 2;
  return value === false ? 1 : -1;
}

/** Bits 14 to 21; negative if a field has another type. */
function fieldsOf(order: OrderRequest): number {
  return (
    bit(order.price, 'number', PRICE) |
    bit(order.size, 'number', SIZE) |
    bit(order.cancelAfterSec, 'number', CANCEL_AFTER) |
    bit(order.visibleSize, 'number', VISIBLE_SIZE) |
    bit(order.funds, 'bigint', FUNDS) |
    bit(order.clientId, 'string', CLIENT_ID) |
    bit(order.tags, 'string', TAGS) |
    bit(order.remark, 'string', REMARK)
  );
}

function bit(value: unknown, type: 'number' | 'bigint' | 'string', mark: number): number {
  if (value === undefined) return 0;
  return typeof value === type ? mark : -1;
}

/** Whether exactly `count` fields are set. A field that the layout does not know makes the count differ. */
function hasFields(thing: object, count: number): boolean {
  let fields = 0;
  // Counting names takes a quarter of the time of checking the values too.
  for (const _ in thing) fields += 1;
  if (fields === count) return true;
  for (const field in thing) if ((thing as Record<string, unknown>)[field] === undefined) fields -= 1;
  return fields === count;
}

/** Optional words. */
function countWords(words: number): number {
  return (
    ((words >> 2) & 7 ? 1 : 0) +
    ((words >> 5) & 7 ? 1 : 0) +
    ((words >> 8) & 3 ? 1 : 0) +
    ((words >> 10) & 3 ? 1 : 0) +
    ((words >> 12) & 3 ? 1 : 0)
  );
}

function countBits(marks: number): number {
  let count = 0;
  for (let left = marks; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** A decoded order: all fields are present in a fixed order, so that the core sees one shape; unset is undefined. */
type Read<T> = { [K in keyof T]-?: T[K] | undefined };

function readPlaceOrder(source: ByteSource, once: Once | undefined): Command {
  const user = source.varint();
  const marks = readMarks(source);
  const order: Read<PlaceOrder & { once: Once }> = {
    kind: 'place-order',
    user,
    symbol: source.varint(),
    type: (marks & 2) === 0 ? 'limit' : 'market',
    side: (marks & 1) === 0 ? 'buy' : 'sell',
    price: (marks & PRICE) === 0 ? undefined : source.float64(),
    size: (marks & SIZE) === 0 ? undefined : source.float64(),
    cancelAfterSec: (marks & CANCEL_AFTER) === 0 ? undefined : source.float64(),
    visibleSize: (marks & VISIBLE_SIZE) === 0 ? undefined : source.float64(),
    funds: (marks & FUNDS) === 0 ? undefined : source.bigint(),
    timeInForce: TIMES[(marks >> 2) & 7],
    stp: MODES[(marks >> 5) & 7],
    postOnly: CHOICES[(marks >> 8) & 3],
    hidden: CHOICES[(marks >> 10) & 3],
    iceberg: CHOICES[(marks >> 12) & 3],
    clientId: (marks & CLIENT_ID) === 0 ? undefined : source.text(),
    tags: (marks & TAGS) === 0 ? undefined : source.text(),
    remark: (marks & REMARK) === 0 ? undefined : source.text(),
    once,
  };
  return order as Command;
}

function readOrder(source: ByteSource): OrderRequest {
  const marks = readMarks(source);
  const order: Read<OrderRequest> = {
    symbol: source.varint(),
    type: (marks & 2) === 0 ? 'limit' : 'market',
    side: (marks & 1) === 0 ? 'buy' : 'sell',
    price: (marks & PRICE) === 0 ? undefined : source.float64(),
    size: (marks & SIZE) === 0 ? undefined : source.float64(),
    cancelAfterSec: (marks & CANCEL_AFTER) === 0 ? undefined : source.float64(),
    visibleSize: (marks & VISIBLE_SIZE) === 0 ? undefined : source.float64(),
    funds: (marks & FUNDS) === 0 ? undefined : source.bigint(),
    timeInForce: TIMES[(marks >> 2) & 7],
    stp: MODES[(marks >> 5) & 7],
    postOnly: CHOICES[(marks >> 8) & 3],
    hidden: CHOICES[(marks >> 10) & 3],
    iceberg: CHOICES[(marks >> 12) & 3],
    clientId: (marks & CLIENT_ID) === 0 ? undefined : source.text(),
    tags: (marks & TAGS) === 0 ? undefined : source.text(),
    remark: (marks & REMARK) === 0 ? undefined : source.text(),
  };
  return order as OrderRequest;
}

function readMarks(source: ByteSource): number {
  const marks = source.uint32();
  const isKnown =
    marks < MARKS_END &&
    ((marks >> 2) & 7) < TIMES.length &&
    ((marks >> 5) & 7) < MODES.length &&
    ((marks >> 8) & 3) < CHOICES.length &&
    ((marks >> 10) & 3) < CHOICES.length &&
    ((marks >> 12) & 3) < CHOICES.length;
  if (!isKnown) throw new Malformed(`an order has the marks ${marks.toString(16)}`);
  return marks;
}

// Imported candles, delta-encoded: tens of thousands arrive together, and most differ little from the previous one. Starts
// are minutes since the previous start, prices relative to the last close.

const MINUTE_MS = 60_000;

/** Returns false if something does not fit. */
function writeImport(sink: ByteSink, command: ImportCandles & { once?: Once }): boolean {
  const { symbol, interval, candles, by, why, once } = command;
  const fields = 4 + [by, why, once].filter((each) => each !== undefined).length;
  if (!isSmall(symbol) || typeof interval !== 'string' || !Array.isArray(candles)) return false;
  if (!isOptionalText(by) || !isOptionalText(why) || !hasFields(command, fields)) return false;
  sink.varint(symbol);
  sink.text(interval);
  writeOptional(sink, by);
  writeOptional(sink, why);
  sink.varint(candles.length);
  let before = { start: 0, close: 0 };
  for (const candle of candles as readonly ImportedCandle[]) {
    if (!writeCandle(sink, candle, before)) return false;
    before = candle;
  }
  return true;
}

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

function writeOptional(sink: ByteSink, text: string | undefined): void {
  sink.byte(text === undefined ? 0 : 1);
  if (text !== undefined) sink.text(text);
}

/** The core uses only seven fields of a candle; no others are encoded. */
type Before = Pick<ImportedCandle, 'start' | 'close'>;

function writeCandle(sink: ByteSink, candle: ImportedCandle, before: Before): boolean {
  if (typeof candle !== 'object' || candle === null) return false;
  const { start, open, close, high, low, volume, turnover } = candle;
  if (typeof volume !== 'bigint' || typeof turnover !== 'bigint') return false;
  const minutes = (start - before.start) / MINUTE_MS;
  const gap = folded(open - before.close);
  const move = folded(close - open);
  const above = high - open;
  const below = open - low;
  // A field that is not a number gives NaN, which is not small.
  if (!isSmall(minutes) || !isSmall(gap) || !isSmall(move) || !isSmall(above) || !isSmall(below))
    return false;
  // Above 0, because -0 does not survive the round trip. The decoded value must equal the original bit for bit.
  if (!(start > 0 && close > 0 && low > 0) || before.start + minutes * MINUTE_MS !== start) return false;
  if (before.close + unfolded(gap) !== open || open + unfolded(move) !== close) return false;
  if (open + above !== high || open - below !== low) return false;
  sink.varint(minutes);
  sink.varint(gap);
  sink.varint(move);
  sink.varint(above);
  sink.varint(below);
  sink.bigint(volume);
  sink.bigint(turnover);
  return true;
}

/** Zigzag encoding: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unfolded = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function readImport(source: ByteSource, once: Once | undefined): ImportCandles & { once?: Once } {
  const symbol = source.varint();
  const interval = source.text() as Interval;
  const by = readOptional(source);
  const why = readOptional(source);
  const candles: ImportedCandle[] = [];
  let before: Before = { start: 0, close: 0 };
  for (let left = source.count(); left > 0; left--) {
    const candle = readCandle(source, before);
    candles.push(candle);
    before = candle;
  }
  return {
    kind: 'import-candles',
    symbol,
    interval,
    candles,
    ...(by !== undefined && { by }),
    ...(why !== undefined && { why }),
    ...(once && { once }),
  };
}

function readOptional(source: ByteSource): string | undefined {
  return source.byte() === 0 ? undefined : source.text();
}

function readCandle(source: ByteSource, before: Before): ImportedCandle {
  const start = before.start + source.varint() * MINUTE_MS;
  const open = before.close + unfolded(source.varint());
  const close = open + unfolded(source.varint());
  const high = open + source.varint();
  const low = open - source.varint();
  return { start, open, close, high, low, volume: source.bigint(), turnover: source.bigint() };
}
