/**
 * A recorded market on disk: its format, and its lines, read in chunks because it may be larger than the
 * memory. Two layouts are supported, with or without a header: trades as `timestamp,side,price,amount`, and
 * book changes (incremental L2) as vendors of market data write them,
 * `exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount`. With a header, columns may be
 * in any order, with others between them.
 */

import { parseDecimal, type Side } from '@bourse/core';
import { type Disk, shortened } from '@bourse/engine';

export type TapeKind = 'trades' | 'book';

interface Layout {
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
class WrongLine extends Error {
  override readonly name = 'WrongLine';
}

const TRADES = ['timestamp', 'side', 'price', 'amount'];
const BOOK = ['exchange', 'symbol', 'timestamp', 'local_timestamp', 'is_snapshot', 'side', 'price', 'amount'];
const MILLISECONDS = /^\d{13}$/;
const MICROSECONDS = /^\d{16}$/;

/** Parses the first line of the file. */
function layoutOf(line: string): Layout {
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

function readLine({ kind, columns, width }: Layout, line: string): TapeEvent {
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
function symbolOf({ columns }: Layout, line: string): string {
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

const PIECE_BYTES = 1 << 16;
const LINE_BYTES_MAX = 4096;
const NEWLINE = 10;
/** Spreadsheets write this byte order mark before the first line. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The message has the line number, and what is wrong. */
export class WrongTape extends Error {
  override readonly name = 'WrongTape';
}

export interface TapedEvent extends TapeEvent {
  /** Offset of the next line. */
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
}

export interface TapeSummary {
  readonly kind: TapeKind;
  readonly events: number;
  readonly firstTime: number;
  readonly lastTime: number;
}

export class TapeFile {
  readonly #disk: Disk;
  readonly #path: string;
  /** Its name in error messages. */
  readonly #name: string;

  constructor(disk: Disk, path: string, name: string) {
    this.#disk = disk;
    this.#path = path;
    this.#name = name;
  }

  /** Validates every line before the first is played. Throws WrongTape. */
  async check(): Promise<TapeSummary> {
    let [events, firstTime, lastTime] = [0, 0, 0];
    let kind: TapeKind = 'trades';
    for await (const { event, layout } of this.#read()) {
      kind = layout.kind;
      if (events === 0) firstTime = event.time;
      lastTime = event.time;
      events += 1;
    }
    if (events === 0) throw new WrongTape(`${shortened(this.#name)} has no events.`);
    return { kind, events, firstTime, lastTime };
  }

  async *events(): AsyncGenerator<TapedEvent> {
    for await (const { event } of this.#read()) yield event;
  }

  async *#read(): AsyncGenerator<{ event: TapedEvent; layout: Layout }> {
    let layout: Layout | null = null;
    let [symbol, before] = ['', 0];
    for await (const { text, line, end } of this.#lines()) {
      try {
        if (layout === null) {
          layout = layoutOf(text);
          if (layout.hasHead) continue;
        }
        const event = readLine(layout, text);
        const of = symbolOf(layout, text);
        symbol ||= of;
        if (of !== symbol)
          throw new WrongLine(
            `is of ${shortened(of)}, and the lines before are of ${shortened(symbol)}: one file, one symbol`,
          );
        if (event.time < before)
          throw new WrongLine('is earlier than the line before: lines must be in order of time');
        before = event.time;
        yield { event: { ...event, end, line }, layout };
      } catch (error) {
        if (!(error instanceof WrongLine)) throw error;
        throw new WrongTape(`${shortened(this.#name)}, line ${line} ${error.message}.`);
      }
    }
  }

  async *#lines(): AsyncGenerator<{ text: string; line: number; end: number }> {
    const file = await this.#disk.open(this.#path, 'read');
    try {
      const size = await file.size();
      let [at, line, end] = [0, 0, 0];
      let rest = Buffer.alloc(0);
      if (BYTE_ORDER_MARK.equals(await file.read(0, BYTE_ORDER_MARK.length)))
        at = end = BYTE_ORDER_MARK.length;
      while (at < size) {
        const piece = await file.read(at, Math.min(PIECE_BYTES, size - at));
        if (piece.length === 0) break;
        at += piece.length;
        let bytes = Buffer.concat([rest, piece]);
        for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE)) {
          end += to + 1;
          line += 1;
          if (to > LINE_BYTES_MAX) throw this.#tooLong(line);
          const text = bytes.toString('latin1', 0, to).replace(/\r$/, '');
          bytes = bytes.subarray(to + 1);
          if (text !== '') yield { text, line, end };
        }
        rest = Buffer.from(bytes);
        if (rest.length > LINE_BYTES_MAX) throw this.#tooLong(line + 1);
      }
      if (rest.length > 0) yield { text: rest.toString('latin1'), line: line + 1, end: size };
    } finally {
      await file.close();
    }
  }

  #tooLong(line: number): WrongTape {
    return new WrongTape(`${shortened(this.#name)}, line ${line} is longer than ${LINE_BYTES_MAX} bytes.`);
  }
}
