/** The user's orders as chart lines: open orders, waiting stops, and both legs of OCO orders. */

import type { Order, Side } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';
import type { OcoDetails, StopOrder } from '../../user/user-queries.ts';

type OcoPart = OcoDetails['orders'][number];

/** The order or leg behind a line. */
export type LineOrder =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'stop'; readonly stop: StopOrder }
  | {
      readonly kind: 'oco';
      readonly oco: OcoDetails;
      readonly limit: OcoPart;
      readonly stop: OcoPart;
      readonly remark: string;
      /** The leg that the line shows. */
      readonly part: 'limit' | 'stop';
    };

export interface OrderLine {
  readonly key: string;
  readonly price: string;
  readonly side: Side;
  /** The label, such as "2 × buy 0.03" or "sell stop 0.01". */
  readonly text: string;
  /** Orders of one kind at one price share a line, because their labels would overlap. */
  readonly orders: readonly LineOrder[];
}

export interface OwnOrders {
  readonly open: readonly Order[];
  readonly stops: readonly StopOrder[];
  readonly ocos: readonly OcoDetails[];
}

export function orderLines({ open, stops, ocos }: OwnOrders): OrderLine[] {
  const pairs = ocos.flatMap((oco) => pairOf(oco));
  const paired = new Set(pairs.flatMap(({ limit, stop }) => [limit.id, stop.id]));
  const lines: OrderLine[] = [];
  const groups = Map.groupBy(
    open.filter(({ id }) => !paired.has(id)),
    ({ side, price }) => `${side} ${price}`,
  );
  for (const [key, group] of groups) {
    const { side, price } = group[0]!;
    const size = group.reduce((sum, each) => sum.plus(Decimal.of(each.remainSize)), Decimal.zero);
    const text = `${group.length > 1 ? `${group.length} × ` : ''}${side} ${size.toString()}`;
    const orders = group.map((order) => ({ kind: 'order', order }) as const);
    lines.push({ key: `order ${key}`, price, side, text, orders });
  }
  for (const stop of stops) {
    if (paired.has(stop.id)) continue;
    const amount = stop.size ?? `for ${stop.funds}`;
    lines.push({
      key: `stop ${stop.id}`,
      price: stop.stopPrice,
      side: stop.side,
      text: `${stop.side} stop ${amount}`,
      orders: [{ kind: 'stop', stop }],
    });
  }
  for (const { oco, limit, stop } of pairs) {
    // The pair has no remark; its open order has.
    const remark = open.find(({ id }) => id === limit.id)?.remark ?? '';
    for (const part of ['limit', 'stop'] as const) {
      const { side, size } = limit;
      lines.push({
        key: `oco ${oco.orderId} ${part}`,
        price: part === 'limit' ? limit.price : stop.stopPrice,
        side,
        text: `${side} OCO ${part} ${size}`,
        orders: [{ kind: 'oco', oco, limit, stop, remark, part }],
      });
    }
  }
  return lines;
}

interface Pair {
  readonly oco: OcoDetails;
  readonly limit: OcoPart;
  readonly stop: OcoPart;
}

/** The limit order is the first leg and repeats its price as stopPrice. Empty if a leg is missing. */
function pairOf(oco: OcoDetails): Pair[] {
  const [limit, stop] = oco.orders;
  return limit === undefined || stop === undefined ? [] : [{ oco, limit, stop }];
}
