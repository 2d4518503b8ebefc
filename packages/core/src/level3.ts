/** The book order by order, as everybody sees it: without hidden orders, and of an iceberg the slice that shows. */

import type { Side } from './commands/commands.ts';
import { VISIBLE_QUEUE } from './matching/book/level-table.ts';
import { sideCode } from './matching/orders/order-flags.ts';
import type { State } from './state.ts';

export interface ShownOrder {
  readonly order: number;
  readonly price: number;
  /** What shows. */
  readonly size: number;
  readonly createdAt: number;
}

export class Level3 {
  private readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  /** How many messages tell what happened in the symbol, one by one: see `Book.messages`. */
  sequence(symbol: number): number {
    return this.state.instruments.all[symbol].book.messages;
  }

  /** Of one side, in order of priority. */
  orders(symbol: number, side: Side): ShownOrder[] {
    const shown: ShownOrder[] = [];
    const { orders, levels, instruments } = this.state;
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
