/**
 * The depth chart as numbers and as pixels: steps around the middle price, axis ticks, and their painting. Floats,
 * because they are only drawn.
 */

import type { Level } from '@bourse/client';
import { Decimal, formatAt, formatShort } from '../../decimal/decimal.ts';

export interface DepthStep {
  readonly price: string;
  /** The size of this level and all better ones. */
  readonly sum: string;
  /** The cost or proceeds of `sum` in the quote currency. */
  readonly value: string;
}

export interface Depth {
  readonly bids: readonly DepthStep[];
  readonly asks: readonly DepthStep[];
  readonly middle: number;
  /** The distance shown on each side of the middle; equal, so that both sides can be compared. */
  readonly reach: number;
  readonly most: number;
}

/** The maximum reach as a share of the middle price: orders far away would leave nothing to see. */
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

/** The last level at or before a price; undefined between the best prices. */
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

const AXIS_HEIGHT = 20;
const TICK_WIDTH = 110;
const TICK_HEIGHT = 60;

export const xOfPrice = ({ middle, reach }: Depth, price: number, width: number): number =>
  width / 2 + ((price - middle) / reach) * (width / 2);

export const priceAtX = ({ middle, reach }: Depth, x: number, width: number): number =>
  middle + ((x - width / 2) / (width / 2)) * reach;

/** Paints the steps, the axes, and a cross at the pointer. */
export function paintDepth(
  canvas: HTMLCanvasElement,
  depth: Depth,
  pointed: number | null,
  increment: string,
): void {
  const ratio = devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const bottom = height - AXIS_HEIGHT;
  const x = (price: number): number => xOfPrice(depth, price, width);
  const y = (sum: number): number => bottom - (sum / depth.most) * bottom;
  const line = (x1: number, y1: number, x2: number, y2: number): void => {
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  };

  context.font = '11px "Inter Variable", system-ui, sans-serif';
  context.lineWidth = 1;
  context.strokeStyle = color('line');
  const { middle, reach, most } = depth;
  const prices = ticksOf(middle - reach, middle + reach, Math.max(2, Math.floor(width / TICK_WIDTH)));
  for (const price of prices) line(x(price), 0, x(price), bottom);
  const sums = ticksOf(0, most, Math.max(2, Math.floor(bottom / TICK_HEIGHT))).slice(1);
  for (const sum of sums) line(0, y(sum), width, y(sum));

  const draw = (side: readonly DepthStep[], name: 'up' | 'down', edge: number): void => {
    if (side.length === 0) return;
    context.beginPath();
    context.moveTo(x(Number(side[0]!.price)), bottom);
    let before = 0;
    for (const { price, sum } of side) {
      context.lineTo(x(Number(price)), y(before));
      context.lineTo(x(Number(price)), y(Number(sum)));
      before = Number(sum);
    }
    context.lineTo(edge, y(before));
    context.strokeStyle = color(name);
    context.lineWidth = 1.5;
    context.stroke();
    context.lineTo(edge, bottom);
    context.closePath();
    context.fillStyle = color(`${name}-tint`);
    context.fill();
  };
  draw(depth.bids, 'up', 0);
  draw(depth.asks, 'down', width);

  context.fillStyle = color('muted');
  context.textAlign = 'right';
  for (const sum of sums) {
    context.fillText(formatShort(String(Number(sum.toPrecision(6)))), width - 6, y(sum) - 4);
  }
  context.textAlign = 'center';
  for (const price of prices) {
    const at = x(price);
    if (at > 30 && at < width - 30) context.fillText(formatAt(price.toFixed(12), increment), at, height - 6);
  }

  const step = pointed === null ? undefined : stepAt(depth, pointed);
  if (step === undefined) return;
  context.strokeStyle = color('line-strong');
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  const [px, py] = [x(Number(step.price)), y(Number(step.sum))];
  line(px, 0, px, bottom);
  line(0, py, width, py);
  context.setLineDash([]);
  context.fillStyle = color(Number(step.price) <= middle ? 'up' : 'down');
  context.beginPath();
  context.arc(px, py, 4, 0, Math.PI * 2);
  context.fill();
}
