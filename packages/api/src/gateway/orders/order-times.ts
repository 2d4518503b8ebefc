/** Ids of orders known only by number: the creation time is half of an id, and fills do not contain it. */

import { orderId } from '../ids.ts';
import type { Services } from '../services.ts';

/** `at` replaces the creation time if history no longer has the order. */
export type OrderIds = (order: number, at: number) => string;

export async function idsOfOrders(
  { port, history }: Pick<Services, 'port' | 'history'>,
  orders: Iterable<number>,
): Promise<OrderIds> {
  const times = new Map<number, number>();
  const wanted = new Set(orders);
  await port.read((exchange) => {
    for (const order of wanted) {
      const found = exchange.order(order) ?? exchange.doneOrder(order);
      if (found) times.set(order, found.createdAt);
    }
  });
  for (const order of wanted) {
    if (times.has(order)) continue;
    const found = history.order(order);
    if (found) times.set(order, found.createdAt);
  }
  return (order, at) => orderId(order, times.get(order) ?? at);
}
