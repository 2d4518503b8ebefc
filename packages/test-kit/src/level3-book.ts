/** A book maintained from level 3 messages only, as docs/api/order-books.md describes. */

export interface Level3Message {
  readonly type: 'received' | 'open' | 'match' | 'change' | 'done';
  readonly sequence: string;
  readonly orderId?: string;
  readonly makerOrderId?: string;
  readonly side?: 'buy' | 'sell';
  readonly price?: string;
  readonly size?: string;
  readonly newSize?: string;
}

interface Shown {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  size: bigint;
}

/** Rows of the snapshot: order id, price, size, and further fields. */
export interface Level3Snapshot {
  readonly sequence: string;
  readonly bids: readonly (readonly string[])[];
  readonly asks: readonly (readonly string[])[];
}

export class Level3Book {
  sequence: number;
  readonly #decimals: number;
  /** In the order in which they joined their queues. */
  readonly #orders = new Map<string, Shown>();

  /** `decimals`: of sizes. */
  constructor(decimals: number, { sequence, bids, asks }: Level3Snapshot) {
    this.#decimals = decimals;
    this.sequence = Number(sequence);
    for (const [side, rows] of [
      ['buy', bids],
      ['sell', asks],
    ] as const) {
      for (const [id, price, size] of rows) this.#orders.set(id, { side, price, size: this.#units(size) });
    }
  }

  apply(message: Level3Message): void {
    const sequence = Number(message.sequence);
    if (sequence <= this.sequence) return;
    if (sequence !== this.sequence + 1) {
      throw new Error(`message ${sequence} follows message ${this.sequence}: some are missing`);
    }
    this.sequence = sequence;
    const { orderId = '' } = message;
    switch (message.type) {
      case 'open': {
        const { side, price, size } = message as Required<Level3Message>;
        // Again with each slice of an iceberg, which joins the end of its queue.
        this.#orders.delete(orderId);
        this.#orders.set(orderId, { side, price, size: this.#units(size) });
        break;
      }
      case 'match':
        this.#take(message.makerOrderId ?? '', this.#units(message.size ?? ''));
        break;
      case 'change':
        this.#change(orderId, this.#units(message.newSize ?? ''));
        break;
      case 'done':
        this.#orders.delete(orderId);
        break;
      case 'received':
    }
  }

  /** Best price first, each price in the order of its queue. */
  rows(side: 'buy' | 'sell'): [id: string, price: string, size: string][] {
    const best = side === 'buy' ? -1 : 1;
    return [...this.#orders]
      .filter(([, each]) => each.side === side)
      .toSorted(([, a], [, b]) => best * (Number(a.price) - Number(b.price)))
      .map(([id, { price, size }]) => [id, price, this.#text(size)]);
  }

  /** A hidden order was never shown. */
  #take(id: string, size: bigint): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    order.size -= size;
    if (order.size < 0n) throw new Error(`order ${id} traded more than it showed`);
    if (order.size === 0n) this.#orders.delete(id);
  }

  #change(id: string, size: bigint): void {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`order ${id} changes and was never shown`);
    order.size = size;
  }

  #units(text: string): bigint {
    const [whole, part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(this.#decimals, '0'));
  }

  #text(units: bigint): string {
    if (this.#decimals === 0) return String(units);
    const digits = String(units).padStart(this.#decimals + 1, '0');
    const text = `${digits.slice(0, -this.#decimals)}.${digits.slice(-this.#decimals)}`;
    return text.replace(/\.?0+$/, '');
  }
}
