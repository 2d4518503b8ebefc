/** Depth as numbers: steps of both sides around the middle, and ticks of the axes. For drawing, so floats do. */

import type { Level } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';

export interface DepthStep {
  readonly price: string;
  /** Of this level and all better ones. */
  readonly sum: string;
  /** What that much costs or brings, in the quote currency. */
  readonly value: string;
}

export interface Depth {
  readonly bids: readonly DepthStep[];
  readonly asks: readonly DepthStep[];
  readonly middle: number;
  /** As far to the one side as to the other, so that both can be compared. */
  readonly reach: number;
  readonly most: number;
}

/** No further than this part of the middle: orders far away would leave nothing to see. */
const REACH_MAX = 0.05;

export function depthOf(bidLevels: readonly Level[], askLevels: readonly Level[]): Depth {
  const [bids, asks] = [stepsOf(bidLevels), stepsOf(askLevels)];
  const [bid, ask] = [
    Number(bids[0]?.price ?? asks[0]?.price ?? 0),
    Number(asks[0]?.price ?? bids[0]?.price ?? 0),
  ];
  const middle = (bid + ask) / 2;
  const far = Math.max(
    middle - Number(bids.at(-1)?.price ?? middle),
    Number(asks.at(-1)?.price ?? middle) - middle,
  );
  const reach = Math.min(far, middle * REACH_MAX) || middle * REACH_MAX || 1;
  const near = (side: readonly DepthStep[]): DepthStep[] =>
    side.filter(({ price }) => Math.abs(Number(price) - middle) <= reach);
  const [nearBids, nearAsks] = [near(bids), near(asks)];
  const most = Math.max(Number(nearBids.at(-1)?.sum ?? 0), Number(nearAsks.at(-1)?.sum ?? 0)) * 1.08 || 1;
  return { bids: nearBids, asks: nearAsks, middle, reach, most };
}

function stepsOf(levels: readonly Level[]): DepthStep[] {
  let [sum, value] = [Decimal.zero, Decimal.zero];
  return levels.map(([price, size]) => {
    const amount = Decimal.of(size);
    sum = sum.plus(amount);
    value = value.plus(amount.times(Decimal.of(price)));
    return { price, sum: sum.toString(), value: value.toString() };
  });
}

/** The level that a price is at or beyond; undefined between the best ones. */
export function stepAt({ bids, asks, middle }: Depth, price: number): DepthStep | undefined {
  return price <= middle
    ? bids.findLast((step) => Number(step.price) >= price)
    : asks.findLast((step) => Number(step.price) <= price);
}

/** Round numbers from `from` to `to`, about `count` of them. */
export function ticksOf(from: number, to: number, count: number): number[] {
  const rough = (to - from) / count;
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
}
