/**
 * The outcomes of one record, as rows of numbers like the events, and for the same reason: the usual outcome is an order,
 * and an object with eleven boxed fields costs as much as matching it. `decode` returns the plain outcomes of outcomes.ts,
 * one for each command.
 *
 * A batch belongs to the exchange and is overwritten by the next record.
 */

import { Amount, toBigInt } from '../values/amount.ts';
import type { BatchContent } from '../events/event-batch.ts';
import { DONE_REASONS } from '../events/event-rows.ts';
import type { OrderTable } from '../matching/orders/order-table.ts';
import type { OrderOutcome, Outcome, Rejected } from './outcomes.ts';
import type { Rejection } from './rejections.ts';

/** An order; any other outcome; the number of outcomes of one command; an order that replaces another. */
const ORDER = 0;
const OTHER = 1;
const GROUP = 2;
const REPLACED = 3;

/** A row with only the first fields of ORDER: no trades, no funds, no client id. */
const PLAIN = 4;
/** The length of a row of each kind. Rows are contiguous, so that a digest covers them in one sweep. */
const LENGTHS = [14, 2, 2, 3, 6];
const LENGTH_MAX = 14;
const ACTIVE = -1;
const REQUESTED = DONE_REASONS.indexOf('requested');

const amount = new Amount();

export class OutcomeBatch {
  #rows = new Float64Array(64 * LENGTH_MAX);
  /** The same bytes as integers. */
  #words = new Int32Array(this.#rows.buffer);
  /** Where the next row starts. */
  end = 0;
  #objects: (Outcome | string)[] = [];
  /** Counted separately for the reason given in event-batch.ts. */
  #objectCount = 0;
  /** The end of the outcome that was read last. */
  readEnd = 0;

  clear(): void {
    this.end = 0;
    if (this.#objectCount > 0) this.#forgetObjects();
  }

  #forgetObjects(): void {
    this.#objects = [];
    this.#objectCount = 0;
  }

