/** Looks at private order messages: each order's in the right order, with sums that agree. */

import assert from 'node:assert/strict';
import type { Data } from '../feed-client.ts';

interface Seen {
  readonly type: string;
  readonly filled: number;
}

/** The valid transitions; '' is the start. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '': ['received'],
  received: ['open', 'match', 'update', 'filled', 'canceled'],
  open: ['match', 'update', 'filled', 'canceled'],
  match: ['open', 'match', 'update', 'filled', 'canceled'],
  update: ['open', 'match', 'update', 'filled', 'canceled'],
  filled: [],
  canceled: [],
};
const DECIMALS = 1e8;

export class OrderWatch {
  readonly #orders = new Map<string, Seen>();

  take(data: Data): void {
    const id = String(data['orderId']);
    const before = this.#orders.get(id) ?? { type: '', filled: 0 };
    const type = String(data['type']);
    const units = (name: string) => Math.round(Number(data[name]) * DECIMALS);
    const filled = units('filledSize');
    const sum = filled + units('remainSize') + units('canceledSize');
    assert.ok(NEXT[before.type].includes(type), `${id}: ${type} after ${before.type}`);
    // An order by funds has no size to begin with.
    if (data['originFunds'] === undefined)
      assert.equal(sum, units('originSize'), `${id}: parts are not the whole`);
    assert.equal(filled, before.filled + (type === 'match' ? units('matchSize') : 0), `${id}: filled`);
    if (NEXT[type].length === 0) this.#orders.delete(id);
    else this.#orders.set(id, { type, filled });
  }
}
