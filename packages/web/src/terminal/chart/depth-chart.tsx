/** Depth: how much would be traded down to, or up to, a price. Drawn once a frame on a canvas. */

import { useEffect, useRef } from 'react';
import { Decimal } from '../../decimal/decimal.ts';
import { formatExact } from '../../decimal/format.ts';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { useFrames } from '../../exchange/use-frames.ts';
import { useTheme } from '../../preferences/use-theme.ts';
import { Empty, Loading } from '../../ui/states.tsx';
import { useMarket } from '../market-context.tsx';

const LEVELS_MAX = 400;
const AXIS_HEIGHT = 20;
const never = new FrameSignal();

interface Step {
  readonly price: number;
  readonly sum: number;
}

export default function DepthChart() {
  const { symbol, watch } = useMarket();
  const painted = useFrames(watch?.bookChanged ?? never);
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const isEmpty = watch?.levels('bids', 1).length === 0 && watch.levels('asks', 1).length === 0;

  useEffect(() => {
    if (watch?.hasBook !== true || canvas.current === null) return;
    const sides = [steps(watch.levels('bids', LEVELS_MAX)), steps(watch.levels('asks', LEVELS_MAX))] as const;
    paint(canvas.current, sides[0], sides[1]);
  }, [watch, painted, theme]);

  if (watch?.hasBook !== true) return <Loading label="The order book is loading" />;
  if (isEmpty) return <Empty icon="chart" title="The order book is empty" />;
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`Depth of ${symbol.symbol}`}
      className="h-full min-h-0 w-full flex-1"
    />
  );
}

function steps(levels: readonly (readonly [string, string])[]): Step[] {
  let sum = Decimal.zero;
  return levels.map(([price, size]) => {
    sum = sum.plus(Decimal.of(size));
    return { price: Number(price), sum: Number(sum.toString()) };
  });
}

function paint(canvas: HTMLCanvasElement, bids: readonly Step[], asks: readonly Step[]): void {
  const ratio = devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const [bid, ask] = [bids[0]?.price ?? asks[0]?.price ?? 0, asks[0]?.price ?? bids[0]?.price ?? 0];
  const middle = (bid + ask) / 2;
  // As far to the one side as to the other, so that both can be compared.
  const reach = Math.min(
    Math.max(middle - (bids.at(-1)?.price ?? middle), (asks.at(-1)?.price ?? middle) - middle),
    middle * 0.05,
  );
  const near = (side: readonly Step[]): Step[] =>
    side.filter(({ price }) => Math.abs(price - middle) <= reach);
  const [nearBids, nearAsks] = [near(bids), near(asks)];
  const most = Math.max(nearBids.at(-1)?.sum ?? 0, nearAsks.at(-1)?.sum ?? 0) * 1.08 || 1;
  const bottom = height - AXIS_HEIGHT;
  const x = (price: number): number => width / 2 + ((price - middle) / (reach || 1)) * (width / 2);
  const y = (sum: number): number => bottom - (sum / most) * bottom;

  const draw = (side: readonly Step[], name: 'up' | 'down', edge: number): void => {
    if (side.length === 0) return;
    context.beginPath();
    context.moveTo(x(side[0]!.price), bottom);
    let before = 0;
    for (const { price, sum } of side) {
      context.lineTo(x(price), y(before));
      context.lineTo(x(price), y(sum));
      before = sum;
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
  draw(nearBids, 'up', 0);
  draw(nearAsks, 'down', width);

  context.fillStyle = color('muted');
  context.font = '11px "Inter Variable", system-ui, sans-serif';
  const label = (text: string, at: number, align: CanvasTextAlign): void => {
    context.textAlign = align;
    context.fillText(text, at, height - 6);
  };
  const digits = Math.max(0, 6 - Math.ceil(Math.log10(Math.max(middle, 1e-9))));
  label(formatExact((middle - reach).toFixed(digits)), 8, 'left');
  label(formatExact(middle.toFixed(digits)), width / 2, 'center');
  label(formatExact((middle + reach).toFixed(digits)), width - 8, 'right');
}