  #keep(object: Outcome | string): number {
    this.#objects.push(object);
    return this.#objectCount++;
  }

  /** An order in its current state or, with a reason (see DONE_REASONS), done with nothing remaining. */
  order(orders: OrderTable, row: number, done: number, funds: Amount, cancelledFunds: Amount): void {
    const dealt = orders.dealt(row);
    const isPlain = dealt === 0 && !orders.isByFunds(row) && !orders.hasTexts(row);
    const at = this.#next(isPlain ? PLAIN : ORDER, isPlain ? 6 : 14);
    const rows = this.#rows;
    const size = orders.sizeOf(row);
    const remaining = done === ACTIVE ? orders.remaining(row) : 0;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = done;
    rows[at + 3] = size;
    rows[at + 4] = remaining;
    rows[at + 5] = size > 0 ? size - dealt - remaining : 0;
    if (isPlain) return;
    rows[at + 6] = dealt;
    orders.readDealFunds(row, amount);
    amount.store(rows, at + 7);
    funds.store(rows, at + 9);
    cancelledFunds.store(rows, at + 11);
    const clientId = orders.textsOf(row)?.clientId;
    rows[at + 13] = clientId ? this.#keep(clientId) : -1;
  }

  /** An order without texts that rests and has not traded. */
  resting(id: number, size: number): void {
    const at = this.#next(PLAIN, 6);
    const rows = this.#rows;
    rows[at + 1] = id;
    rows[at + 2] = ACTIVE;
    rows[at + 3] = size;
    rows[at + 4] = size;
    rows[at + 5] = 0;
  }

  /** Such an order, cancelled. */
  cancelled(id: number, size: number): void {
    const at = this.#next(PLAIN, 6);
    const rows = this.#rows;
    rows[at + 1] = id;
    rows[at + 2] = REQUESTED;
    rows[at + 3] = size;
    rows[at + 4] = 0;
    rows[at + 5] = size;
  }

  other(outcome: Outcome): void {
    const at = this.#next(OTHER, 2);
    this.#rows[at + 1] = this.#keep(outcome);
  }

  rejected(rejection: Rejection): void {
    this.other({ kind: 'rejected', rejection });
  }

  /** The next `count` outcomes are those of one command. */
  group(count: number): void {
    const at = this.#next(GROUP, 2);
    this.#rows[at + 1] = count;
  }

  /** The order `cancelled` was replaced. The next outcome is that of its replacement, if there is one. */
  replaced(cancelled: number, hasReplacement: boolean): void {
    const at = this.#next(REPLACED, 3);
    this.#rows[at + 1] = cancelled;
    this.#rows[at + 2] = hasReplacement ? 1 : 0;
  }

  /** The written rows as they are, for comparing two exchanges record by record. */
  get written(): BatchContent<Outcome | string> {
    return { words: this.#words, length: this.end * 2, objects: this.#objects };
  }

  /** One for each command. */
  decode(): Outcome[] {
    return this.#decodeFrom(0);
  }

  /**
   * The outcome that starts at `at`: 0 is the first, and `readEnd` is the start of the next. Reading one at a time keeps the
   * decoded objects short-lived and in the CPU cache.
   */
  readAt(at: number): Outcome {
    this.readEnd = at;
    return this.#read();
  }

  #decodeFrom(begin: number): Outcome[] {
    const outcomes: Outcome[] = [];
    this.readEnd = begin;
    while (this.readEnd < this.end) outcomes.push(this.#read());
    return outcomes;
  }

  /** Removes everything written after `begin`, without decoding it: announced outcomes may be missing. */
  drop(begin: number): void {
    this.end = begin;
  }

  /** Removes and returns the complete outcomes written after `begin`. */
  takeBack(begin: number): Outcome[] {
    const outcomes = this.#decodeFrom(begin);
    this.drop(begin);
    return outcomes;
  }

  #read(): Outcome {
    const { readEnd: at } = this;
    const rows = this.#rows;
    const kind = rows[at];
    this.readEnd = at + LENGTHS[kind];
    switch (kind) {
      case PLAIN:
        return readPlain(rows, at);
      case ORDER:
        return this.#readOrder(at);
      case GROUP: {
        const outcomes = Array.from({ length: rows[at + 1] }, () => this.#read());
        return { kind: 'orders', outcomes: outcomes as (OrderOutcome | Rejected)[] };
      }
      case REPLACED: {
        const replacement = rows[at + 2] === 1 ? (this.#read() as OrderOutcome) : null;
        return { kind: 'altered', cancelled: rows[at + 1], replacement };
      }
      default:
        return this.#objects[rows[at + 1]] as Outcome;
    }
  }

  #readOrder(at: number): OrderOutcome {
    const rows = this.#rows;
    const done = rows[at + 2];
    return {
      kind: 'order',
      order: unboxed(rows[at + 1]),
      clientId: rows[at + 13] < 0 ? '' : (this.#objects[rows[at + 13]] as string),
      done: done === ACTIVE ? '' : DONE_REASONS[done],
      size: unboxed(rows[at + 3]),
      funds: toBigInt(rows[at + 9], rows[at + 10]),
      dealSize: unboxed(rows[at + 6]),
      dealFunds: toBigInt(rows[at + 7], rows[at + 8]),
      remaining: unboxed(rows[at + 4]),
      cancelledSize: unboxed(rows[at + 5]),
      cancelledFunds: toBigInt(rows[at + 11], rows[at + 12]),
    };
  }

  #next(kind: number, length: number): number {
    const at = this.end;
    if (at + LENGTH_MAX > this.#rows.length) this.#grow();
    this.#rows[at] = kind;
    this.end = at + length;
    return at;
  }

  #grow(): void {
    const grown = new Float64Array(this.#rows.length * 2);
    grown.set(this.#rows);
    this.#rows = grown;
    this.#words = new Int32Array(grown.buffer);
  }
}

/** The same number. V8 boxes a double field in 16 bytes, but stores an integer below 2^31 in the object itself. */
const unboxed = (value: number): number => ((value | 0) === value ? value | 0 : value);

function readPlain(rows: Float64Array, at: number): OrderOutcome {
  const done = rows[at + 2];
  return {
    kind: 'order',
    order: unboxed(rows[at + 1]),
    clientId: '',
    done: done === ACTIVE ? '' : DONE_REASONS[done],
    size: unboxed(rows[at + 3]),
    funds: 0n,
    dealSize: 0,
    dealFunds: 0n,
    remaining: unboxed(rows[at + 4]),
    cancelledSize: unboxed(rows[at + 5]),
    cancelledFunds: 0n,
  };
}
