/** Done orders as rows of a pack. */

import type { DoneOrder } from '@bourse/core';
import type { ByteSink } from '../../bytes/byte-sink.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import type { HistoryOrder } from '../history.ts';
import { orderFlags, orderLane, readOrderFlags, readOrderLane } from './codes.ts';
import type { RowHead } from './packs.ts';

/** A done order with the one fill that is listed nowhere else as one of its own; 0 for none. */
export interface OrderRow {
  readonly order: HistoryOrder;
  readonly fill: number;
}

/** Record and time, which the pack has, are those of its end. */
export function writeOrder(sink: ByteSink, order: DoneOrder, fill: number): void {
  const { doneAt } = order;
  sink.whole(order.order);
  sink.whole(order.user);
  sink.whole(orderLane(order));
  sink.whole(orderFlags(order));
  sink.whole(order.price);
  sink.whole(order.size);
  sink.whole(order.dealSize);
  sink.amount(order.dealFunds);
  sink.amount(order.fee);
  sink.whole(order.feeSlack);
  sink.whole(order.cancelledSize);
  sink.whole(order.remaining);
  sink.whole(order.visible);
  sink.whole(order.makerRate);
  sink.whole(order.takerRate);
  sink.whole(doneAt - order.createdAt);
  sink.whole(doneAt - order.updatedAt);
  sink.whole(fill);
  sink.text(order.clientId);
  if (isPlain(order)) return;
  sink.whole(order.cancelAfterSec);
  sink.whole(order.expiresAt);
  sink.whole(order.visibleSize);
  sink.text(order.tags);
  sink.text(order.remark);
  sink.amount(order.funds);
  sink.amount(order.cancelledFunds);
}

/** Most orders have none of these fields, and their row ends before them. */
function isPlain(order: DoneOrder): boolean {
  return (
    order.cancelAfterSec === 0 &&
    order.expiresAt === 0 &&
    order.visibleSize === 0 &&
    order.tags === '' &&
    order.remark === '' &&
    order.funds === 0n &&
    order.cancelledFunds === 0n
  );
}

export function readOrder({ id, seq, time }: RowHead, source: ByteSource): OrderRow {
  const order = source.whole();
  const user = source.whole();
  const lane = readOrderLane(source.whole());
  const flags = readOrderFlags(source.whole());
  const fields = {
    price: source.whole(),
    size: source.whole(),
    dealSize: source.whole(),
    dealFunds: source.amount() ?? 0n,
    fee: source.amount() ?? 0n,
    feeSlack: source.whole(),
    cancelledSize: source.whole(),
    remaining: source.whole(),
    visible: source.whole(),
    makerRate: source.whole(),
    takerRate: source.whole(),
    createdAt: time - source.whole(),
    updatedAt: time - source.whole(),
  };
  const fill = source.whole();
  const clientId = source.text();
  const hasMore = source.left > 0;
  return {
    order: {
      id,
      order,
      user,
      ...lane,
      ...flags,
      ...fields,
      clientId,
      cancelAfterSec: hasMore ? source.whole() : 0,
      expiresAt: hasMore ? source.whole() : 0,
      visibleSize: hasMore ? source.whole() : 0,
      tags: hasMore ? source.text() : '',
      remark: hasMore ? source.text() : '',
      funds: hasMore ? (source.amount() ?? 0n) : 0n,
      cancelledFunds: hasMore ? (source.amount() ?? 0n) : 0n,
      hold: 0n,
      doneAt: time,
      seq,
    },
    fill,
  };
}
