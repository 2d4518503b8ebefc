/** A recorded market on disk, read line by line in chunks, because it may be larger than the memory. */

import { type Disk, shortened } from '@bourse/engine';
import {
  type Layout,
  layoutOf,
  readLine,
  symbolOf,
  type TapeEvent,
  type TapeKind,
  WrongLine,
} from './tape-line.ts';

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
