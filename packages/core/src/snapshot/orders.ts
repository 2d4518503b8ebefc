/** Orders in a snapshot: active ones symbol by symbol, side by side, in order of priority; then unfinished work. */

import { BUY, type OrderTexts, SELL } from '../matching/orders/order-rows.ts';
import { OrderTable } from '../matching/orders/order-table.ts';
import { restingRows } from '../queries.ts';
import type { State } from '../state.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { isMarket, type Unfinished, type UnfinishedMarket } from '../matching/unfinished/unfinished.ts';

/** Reused for each order: allocating an array for each of a million orders would take most of the time. */
const fields = new Float64Array(OrderTable.fieldCount);

export function writeOrders(state: State, writer: ByteWriter): void {
  const { orders } = state;
  for (const instrument of state.instruments.all) {
    for (const side of [BUY, SELL]) {
      const rows = restingRows(state, instrument.number, side);
      writer.int(rows.length);
      for (const row of rows) {
        orders.readFields(row, fields);
        for (let i = 0; i < fields.length; i++) writer.number(fields[i]);
        writeTexts(orders.textsOf(row), writer);
      }
    }
  }
}

export function readOrders(state: State, reader: ByteReader): void {
  const ids: number[] = [];
  for (let books = state.instruments.all.length * 2; books > 0; books--) {
    for (let left = reader.int(); left > 0; left--) ids.push(readOrder(state, reader));
  }
  // Each trader's own list is in ascending id.
  const { orders, traders } = state;
  for (const id of Float64Array.from(ids).toSorted()) {
    const row = orders.rowOf(id);
    traders.append(orders, row, orders.user(row));
  }
}

function readOrder(state: State, reader: ByteReader): number {
  const { orders } = state;
  for (let i = 0; i < fields.length; i++) fields[i] = reader.number();
  const row = orders.restore(fields);
  const id = orders.id(row);
  const user = orders.user(row);
  const instrument = state.instruments.all[orders.symbol(row)];
  const texts = readTexts(reader);
  if (texts) orders.setTexts(row, texts);
  orders.setTrader(row, state.trader(user, instrument));
  instrument.book.enter(row);
  if (orders.expiresAt(row) > 0) state.expiries.set(id, orders.expiresAt(row));
  if (texts?.clientId) state.clientIds.claim(user, texts.clientId, id);
  return id;
}

function writeTexts(texts: OrderTexts | undefined, writer: ByteWriter): void {
  writer.byte(texts ? 1 : 0);
  if (!texts) return;
  writer.text(texts.clientId);
  writer.text(texts.tags);
  writer.text(texts.remark);
}

function readTexts(reader: ByteReader): OrderTexts | undefined {
  if (reader.byte() === 0) return undefined;
  return { clientId: reader.text(), tags: reader.text(), remark: reader.text() };
}

/** Unfinished work in a snapshot (T3). Orders are in no book, so each is written here with all its fields. */
export type UnfinishedSnapshot = UnfinishedOrderEntry | UnfinishedMarket;

interface UnfinishedOrderEntry extends Unfinished {
  readonly fields: readonly number[];
  readonly texts: OrderTexts | null;
}

export function listUnfinished({ orders, unfinished }: State): UnfinishedSnapshot[] {
  const values = new Float64Array(OrderTable.fieldCount);
  return unfinished.list.map((entry) => {
    if (isMarket(entry)) return entry;
    const { current, ticket, answer } = entry;
    const row = orders.rowOf(current.order);
    orders.readFields(row, values);
    return { current, ticket, answer, fields: [...values], texts: orders.textsOf(row) ?? null };
  });
}

/** Call after accounts and books are restored: the order's row refers to both. */
export function restoreUnfinished(state: State, entries: readonly UnfinishedSnapshot[]): void {
  const { orders } = state;
  for (const each of entries) {
    if ('task' in each) {
      state.unfinished.restore(each);
      // The call itself is over: only its trades are left.
      if (each.task === 'uncross') state.auctions.delete(each.symbol);
      continue;
    }
    const { fields: values, texts, ...entry } = each;
    const { order, user, symbol } = entry.current;
    const row = orders.restore(Float64Array.from(values));
    orders.setTrader(row, state.trader(user, state.instruments.all[symbol]));
    if (texts) orders.setTexts(row, texts);
    if (texts?.clientId) state.clientIds.claim(user, texts.clientId, order);
    state.unfinished.restore(entry);
  }
}
