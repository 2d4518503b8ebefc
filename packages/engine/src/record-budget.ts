/**
 * How much work the next record may hold. While a record is applied, published and answered, this thread does nothing
 * else: no reads, no new requests. The cost of a command is not known in advance (an order may match one other or ten
 * thousand), so it is learned: a record that took too long makes the next ones smaller, and full records that were
 * quick make them larger. While few commands are pending, the budget returns to its initial value, so that the next
 * burst does not begin with a record that is too large.
 */

import type { Command, OrderRequest } from '@bourse/core';

/** Target duration of a record. */
const TARGET_MS = 5;
/** Initial value. Always used if the log must not depend on the speed of the machine. */
export const START_WORK = 64;
/** The share of the budget above the initial value that is kept after a record that held all pending commands. */
const FADING = 0.9;
/** Cancelling all orders may affect none or thousands: until the cost is learned, one such command fills a record. */
const CANCEL_ALL_WORK = START_WORK;

/** 1 for an order or a command of similar cost. */
export function workOf(command: Command): number {
  switch (command.kind) {
    case 'place-orders':
      return command.orders.length;
    case 'cancel-orders':
      return CANCEL_ALL_WORK;
    default:
      return 1;
  }
}

/**
 * A record's content: all pending commands; as many as fit; or first the rest of an order of an earlier record,
 * so that its time says nothing about its commands.
 */
export type RecordLoad = 'everything' | 'full' | 'unfinished';

export function loadOf(left: number, hasUnfinished: boolean): RecordLoad {
  if (hasUnfinished) return 'unfinished';
  return left > 0 ? 'full' : 'everything';
}

export class RecordBudget {
  readonly #workMax: number;
  #work: number;

  constructor(workMax: number) {
    this.#workMax = workMax;
    this.#work = Math.min(START_WORK, workMax);
  }

  get work(): number {
    return Math.floor(this.#work);
  }

  /** Updates the budget with the content of a record and the time it took. */
  note(work: number, ms: number, load: RecordLoad): void {
    if (load === 'unfinished' || work === 0) return;
    if (ms > TARGET_MS) {
      this.#work = Math.max(1, Math.min(this.#work, (work * TARGET_MS) / ms));
    } else if (load === 'full') {
      if (ms < TARGET_MS / 2) this.#work = Math.min(this.#workMax, this.#work * 2);
    } else if (this.#work > START_WORK) {
      // Work that was just done in time can be repeated: a smaller record would only reduce throughput.
      this.#work = Math.max(START_WORK, this.#work * FADING, Math.min(this.#work, work));
    } else if (this.#work < START_WORK) this.#work = Math.min(START_WORK, this.#workMax, this.#work * 2);
  }
}

const ORDER_BYTES = 64;
const CANDLE_BYTES = 40;
const FIELD_BYTES = 16;

/**
 * Estimates the bytes of a command in the log and in the queue. Accurate enough to bound a queue and a record, and
 * cheap enough for every command; the log counts its actual bytes.
 */
export function commandBytes(command: Command): number {
  switch (command.kind) {
    case 'place-order':
      return orderBytes(command);
    case 'cancel-order':
      return ORDER_BYTES + (command.clientId?.length ?? 0);
    case 'place-orders': {
      let bytes = ORDER_BYTES;
      for (const order of command.orders) bytes += orderBytes(order);
      return bytes;
    }
    case 'import-candles':
      return ORDER_BYTES + CANDLE_BYTES * command.candles.length;
    default:
      return valueBytes(command);
  }
}

function orderBytes({ clientId, tags, remark }: OrderRequest): number {
  return ORDER_BYTES + (clientId?.length ?? 0) + (tags?.length ?? 0) + (remark?.length ?? 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return FIELD_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return FIELD_BYTES;
  let bytes = FIELD_BYTES;
  for (const key of Object.keys(value)) {
    bytes += FIELD_BYTES + valueBytes((value as Record<string, unknown>)[key]);
  }
  return bytes;
}
