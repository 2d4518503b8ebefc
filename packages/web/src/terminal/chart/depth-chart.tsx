/**
 * The depth chart: the amount that would trade down to, or up to, each price. Drawn once per frame; a click takes
 * price and size.
 */

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { formatAt, formatExact, formatMoney, formatShort, stepped } from '../../decimal/decimal.ts';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { useFrames } from '../../exchange/live-tickers.ts';
import { useTheme } from '../../preferences/use-preferences.ts';
import { Empty, Loading } from '../../ui/states.tsx';
import { useMarket } from '../market-context.tsx';
import { takePrice } from '../order-form/order-drafts.ts';
import { nearestPrice } from './chart-types.ts';
import {
  type Depth,
  depthOf,
  type DepthStep,
  paintDepth,
  priceAtX,
  stepAt,
  xOfPrice,
} from './depth-picture.ts';

const LEVELS_MAX = 400;
const never = new FrameSignal();

export default function DepthChart() {
  const { symbol, watch } = useMarket();
  const painted = useFrames(watch?.bookChanged ?? never);
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  /** The price below the pointer, or selected by the arrow keys. */
  const [price, setPrice] = useState<string | null>(null);
  const increment = symbol.priceIncrement;
  const depth = depthOf(watch?.levels('bids', LEVELS_MAX) ?? [], watch?.levels('asks', LEVELS_MAX) ?? []);
  const step = price === null ? undefined : stepAt(depth, Number(price));

  useEffect(() => {
    if (canvas.current === null) return;
    paintDepth(canvas.current, depth, price === null ? null : Number(price), increment);
  }, [watch, painted, theme, price]);

  if (watch?.hasBook !== true) return <Loading label="The order book is loading" />;
  if (depth.bids.length === 0 && depth.asks.length === 0) {
    return <Empty icon="chart" title="The order book is empty" />;
  }
  const pointAt = (event: PointerEvent<HTMLElement>): string => {
    const box = event.currentTarget.getBoundingClientRect();
    return nearestPrice(priceAtX(depth, event.clientX - box.left, box.width), increment);
  };
  const take = (at: string): void => {
    const found = stepAt(depth, Number(at));
    takePrice(symbol.symbol, found?.price ?? at, found?.sum);
  };
  const middle = nearestPrice(depth.middle, increment);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (direction !== 0) {
      event.preventDefault();
      setPrice(nextLevel(depth, price ?? middle, direction, increment));
    } else if (event.key === 'Enter' && price !== null) take(price);
  };
  return (
    <div
      role="slider"
      aria-label={`Depth of ${symbol.symbol}`}
      aria-orientation="horizontal"
      aria-valuemin={depth.middle - depth.reach}
      aria-valuemax={depth.middle + depth.reach}
      aria-valuenow={Number(price ?? middle)}
      aria-valuetext={
        step === undefined
          ? `Middle ${formatAt(middle, increment)}. Arrow keys move between levels; Enter selects one.`
          : wordsOf(step, symbol.baseCurrency, symbol.quoteCurrency)
      }
      tabIndex={0}
      onPointerMove={(event) => setPrice(pointAt(event))}
      onPointerLeave={() => setPrice(null)}
      onBlur={() => setPrice(null)}
      onClick={() => price !== null && take(price)}
      onKeyDown={onKeyDown}
      className="relative min-h-0 w-full flex-1 cursor-crosshair focus-visible:-outline-offset-2"
    >
      <canvas ref={canvas} aria-hidden="true" className="absolute inset-0 size-full" />
      {step !== undefined && <Pointed {...{ depth, step }} />}
    </div>
  );
}

function Pointed({ depth, step }: { readonly depth: Depth; readonly step: DepthStep }) {
  const { symbol } = useMarket();
  const { baseCurrency, quoteCurrency, priceIncrement } = symbol;
  const away = ((Number(step.price) - depth.middle) / depth.middle) * 100;
  const isLeft = xOfPrice(depth, Number(step.price), 1) < 0.5;
  return (
    <dl
      aria-hidden="true"
      style={isLeft ? { right: '0.75rem' } : { left: '0.75rem' }}
      className="pointer-events-none absolute top-2 grid grid-cols-[auto_auto] gap-x-3 rounded-md border border-line-strong bg-raised px-2 py-1.5 text-2xs shadow-pop"
    >
      <dt className="text-faint">Price</dt>
      <dd className="text-right">
        {formatAt(step.price, priceIncrement)} ({away > 0 ? '+' : '−'}
        {Math.abs(away).toFixed(2)} %)
      </dd>
      <dt className="text-faint">Size to there</dt>
      <dd className="text-right">
        {formatShort(step.sum)} {baseCurrency}
      </dd>
      <dt className="text-faint">Worth</dt>
      <dd className="text-right">
        {formatMoney(step.value, '0.01')} {quoteCurrency}
      </dd>
    </dl>
  );
}

const wordsOf = ({ price, sum, value }: DepthStep, base: string, quote: string): string =>
  `${formatExact(price)}: ${formatExact(sum)} ${base} to there, worth ${formatMoney(value, '0.01')} ${quote}`;

/** The next level in that direction, even across the middle. */
function nextLevel({ bids, asks }: Depth, from: string, direction: number, increment: string): string {
  const prices = [...bids.map(({ price }) => price).toReversed(), ...asks.map(({ price }) => price)];
  const at = Number(from);
  const next =
    direction > 0
      ? prices.find((price) => Number(price) > at)
      : prices.findLast((price) => Number(price) < at);
  return next ?? stepped(from, increment, 0) ?? from;
}
