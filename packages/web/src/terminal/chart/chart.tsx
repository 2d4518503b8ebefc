/** The chart of a market with the user's orders, indicators and drawn lines. */

import { useQueries } from '@tanstack/react-query';
import { lazy, type MouseEvent, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { formatExact } from '../../decimal/decimal.ts';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { usePreferences, useTheme } from '../../preferences/use-preferences.ts';
import { useSession } from '../../session/session.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { classNames } from '../../ui/text.ts';
import { showToast } from '../../ui/toast.tsx';
import { type Action, useAct } from '../../user/actions.ts';
import {
  type OcoDetails,
  useFills,
  useOcoOrders,
  useOpenOrders,
  useStopOrders,
} from '../../user/user-queries.ts';
import { useMarket } from '../market-context.tsx';
import { offerPrice } from '../order-form/order-drafts.ts';
import { cancelOco, cancelOrder, cancelStop } from '../orders/order-actions.ts';
import { CandleChart, type ChartEvents, type ChartPoint, type PriceMark } from './candle-chart.ts';
import { CandleFeed } from './candle-feed.ts';
import { ChartHandles, type Handle, type HandlePlace } from './chart-handles.tsx';
import { ChartLegend, ChartToolbar, LegendSource } from './chart-toolbar.tsx';
import { chartTypeOf, color, type Indicator, intervalOf, isIndicator, nearestPrice } from './chart-types.ts';
import { type Drawing, useDrawnLines } from './drawings.ts';
import { type LineOrder, type OrderLine, orderLines } from './order-lines.ts';
import type { ChartTools } from './tools/chart-tools.ts';

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
          // Above the chart, which would consume the second click of a double click.
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

/** The user's orders of one market as chart lines. */
function useOwnLines(symbol: string): readonly OrderLine[] {
  const session = useSession();
  const open = useOpenOrders().data;
  const stops = useStopOrders().data;
  const pairs = useOcoOrders().data;
  // The list has only the pairs' ids; their legs need a request each.
  const ocos = useQueries({
    queries: (pairs ?? [])
      .filter((pair) => pair.symbol === symbol)
      .map(({ orderId }) => {
        const path = `/api/v3/oco/order/details/${orderId}`;
        return {
          queryKey: ['user', session?.credentials.apiKey, path, {}],
          queryFn: () => session!.client.http.call<OcoDetails>('GET', path, { query: {} }),
          enabled: session !== null,
        };
      }),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return useMemo(() => {
    const here = (each: { readonly symbol: string }): boolean => each.symbol === symbol;
    return orderLines({ open: open?.filter(here) ?? [], stops: stops?.filter(here) ?? [], ocos });
  }, [open, stops, ocos, symbol]);
}

/** Indicators and trend lines on a chart. The code that draws them loads when the first is chosen. */
function useChartTools(
  chart: CandleChart | undefined,
  chosen: readonly string[],
  drawings: readonly Drawing[],
  drawn: FrameSignal,
): ChartTools | undefined {
  const [tools, setTools] = useState<ChartTools>();
  const isWanted = chosen.some(isIndicator) || drawings.some(({ kind }) => kind === 'trend');

  useEffect(() => {
    if (chart === undefined || !isWanted) return undefined;
    let made: ChartTools | undefined;
    let isClosed = false;
    const load = async (): Promise<void> => {
      const { ChartTools: Tools } = await import('./tools/chart-tools.ts');
      if (isClosed) return;
      made = new Tools(chart, color, () => drawn.changed());
      setTools(made);
    };
    load().catch(() => undefined);
    return () => {
      isClosed = true;
      setTools(undefined);
      if (!chart.isClosed) made?.close();
    };
  }, [chart, isWanted, drawn]);

  useEffect(() => tools?.setIndicators(new Set(chosen.filter(isIndicator) as Indicator[])), [tools, chosen]);
  useEffect(
    () => tools?.setTrends(drawings.filter((drawing) => drawing.kind === 'trend')),
    [tools, drawings],
  );
  return tools;
}

/**
 * Shows the chart over the complete page, and the page in full screen if the browser allows it. The page and not the
 * chart element, because menus and dialogs are elsewhere in the document.
 */
function useFullScreen(): [boolean, (isFull: boolean) => void] {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    if (!isFull) return undefined;
    const onChange = (): void => {
      if (document.fullscreenElement === null) setIsFull(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      const isOpen = document.querySelector('[role=dialog], [role=menu]') !== null;
      if (event.key === 'Escape' && !isOpen && !event.defaultPrevented) setIsFull(false);
    };
    document.addEventListener('fullscreenchange', onChange);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      document.removeEventListener('keydown', onKey);
      if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined);
    };
  }, [isFull]);
  const set = (next: boolean): void => {
    setIsFull(next);
    if (next) document.documentElement.requestFullscreen?.().catch(() => undefined);
  };
  return [isFull, set];
}

/** The labels of the user's orders on the chart: a drop opens the move dialog, and the cross cancels. */
function useOrderHandles(
  lines: readonly OrderLine[],
  onMove: (line: OrderLine, to: string) => void,
): readonly Handle[] {
  const act = useAct();
  const latest = useRef({ act, onMove });
  latest.current = { act, onMove };
  return useMemo(
    () =>
      lines.map((line) => {
        const name = `${line.text} at ${formatExact(line.price)}`;
        return {
          key: line.key,
          price: line.price,
          tone: line.side === 'buy' ? 'up' : 'down',
          text: line.text,
          name,
          onDrop: ({ price }) => latest.current.onMove(line, price),
          removeLabel: `Cancel ${name}`,
          onRemove: () => {
            for (const order of line.orders) {
              latest.current.act.mutate(cancelOf(order), {
                onSuccess: () => showToast('done', `Cancelled: ${name}`, '', line.key),
              });
            }
          },
        };
      }),
    [lines],
  );
}

function cancelOf(of: LineOrder): Action {
  if (of.kind === 'order') return cancelOrder(of.order);
  return of.kind === 'stop' ? cancelStop(of.stop) : cancelOco(of.oco);
}
