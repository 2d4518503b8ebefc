/** Candles with volume; beside them the figures of the candle that is pointed at, exactly as the exchange sent them. */

import type { Candle } from '@bourse/client';
import { useEffect, useRef, useState } from 'react';
import { Decimal } from '../../decimal/decimal.ts';
import { formatAt, formatShort, placesOf } from '../../decimal/format.ts';
import { setPreferences } from '../../preferences/preferences.ts';
import { usePreferences } from '../../preferences/use-preferences.ts';
import { useTheme } from '../../preferences/use-theme.ts';
import { classNames } from '../../ui/class-names.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { useFills, useOpenOrders } from '../../user/user-queries.ts';
import { useMarket } from '../market-context.tsx';
import { offerPrice } from '../order-form/take-price.ts';
import { CandleChart, type ChartEvents } from './candle-chart.ts';
import { CandleFeed } from './candle-feed.ts';
import { intervalOf, intervals } from './intervals.ts';

type State = 'loading' | 'empty' | 'drawn' | { readonly error: unknown };

export default function Chart() {
  const { symbol } = useMarket();
  const { interval: type } = usePreferences();
  const theme = useTheme();
  const interval = intervalOf(type);
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<CandleChart>();
  const [state, setState] = useState<State>('loading');
  const [shown, setShown] = useState<Candle>();
  const open = useOpenOrders().data?.items;
  const fills = useFills(symbol.symbol, undefined).data?.items;

  const events = useRef<ChartEvents>(undefined);

  useEffect(() => {
    const drawing = new CandleChart(element.current!, {
      onCrosshair: (start) => events.current?.onCrosshair(start),
      onOldest: () => events.current?.onOldest(),
      onPrice: (price) => events.current?.onPrice(price),
    });
    setChart(drawing);
    return () => {
      setChart(undefined);
      drawing.close();
    };
  }, []);

  useEffect(() => {
    if (chart === undefined) return undefined;
    const known = new Map<number, Candle>();
    setState('loading');
    setShown(undefined);
    chart.begin(symbol.priceIncrement, interval.seconds);
    const feed = new CandleFeed(symbol.symbol, interval, {
      setAll: (candles) => {
        known.clear();
        for (const candle of candles) known.set(Number(candle[0]), candle);
        chart.setAll(candles);
        setState(candles.length === 0 ? 'empty' : 'drawn');
      },
      setLast: (candle) => {
        known.set(Number(candle[0]), candle);
        chart.setLast(candle);
      },
      setFailed: (error) => setState((before) => (before === 'drawn' ? before : { error })),
    });
    const places = placesOf(symbol.priceIncrement);
    events.current = {
      onCrosshair: (start) => setShown(start === undefined ? undefined : known.get(start)),
      onOldest: () => void feed.loadOlder(),
      // A place on a canvas is no exact price; the nearest one that the market has is meant.
      onPrice: (price) =>
        offerPrice(
          symbol.symbol,
          Decimal.of(price.toFixed(places)).floorTo(Decimal.of(symbol.priceIncrement)).toFixed(places),
        ),
    };
    return () => feed.close();
  }, [chart, symbol.symbol, symbol.priceIncrement, interval]);

  useEffect(() => chart?.applyTheme(), [chart, theme]);
  useEffect(
    () => chart?.setOrders(open?.filter((order) => order.symbol === symbol.symbol) ?? []),
    [chart, open, symbol.symbol, interval],
  );
  useEffect(() => chart?.setFills(fills ?? []), [chart, fills, interval]);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-8 shrink-0 items-center gap-3 overflow-x-auto px-2 text-xs [scrollbar-width:none]">
        <div role="group" aria-label="Interval of a candle" className="flex gap-0.5">
          {intervals.map((each) => (
            <button
              key={each.type}
              type="button"
              aria-pressed={each.type === interval.type}
              onClick={() => setPreferences({ interval: each.type })}
              className={classNames(
                'h-6 rounded px-1.5 hover:text-text',
                each.type === interval.type ? 'bg-hover font-medium text-accent' : 'text-muted',
              )}
            >
              {each.label}
            </button>
          ))}
        </div>
        <CandleFigures candle={shown} />
      </div>
      <div className="relative min-h-0 flex-1">
        <div
          ref={element}
          role="figure"
          aria-label={`Candles of ${symbol.symbol}, ${interval.label} each`}
          className="absolute inset-0"
        />
        {state === 'loading' && (
          <div className="absolute inset-0 bg-panel">
            <Loading label="Candles are loading" lines={8} />
          </div>
        )}
        {state === 'empty' && (
          <div className="absolute inset-0 bg-panel">
            <Empty icon="chart" title="Nothing was traded yet">
              The first trade in {symbol.symbol} begins its chart.
            </Empty>
          </div>
        )}
        {typeof state === 'object' && (
          <div className="absolute inset-0 bg-panel">
            <Failed error={state.error} />
          </div>
        )}
      </div>
    </div>
  );
}

function CandleFigures({ candle }: { readonly candle: Candle | undefined }) {
  const { symbol } = useMarket();
  if (candle === undefined) return null;
  const [, open, close, high, low, volume] = candle;
  const figures = [
    ['O', open],
    ['H', high],
    ['L', low],
    ['C', close],
  ] as const;
  return (
    <p className="flex gap-2.5 whitespace-nowrap text-muted">
      {figures.map(([name, value]) => (
        <span key={name}>
          <span className="text-faint">{name}</span> {formatAt(value, symbol.priceIncrement)}
        </span>
      ))}
      <span>
        <span className="text-faint">V</span> {formatShort(volume)}
      </span>
    </p>
  );
}
