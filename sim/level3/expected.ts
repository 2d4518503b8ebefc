/**
 * The expected level-3 messages, computed only from the rows of `bourse export DIR orders`: a second implementation
 * of docs/api/order-books.md. The export shows hidden orders and complete icebergs; `reserved` tells which orders these are.
 */

import { parseOrderId } from '../../packages/api/src/gateway/ids.ts';

/** A message in comparable form: type and fields. */
export type MessageText = string;

/** Visible size of orders that are not completely visible, by order number; 0 for a hidden order. */
export type Reserved = ReadonlyMap<number, bigint>;

export type Row = ReadonlyMap<string, string>;

/** The order number in any form of an order id. */
export function numberOf(text: string): number {
  return /^[0-9a-f]{24}$/.test(text) ? parseOrderId(text)!.number : Number(text);
}

const DECIMALS = 20;
/** The maximum number of decimals of any symbol's sizes. */
export function unitsOf(text: string): bigint {
  const [whole, part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(DECIMALS, '0'));
}

/** A size in the symbol's units, in the same form. */
export const scaled = (units: number, sizeDecimals: number): bigint =>
  BigInt(units) * 10n ** BigInt(DECIMALS - sizeDecimals);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The state of one symbol while its export rows are processed in order. */
export class Expected {
  readonly texts: MessageText[] = [];
  readonly #reserved: Reserved;
  /** The visible sizes of orders in the book. */
  readonly #shown = new Map<number, bigint>();
  /** The trade whose first row, that of the incoming order, was read last. */
  #trade = '';

  constructor(reserved: Reserved, resting: Iterable<readonly [number, bigint]> = []) {
    this.#reserved = reserved;
    for (const [order, shown] of resting) this.#shown.set(order, shown);
  }

  take(row: Row): void {
    const order = numberOf(row.get('order_id')!);
    const isHidden = this.#reserved.get(order) === 0n;
    const remaining = unitsOf(row.get('remaining')!);
    switch (row.get('type')) {
      case 'received':
        if (!isHidden) this.#emit('received', order, row.get('side')!, row.get('order_type')!);
        break;
      case 'open':
        if (!isHidden) this.#open(order, row, remaining);
        break;
      case 'match':
        this.#match(order, row, remaining);
        break;
      case 'change':
        if (remaining < (this.#shown.get(order) ?? 0n)) {
          this.#shown.set(order, remaining);
          this.#emit('change', order, row.get('price')!, remaining);
        }
        break;
      case 'done':
        this.#shown.delete(order);
        if (!isHidden) this.#emit('done', order, row.get('reason') === 'filled' ? 'filled' : 'canceled');
    }
  }

  /** Each trade has two rows: the incoming order's, then the resting order's. */
  #match(order: number, row: Row, remaining: bigint): void {
    const trade = row.get('trade_id')!;
    const size = unitsOf(row.get('amount')!);
    if (trade !== this.#trade) {
      this.#trade = trade;
      const maker = numberOf(row.get('counter_order_id')!);
      this.#emit('match', maker, order, row.get('side')!, row.get('price')!, size, trade);
      return;
    }
    const shown = this.#shown.get(order);
    if (shown === undefined) return;
    this.#shown.set(order, shown - size);
    if (shown === size && remaining > 0n) this.#open(order, row, remaining);
  }

  #open(order: number, row: Row, remaining: bigint): void {
    const shown = least(this.#reserved.get(order) ?? remaining, remaining);
    this.#shown.set(order, shown);
    this.#emit('open', order, row.get('side')!, row.get('price')!, shown);
  }

  #emit(...words: (string | number | bigint)[]): void {
    this.texts.push(words.join(' '));
  }
}

interface Message {
  readonly type: string;
  readonly orderId: string;
  readonly makerOrderId: string;
  readonly takerOrderId: string;
  readonly side: string;
  readonly orderType: string;
  readonly price: string;
  readonly size: string;
  readonly newSize: string;
  readonly tradeId: string;
  readonly reason: string;
}

/** A feed message in the same form. */
export function messageTextOf(message: Message): MessageText {
  const words = (): (string | number | bigint)[] => {
    const { type, side, price } = message;
    if (type === 'match') {
      const maker = numberOf(message.makerOrderId);
      const taker = numberOf(message.takerOrderId);
      return [type, maker, taker, side, price, unitsOf(message.size), message.tradeId];
    }
    const order = numberOf(message.orderId);
    if (type === 'received') return [type, order, side, message.orderType];
    if (type === 'open') return [type, order, side, price, unitsOf(message.size)];
    if (type === 'change') return [type, order, price, unitsOf(message.newSize)];
    return [type, order, message.reason];
  };
  return words().join(' ');
}
