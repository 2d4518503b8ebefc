/** The course of a market, with the user's orders, indicators and drawn lines on it. */

import { lazy, type MouseEvent, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { usePreferences } from '../../preferences/use-preferences.ts';
import { useTheme } from '../../preferences/use-theme.ts';
import { classNames } from '../../ui/class-names.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { useFills } from '../../user/user-queries.ts';
import { useMarket } from '../market-context.tsx';
import { offerPrice } from '../order-form/take-price.ts';
import { CandleChart, type ChartEvents, type ChartPoint, type PriceMark } from './candle-chart.ts';
import { CandleFeed } from './candle-feed.ts';
import { ChartHandles, type HandlePlace } from './chart-handles.tsx';
import { ChartLegend, LegendSource } from './chart-legend.tsx';
import { ChartToolbar } from './chart-toolbar.tsx';
import { chartTypeOf } from './chart-types.ts';
import { intervalOf } from './intervals.ts';
import type { OrderLine } from './order-lines.ts';
import { useOwnLines } from './own-lines.ts';
import { nearestPrice } from './price-step.ts';
import { useChartTools } from './use-chart-tools.ts';
import { useDrawnLines } from './use-drawn-lines.ts';
import { useFullScreen } from './use-full-screen.ts';
import { useOrderHandles } from './use-order-handles.ts';

const MoveDialog = lazy(() => import('./move-dialog.tsx'));

type State = 'loading' | 'empty' | 'drawn' | { readonly error: unknown };

export default function Chart() {
  const { symbol, watch } = useMarket();
  const { interval: type, chartType, isLogScale, indicators } = usePreferences();
  const theme = useTheme();
  const interval = intervalOf(type);
  const element = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => new FrameSignal(), []);
  const [chart, setChart] = useState<CandleChart>();
  const [state, setState] = useState<State>('loading');
  const legend = useMemo(() => new LegendSource(), []);
  const [isAtNow, setIsAtNow] = useState(true);
  const [moving, setMoving] = useState<{ readonly line: OrderLine; readonly to: string }>();
  const [isFull, setIsFull] = useFullScreen();
  const fills = useFills(symbol.symbol, undefined).data?.items;
  const lines = useOwnLines(symbol.symbol);
  const drawn = useDrawnLines(symbol, chart, element);
  const tools = useChartTools(chart, indicators, drawn.drawings, legend.changed);
  const events = useRef<ChartEvents>(undefined);

  useEffect(() => {
    const drawing = new CandleChart(element.current!, {
      onCrosshair: (start) => events.current?.onCrosshair(start),
      onOldest: () => events.current?.onOldest(),
      onClick: (at) => events.current?.onClick(at),
      onLayout: () => layout.changed(),
    });
    setChart(drawing);
    return () => {
      setChart(undefined);
      drawing.close();
    };
  }, [layout]);

  const feed = useRef<CandleFeed>(undefined);
  useEffect(() => {
    if (chart === undefined) return undefined;
    setState('loading');
    legend.point(undefined);
    chart.begin(symbol.priceIncrement, interval.seconds);
    const opened = new CandleFeed(symbol.symbol, interval, {
      setAll: (all) => {
        chart.setAll(all);
        legend.changed.changed();
        setState(all.length === 0 ? 'empty' : 'drawn');
      },
      setLast: (candle) => {
        chart.setLast(candle);
        legend.changed.changed();
      },
      setFailed: (error) => setState((before) => (before === 'drawn' ? before : { error })),
    });
    feed.current = opened;
    return () => opened.close();
  }, [chart, legend, symbol.symbol, symbol.priceIncrement, interval]);

  events.current = {
    onCrosshair: (start) => legend.point(start),
    onOldest: () => void feed.current?.loadOlder(),
    onClick: ({ price }) => offerPrice(symbol.symbol, nearestPrice(price, symbol.priceIncrement)),
    onLayout: () => undefined,
  };

  useEffect(
    () => layout.subscribe(() => chart !== undefined && !chart.isClosed && setIsAtNow(chart.isAtNow)),
    [chart, layout],
  );
  useEffect(() => chart?.setType(chartTypeOf(chartType)), [chart, chartType]);
  useEffect(() => chart?.setLogScale(isLogScale), [chart, isLogScale]);
  useEffect(() => chart?.applyTheme(), [chart, theme]);
  useEffect(() => chart?.setFills(fills ?? []), [chart, fills, interval]);

  const handlesOfOrders = useOrderHandles(lines, (line, to) => setMoving({ line, to }));
  const marks = useMemo(() => [...lines.map(markOf), ...drawn.marks], [lines, drawn.marks]);
  useEffect(() => chart?.setMarks(marks), [chart, marks, interval]);
  const handles = useMemo(() => [...handlesOfOrders, ...drawn.handles], [handlesOfOrders, drawn.handles]);
  const drag = (key: string, to: HandlePlace | null): void => {
    drawn.onDrag(key, to);
    const at = lines.findIndex((line) => line.key === key);
    if (to !== null && at >= 0) chart?.setMarks(marks.with(at, { ...marks[at]!, price: to.price }));
    else if (drawn.handles.every((handle) => handle.key !== key)) chart?.setMarks(marks);
  };

  return (
    <div className={classNames('flex flex-col bg-panel', isFull ? 'fixed inset-0 z-30' : 'min-h-0 flex-1')}>
      <ChartToolbar
        symbol={symbol.symbol}
        interval={interval.type}
        isAtNow={isAtNow || state !== 'drawn'}
        onNow={() => chart?.toNow()}
        onDraw={drawn.begin}
        isFull={isFull}
        onFull={setIsFull}
      />
      <div className="relative min-h-0 flex-1">
        <div
          ref={element}
          role="figure"
          aria-label={`Candles of ${symbol.symbol}, ${interval.label} each`}
          tabIndex={-1}
          className="absolute inset-0"
        />
        {state === 'drawn' && (
          <>
            {chart !== undefined && (
              <ChartLegend {...{ chart, tools }} source={legend} increment={symbol.priceIncrement} />
            )}
            {chart !== undefined && (
              <ChartHandles {...{ chart, handles, layout }} increment={symbol.priceIncrement} onDrag={drag} />
            )}
          </>
        )}
        {drawn.tool !== null && chart !== undefined && (
          // Above the chart, which swallows the second of two quick clicks.
          <div
            aria-hidden="true"
            data-testid="drawing-area"
            onClick={(event) => withPoint(chart, event, drawn.onPoint)}
            onPointerMove={(event) => withPoint(chart, event, drawn.onHover)}
            className="absolute inset-0 z-20 cursor-crosshair"
          />
        )}
        {drawn.hint !== '' && (
          <p
            role="status"
            className="absolute top-2 left-1/2 z-20 -translate-x-1/2 rounded-md border border-line-strong bg-raised px-3 py-1 text-xs shadow-pop"
          >
            {drawn.hint}
          </p>
        )}
        {state === 'loading' && (
          <Cover>
            <Loading label="Candles are loading" lines={8} />
          </Cover>
        )}
        {state === 'empty' && (
          <Cover>
            <Empty icon="chart" title="No trades yet">
              The first trade in {symbol.symbol} begins its chart.
            </Empty>
          </Cover>
        )}
        {typeof state === 'object' && (
          <Cover>
            <Failed error={state.error} />
          </Cover>
        )}
      </div>
      {moving !== undefined && (
        <Suspense>
          <MoveDialog {...moving} {...{ symbol, watch }} onClose={() => setMoving(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

function withPoint(chart: CandleChart, event: MouseEvent<HTMLElement>, take: (at: ChartPoint) => void): void {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  const price = chart.priceAt(event.clientY - top);
  const time = chart.timeAt(event.clientX - left);
  if (price !== null && time !== null && price > 0) take({ price, time });
}

const Cover = ({ children }: { readonly children: React.ReactNode }) => (
  <div className="absolute inset-0 bg-panel">{children}</div>
);

const markOf = ({ price, side, orders: [first] }: OrderLine): PriceMark => ({
  price,
  tone: side === 'buy' ? 'up' : 'down',
  style: first?.kind === 'order' ? 'dashed' : 'dotted',
});
