/**
 * The auction rule, implemented again from its text: it tries every candidate price and sums all orders for each. It
 * shares nothing with the core.
 */

export interface CalledOrder {
  readonly id: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly size: number;
}

export interface Uncrossed {
  readonly price: number;
  readonly volume: number;
  /** Above 0: surplus of buys at this price; below 0: surplus of sells. */
  readonly surplus: number;
  readonly reference: number;
}

/** `reference`: the last trade's price or the given one; null if there is neither. */
export function uncross(
  orders: readonly CalledOrder[],
  increment: number,
  reference: number | null,
): Uncrossed | null {
  let lowest = Infinity;
  let highest = 0;
  for (const { price } of orders) {
    lowest = Math.min(lowest, price);
    highest = Math.max(highest, price);
  }
  let candidates: { price: number; volume: number; surplus: number }[] = [];
  for (let price = Math.ceil(lowest / increment) * increment; price <= highest; price += increment) {
    let bought = 0;
    let sold = 0;
    for (const order of orders) {
      if (order.side === 'buy' && order.price >= price) bought += order.size;
      if (order.side === 'sell' && order.price <= price) sold += order.size;
    }
    candidates.push({ price, volume: Math.min(bought, sold), surplus: bought - sold });
  }

  // (1) the highest volume
  const volume = Math.max(0, ...candidates.map((each) => each.volume));
  if (volume === 0) return null;
  candidates = candidates.filter((each) => each.volume === volume);
  // (2) among those, the smallest surplus
  const least = Math.min(...candidates.map((each) => Math.abs(each.surplus)));
  candidates = candidates.filter((each) => Math.abs(each.surplus) === least);
  // (3) if all have a surplus of buys the highest, of sells the lowest
  const lastOf = (list: typeof candidates) => list[list.length - 1]!;
  const isBuy = candidates.every(({ surplus }) => surplus > 0);
  const isSell = candidates.every(({ surplus }) => surplus < 0);
  if (!isBuy && !isSell && least > 0) {
    // If the surplus changes sides, only the prices on both sides of the change remain.
    const from = lastOf(candidates.filter(({ surplus }) => surplus > 0)).price;
    const to = candidates.find(({ surplus }) => surplus < 0)!.price;
    candidates = candidates.filter(({ price }) => price >= from && price <= to);
  }
  const middle = Math.ceil((candidates[0]!.price + lastOf(candidates).price) / 2 / increment) * increment;
  const measured = reference ?? middle;
  let chosen = isBuy ? lastOf(candidates) : candidates[0]!;
  if (!isBuy && !isSell) {
    // (4) otherwise the price nearest to the reference; of two equally near, the higher
    for (const each of candidates) {
      if (Math.abs(each.price - measured) <= Math.abs(chosen.price - measured)) chosen = each;
    }
  }
  return { price: chosen.price, volume, surplus: chosen.surplus, reference: measured };
}

/** The fill of each order: better limits first and completely; at the auction price, earlier orders first. */
export function fillsOf(
  orders: readonly CalledOrder[],
  increment: number,
  { price, volume }: Uncrossed,
): Map<number, number> {
  const fills = new Map<number, number>();
  for (const side of ['buy', 'sell'] as const) {
    const sign = side === 'buy' ? 1 : -1;
    const eligible = orders.filter((order) => order.side === side && (order.price - price) * sign >= 0);
    const byPriority = eligible.toSorted((a, b) => (b.price - a.price) * sign || a.id - b.id);
    let left = volume;
    for (const order of byPriority) {
      const size = Math.min(left, order.size);
      if (size > 0) fills.set(order.id, size);
      left -= size;
      // Limits that are not candidates themselves share the volume of the next candidate.
      if (size < order.size && (order.price - price) * sign >= increment) {
        throw new Error(`order ${order.id} has a better price than ${price}, and is not filled`);
      }
    }
  }
  return fills;
}
