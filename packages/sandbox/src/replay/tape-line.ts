/**
 * Parses the lines of a recorded market. Two layouts are supported, with or without a header: trades as
 * `timestamp,side,price,amount`, and book changes (incremental L2) as vendors of market data write them,
 * `exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount`. With a header, columns may be in any
 * order, with others between them.
 */

import { parseDecimal, type Side } from '@bourse/core';
import { shortened } from '@bourse/engine';

export type TapeKind = 'trades' | 'book';

export interface Layout {
  readonly kind: TapeKind;
  readonly columns: ReadonlyMap<string, number>;
  /** Number of fields per line. */
  readonly width: number;
  /** The first line is a header, not an event. */
  readonly hasHead: boolean;
}

/** Prices and amounts as in the file. */
export interface TapeEvent {
  /** Milliseconds. */
  readonly time: number;
  /** For a book: 'buy' for bids. For trades: the taker's side. */
  readonly side: Side;
  readonly price: string;
  readonly amount: string;
  readonly isSnapshot: boolean;
}

/** An invalid line; the file reader adds its number. */
export class WrongLine extends Error {
  override readonly name = 'WrongLine';
}

const TRADES = ['timestamp', 'side', 'price', 'amount'];
const BOOK = ['exchange', 'symbol', 'timestamp', 'local_timestamp', 'is_snapshot', 'side', 'price', 'amount'];
const MILLISECONDS = /^\d{13}$/;
const MICROSECONDS = /^\d{16}$/;

/** Parses the first line of the file. */
export function layoutOf(line: string): Layout {
  const fields = line.split(',').map((field) => field.trim());
  const isHead = fields.includes('timestamp');
  const names = isHead ? fields : fields.length === BOOK.length ? BOOK : TRADES;
  const columns = new Map(names.map((name, at) => [name, at]));
  const missing = TRADES.filter((name) => !columns.has(name));
  if (missing.length > 0 || fields.length !== names.length) {
    throw new WrongLine(
      `is neither ${TRADES.join(',')} nor ${BOOK.join(',')}${isHead ? `: ${missing.join(', ')} is missing` : ''}`,
    );
  }
  const kind = columns.has('is_snapshot') ? 'book' : 'trades';
  return { kind, columns, width: names.length, hasHead: isHead };
}

export function readLine({ kind, columns, width }: Layout, line: string): TapeEvent {
  const fields = line.split(',').map((field) => field.trim());
  if (fields.length !== width) throw new WrongLine(`has ${fields.length} fields, not ${width}`);
  const isBook = kind === 'book';
  const field = (name: string) => fields[columns.get(name)!];
  return {
    time: timeOf(field('timestamp')),
    side: sideOf(field('side'), isBook),
    price: decimalOf('price', field('price'), false),
    amount: decimalOf('amount', field('amount'), isBook),
    isSnapshot: isBook && flagOf(field('is_snapshot')),
  };
}

/** The symbol of the line; '' if the layout has none. */
export function symbolOf({ columns }: Layout, line: string): string {
  const at = columns.get('symbol');
  return at === undefined ? '' : line.split(',')[at].trim();
}

function timeOf(text: string): number {
  if (MILLISECONDS.test(text)) return Number(text);
  if (MICROSECONDS.test(text)) return Math.floor(Number(text) / 1000);
  throw new WrongLine(
    `timestamp is '${shortened(text)}': it must have 13 digits (milliseconds) or 16 (microseconds)`,
  );
}

function sideOf(text: string, isBook: boolean): Side {
  if (text === 'buy' || (isBook && text === 'bid')) return 'buy';
  if (text === 'sell' || (isBook && text === 'ask')) return 'sell';
  throw new WrongLine(`side is '${shortened(text)}': it must be ${isBook ? 'bid or ask' : 'buy or sell'}`);
}

function decimalOf(field: string, text: string, mayBeZero: boolean): string {
  const decimal = parseDecimal(text);
  if (decimal !== null && (mayBeZero || decimal.digits > 0n)) return text;
  throw new WrongLine(
    `${field} is '${shortened(text)}': it must be a decimal${mayBeZero ? '' : ' above 0'}, such as 12.5`,
  );
}

function flagOf(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new WrongLine(`is_snapshot is '${shortened(text)}': it must be true or false`);
}
