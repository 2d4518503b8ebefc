/** Unfinished work in a snapshot (T3). Orders are in no book, so each is written here with all its fields. */

import type { OrderTexts } from '../matching/orders/order-flags.ts';
import { OrderTable } from '../matching/orders/order-table.ts';
import { isMarket, type Unfinished, type UnfinishedMarket } from '../matching/unfinished/unfinished.ts';
import type { State } from '../state.ts';

export type UnfinishedSnapshot = UnfinishedOrderEntry | UnfinishedMarket;

interface UnfinishedOrderEntry extends Unfinished {
  readonly fields: readonly number[];
  readonly texts: OrderTexts | null;
}

export function listUnfinished({ orders, unfinished }: State): UnfinishedSnapshot[] {
  const fields = new Float64Array(OrderTable.fieldCount);
  return unfinished.list.map((entry) => {
    if (isMarket(entry)) return entry;
    const { current, ticket, answer } = entry;
    const row = orders.rowOf(current.order);
    orders.readFields(row, fields);
    return { current, ticket, answer, fields: [...fields], texts: orders.textsOf(row) ?? null };
  });
}

/** Call after accounts and books are restored: the order's row refers to both. */
export function restoreUnfinished(state: State, entries: readonly UnfinishedSnapshot[]): void {
  const { orders } = state;
  for (const each of entries) {
    if ('task' in each) {
      state.unfinished.restore(each);
      // Its call has ended.
      if (each.task === 'uncross') state.auctions.delete(each.symbol);
      continue;
    }
    const { fields, texts, ...entry } = each;
    const { order, user, symbol } = entry.current;
    const row = orders.restore(Float64Array.from(fields));
    orders.setTrader(row, state.trader(user, state.instruments.all[symbol]));
    if (texts) orders.setTexts(row, texts);
    if (texts?.clientId) state.clientIds.take(user, texts.clientId, order);
    state.unfinished.restore(entry);
  }
}
