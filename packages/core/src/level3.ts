/** The public order-by-order book: without hidden orders, and with the visible slice of an iceberg. */

import type { Side } from './commands/commands.ts';
import { VISIBLE_QUEUE } from './matching/book/level-table.ts';
import { sideCode } from './matching/orders/order-flags.ts';
import type { State } from './state.ts';

export interface ShownOrder {
  readonly order: number;
  readonly price: number;
  /** The visible size. */
  readonly size: number;
  readonly createdAt: number;
}

export class Level3 {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** The number of level 3 messages of the symbol so far: see `Book.messages`. */
  sequence(symbol: number): number {
    return this.#state.instruments.all[symbol].book.messages;
  }

  /** One side, in order of priority. */
  orders(symbol: number, side: Side): ShownOrder[] {
    const shown: ShownOrder[] = [];
    const { orders, levels, instruments } = this.#state;
    instruments.all[symbol].book.sides[sideCode(side)].walk((level) => {
      const price = levels.price(level);
      for (let row = levels.first(level, VISIBLE_QUEUE); row >= 0; row = orders.next(row)) {
        shown.push({
          order: orders.id(row),
          price,
          size: orders.visible(row),
          createdAt: orders.createdAt(row),
        });
      }
      return true;
    });
    return shown;
  }
}
