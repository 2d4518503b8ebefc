/**
 * The outcomes of one record, written as rows of numbers like the events, and for the same reason: the usual
 * outcome is an order, and an object with eleven boxed fields costs as much as matching it. `decode` gives the
 * plain outcomes of outcomes.ts, one for each command.
 *
 * A batch belongs to the exchange and is overwritten by the next record.
 */

import { Amount, toBigInt } from './amount.ts';
import { DONE_REASONS } from './event-rows.ts';
import type { OrderTable } from './matching/order-table.ts';
import type { OrderOutcome, Outcome, Rejected } from './outcomes.ts';
import type { Rejection } from './rejections.ts';

/** An order as it stands; any other outcome; how many outcomes belong to one command; an order that replaces another. */
const ORDER = 0;
const OTHER = 1;
const GROUP = 2;
const REPLACED = 3;

const ROW_LENGTH = 14;
/** How far a row of each kind is written; what lies behind is of earlier records. */
export const OUTCOME_ROW_LENGTHS = [14, 2, 2, 3, 6];
export const OUTCOME_ROW_LENGTH = ROW_LENGTH;
/** A row with nothing but its first fields: nothing traded, no funds, no client id. */
const PLAIN = 4;
const ACTIVE = -1;
const REQUESTED = DONE_REASONS.indexOf('requested');

const amount = new Amount();

export class OutcomeBatch {
  private rows = new Float64Array(64 * ROW_LENGTH);
  private count = 0;
  private objects: (Outcome | string)[] = [];
  /** Counted apart for the reason given in event-batch.ts. */
  private objectCount = 0;

  clear(): void {
    this.count = 0;
    if (this.objectCount > 0) this.forgetObjects();
  }

  private forgetObjects(): void {
    this.objects = [];
    this.objectCount = 0;
  }

  private keep(object: Outcome | string): number {
    this.objects.push(object);
    return this.objectCount++;
  }

  /** An order as it stands, or, with a reason (see DONE_REASONS), as it ends with nothing remaining. */
  order(orders: OrderTable, row: number, done: number, funds: Amount, cancelledFunds: Amount): void {
    const dealt = orders.dealt(row);
    const isPlain = dealt === 0 && !orders.isByFunds(row) && !orders.hasTexts(row);
    const at = this.next(isPlain ? PLAIN : ORDER);
    const { rows } = this;
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
    rows[at + 13] = clientId ? this.keep(clientId) : -1;
  }

  /** An order without texts that rests, and nothing of it has traded. */
  resting(id: number, size: number): void {
    const at = this.next(PLAIN);
    const { rows } = this;
    rows[at + 1] = id;
    rows[at + 2] = ACTIVE;
    rows[at + 3] = size;
    rows[at + 4] = size;
    rows[at + 5] = 0;
  }

  /** The same when it is cancelled. */
  cancelled(id: number, size: number): void {
    const at = this.next(PLAIN);
    const { rows } = this;
    rows[at + 1] = id;
    rows[at + 2] = REQUESTED;
    rows[at + 3] = size;
    rows[at + 4] = 0;
    rows[at + 5] = size;
  }

  other(outcome: Outcome): void {
    const at = this.next(OTHER);
    this.rows[at + 1] = this.keep(outcome);
  }

  rejected(rejection: Rejection): void {
    this.other({ kind: 'rejected', rejection });
  }

  /** The next `count` outcomes are those of one command. */
  group(count: number): void {
    const at = this.next(GROUP);
    this.rows[at + 1] = count;
  }

  /** The order `cancelled` gave way; the next outcome is its replacement's, if there is one. */
  replaced(cancelled: number, hasReplacement: boolean): void {
    const at = this.next(REPLACED);
    this.rows[at + 1] = cancelled;
    this.rows[at + 2] = hasReplacement ? 1 : 0;
  }

  /** All that was written, as it lies here: for comparing two exchanges record by record. */
  get written(): { readonly rows: Float64Array; readonly objects: readonly (Outcome | string)[] } {
    return { rows: this.rows.subarray(0, this.count * ROW_LENGTH), objects: this.objects };
  }

  decode(): Outcome[] {
    const outcomes: Outcome[] = [];
    let index = 0;
    const take = () => index++;
    while (index < this.count) outcomes.push(this.read(take));
    return outcomes;
  }

  private read(take: () => number): Outcome {
    const { rows } = this;
    const at = take() * ROW_LENGTH;
    switch (rows[at]) {
      case PLAIN:
      case ORDER:
        return this.readOrder(at);
      case GROUP: {
        const outcomes = Array.from({ length: rows[at + 1] }, () => this.read(take));
        return { kind: 'orders', outcomes: outcomes as (OrderOutcome | Rejected)[] };
      }
      case REPLACED: {
        const replacement = rows[at + 2] === 1 ? (this.read(take) as OrderOutcome) : null;
        return { kind: 'altered', cancelled: rows[at + 1], replacement };
      }
      default:
        return this.objects[rows[at + 1]] as Outcome;
    }
  }

  private readOrder(at: number): OrderOutcome {
    const { rows } = this;
    const done = rows[at + 2];
    const isPlain = rows[at] === PLAIN;
    const amountAt = (field: number) => (isPlain ? 0n : toBigInt(rows[at + field], rows[at + field + 1]));
    return {
      kind: 'order',
      order: rows[at + 1],
      clientId: isPlain || rows[at + 13] < 0 ? '' : (this.objects[rows[at + 13]] as string),
      done: done === ACTIVE ? '' : DONE_REASONS[done],
      size: rows[at + 3],
      funds: amountAt(9),
      dealSize: isPlain ? 0 : rows[at + 6],
      dealFunds: amountAt(7),
      remaining: rows[at + 4],
      cancelledSize: rows[at + 5],
      cancelledFunds: amountAt(11),
    };
  }

  private next(kind: number): number {
    const at = this.count++ * ROW_LENGTH;
    if (at + ROW_LENGTH > this.rows.length) {
      const grown = new Float64Array(this.rows.length * 2);
      grown.set(this.rows);
      this.rows = grown;
    }
    this.rows[at] = kind;
    return at;
  }
}
