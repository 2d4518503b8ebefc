/** The layout of the terminal at each page width. */

import {
  type CSSProperties,
  lazy,
  type ReactNode,
  startTransition,
  Suspense,
  useEffect,
  useState,
} from 'react';
import { usePreferences } from '../preferences/use-preferences.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, Sheet } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Panel, Scrolled } from '../ui/panel.tsx';
import { useWidth } from '../ui/size.ts';
import { Empty, Loading } from '../ui/states.tsx';
import { Segments, Tabs } from '../ui/tabs.tsx';
import { OrderBookView } from './book/order-book.tsx';
import { TradeList } from './book/trade-list.tsx';
import { MarketAssets } from './market-assets.tsx';
import { useMarket } from './market-context.tsx';
import { MarketNotes, useMarketState } from './market-notes.tsx';
import { MarketHeader } from './markets/market-header.tsx';
import { MarketList } from './markets/market-list.tsx';
import type { OrderDraft } from './order-form/order-draft.ts';
import { changeDraft } from './order-form/order-drafts.ts';
import { OrderForm } from './order-form/order-form.tsx';
import { OrdersPanel } from './orders/orders-panel.tsx';
import {
  Divider,
  type DividerProps,
  LayoutMenu,
  minOf,
  type PanelName,
  type SizeName,
  sizesOf,
} from './panels.tsx';

// Lazy, because the chart library is as large as the rest of the page.
const Chart = lazy(() => import('./chart/chart.tsx'));
const DepthChart = lazy(() => import('./chart/depth-chart.tsx'));

/** The workspace's part of the top bar. */
export function MarketBar() {
  const width = useWidth();
  const hasChooserBelow = width === 'narrow' || width === 'tablet';
  return (
    <>
      {width === 'middle' && <MarketChooser />}
      {!hasChooserBelow && <MarketHeader isNamed={width === 'wide'} />}
      <MarketNotes />
      {!hasChooserBelow && <LayoutMenu left={width === 'wide' ? [] : ['markets']} />}
    </>
  );
}

export function Workspace() {
  const width = useWidth();
  useMarketState();
  return (
    <>
      {(width === 'narrow' || width === 'tablet') && (
        <div className="flex shrink-0 items-center gap-3 border-b border-line bg-panel px-3 py-1.5">
          <MarketChooser />
          <MarketHeader />
        </div>
      )}
      {width === 'narrow' && <Narrow />}
      {width === 'tablet' && <Tablet />}
      {width === 'middle' && <Middle />}
      {width === 'wide' && <Wide />}
    </>
  );
}

/** Panel sizes, including one being dragged, and which panels are visible. */
function useLayout() {
  const { hiddenPanels, panelSizes } = usePreferences();
  const [dragged, setDragged] = useState<{ readonly name: SizeName; readonly size: number } | null>(null);
  const stored = sizesOf(panelSizes);
  const sizeOf = (name: SizeName): number => (dragged?.name === name ? dragged.size : stored.get(name)!);
  return {
    sizeOf,
    widthOf: (name: SizeName): CSSProperties => ({ width: sizeOf(name), minWidth: minOf(name) }),
    has: (name: PanelName): boolean => !hiddenPanels.includes(name),
    divider: (name: SizeName, more: Partial<DividerProps> = {}) => (
      <Divider
        key={name}
        name={name}
        size={sizeOf(name)}
        onDrag={(size) => setDragged(size === null ? null : { name, size })}
        {...more}
      />
    ),
  };
}

/*
 * In tab order, the form comes before the chart, so that a price is a few stops from the markets, and dividers come last.
 * CSS determines the visual order.
 */

function Wide() {
  const layout = useLayout();
  const { sizeOf, widthOf, has, divider } = layout;
  const hasColumn = has('book') || has('trades');
  return (
    <div className="flex min-h-0 flex-1 p-1.5">
      {has('markets') && (
        <Panel title="Markets" isTitleHidden className="order-1" style={widthOf('markets')}>
          <AfterPaint label="Markets are loading">
            <MarketListOfMarket />
          </AfterPaint>
        </Panel>
      )}
      {has('order') && <OrderPanel className="order-7" style={widthOf('order')} />}
      <div className="order-3 flex min-w-80 flex-1 flex-col">
        {has('chart') && (
          <Panel title="Chart" isTitleHidden className="order-1 flex-1">
            <Charts />
          </Panel>
        )}
        <OrdersBelow {...layout} isBelow={has('chart')} />
      </div>
      {hasColumn && (
        <div className="order-5 flex flex-col" style={widthOf('book')}>
          {has('book') && (
            <Panel title="Order book" className="order-1 flex-1">
              <OrderBookView />
            </Panel>
          )}
          {has('trades') && (
            <Panel
              title="Trades"
              className={has('book') ? 'order-3 shrink-0' : 'flex-1'}
              {...(has('book') && { style: { height: sizeOf('trades') } })}
            >
              <ScrolledTrades />
            </Panel>
          )}
          {has('book') && has('trades') && divider('trades', { isHorizontal: true, className: 'order-2' })}
        </div>
      )}
      {has('markets') && divider('markets', { isPanelBefore: true, className: 'order-2' })}
      {hasColumn && divider('book', { className: 'order-4' })}
      {has('order') && divider('order', { className: 'order-6' })}
    </div>
  );
}

/** Book and trades share a panel, and the markets are a dialog. */
function Middle() {
  const layout = useLayout();
  const { widthOf, has, divider } = layout;
  const hasColumn = has('book') || has('trades');
  return (
    <div className="flex min-h-[46rem] flex-1 p-1.5">
      {has('order') && <OrderPanel className="order-3" style={widthOf('order')} />}
      <div className="order-1 flex min-w-80 flex-1 flex-col">
        {(has('chart') || hasColumn) && (
          <div className="order-1 flex min-h-0 flex-1">
            {has('chart') && (
              <Panel title="Chart" isTitleHidden className="order-1 flex-1">
                <Charts />
              </Panel>
            )}
            {hasColumn && (
              <BookAndTrades
                className={has('chart') ? 'order-3' : 'flex-1'}
                {...(has('chart') && { style: { ...widthOf('book'), maxWidth: '34%' } })}
                has={has}
              />
            )}
            {has('chart') && hasColumn && divider('book', { className: 'order-2' })}
          </div>
        )}
        <OrdersBelow {...layout} isBelow={has('chart') || hasColumn} />
      </div>
      {has('order') && divider('order', { className: 'order-2' })}
    </div>
  );
}

/** Two panes: market data, and trading. */
function Tablet() {
  return (
    <div className="grid min-h-[60rem] flex-1 grid-cols-[minmax(0,1fr)_18rem] grid-rows-[minmax(0,1fr)_20rem] gap-1.5 p-1.5">
      <div className="col-start-2 row-span-2 row-start-1 flex min-h-0 flex-col gap-1.5">
        <OrderPanel className="min-h-[34rem] flex-1" />
        <BookAndTrades className="h-[22rem] shrink-0" has={() => true} />
      </div>
      <Panel title="Chart" isTitleHidden className="col-start-1 row-start-1">
        <Charts />
      </Panel>
      <Panel title="Orders and balances" isTitleHidden className="col-start-1 row-start-2">
        <AfterPaint label="Orders are loading">
          <OrdersPanel />
        </AfterPaint>
      </Panel>
    </div>
  );
}

interface PlacedProps {
  readonly className: string;
  readonly style?: CSSProperties;
}

/** Rendered in the first paint, because users start typing right after a reload. */
function OrderPanel(place: PlacedProps) {
  return (
    <Panel title="Order" isTitleHidden {...place}>
      <OrderForm />
      <MarketAssets />
    </Panel>
  );
}

interface OrdersBelowProps extends ReturnType<typeof useLayout> {
  /** Whether a panel is above it; otherwise it takes all of the space. */
  readonly isBelow: boolean;
}

function OrdersBelow({ sizeOf, has, divider, isBelow }: OrdersBelowProps) {
  if (!has('orders')) {
    return !isBelow && <Empty title="All panels here are hidden">The layout menu shows them again.</Empty>;
  }
  return (
    <>
      <Panel
        title="Orders and balances"
        isTitleHidden
        className={isBelow ? 'order-3 shrink-0' : 'flex-1'}
        {...(isBelow && { style: { height: sizeOf('orders') } })}
      >
        <AfterPaint label="Orders are loading">
          <OrdersPanel />
        </AfterPaint>
      </Panel>
      {isBelow && divider('orders', { isHorizontal: true, className: 'order-2' })}
    </>
  );
}

const narrowParts = ['Chart', 'Book', 'Trades', 'Orders'] as const;

function Narrow() {
  const { symbol } = useMarket();
  const [part, setPart] = useState<string>('Chart');
  const [isOrdering, setIsOrdering] = useState(false);
  const order = (side: OrderDraft['side']): void => {
    changeDraft(symbol.symbol, { side, percent: null });
    setIsOrdering(true);
  };
  const parts: ReadonlyMap<string, ReactNode> = new Map([
    ['Chart', <Charts key="chart" />],
    ['Book', <OrderBookView key="book" />],
    ['Trades', <ScrolledTrades key="trades" />],
    ['Orders', <OrdersPanel key="orders" />],
  ]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Panel title={part} isTitleHidden className="flex-1 rounded-none border-0">
        {parts.get(part)}
      </Panel>
      <div className="flex shrink-0 gap-2 border-t border-line bg-panel px-1.5 pt-1.5">
        <Button kind="up" className="h-10 flex-1" onClick={() => order('buy')}>
          Buy
        </Button>
        <Button kind="down" className="h-10 flex-1" onClick={() => order('sell')}>
          Sell
        </Button>
      </div>
      <nav aria-label="Parts of the terminal" className="shrink-0 bg-panel p-1.5">
        <Segments
          label="Part of the terminal"
          value={part}
          onValue={setPart}
          choices={narrowParts.map((value) => ({ value, label: value }))}
          className="[&>button]:h-9"
        />
      </nav>
      <Sheet isOpen={isOrdering} onOpen={setIsOrdering} title={`Order in ${symbol.name}`}>
        <div className="-m-4 flex flex-col">
          <OrderForm />
        </div>
      </Sheet>
    </div>
  );
}

function Charts() {
  const [tab, setTab] = useState('candles');
  const isTurn = useTurnOfChart();
  const wait = <Loading label="The chart is loading" lines={8} />;
  return (
    <Tabs
      label="Chart"
      value={tab}
      onValue={setTab}
      className="h-full flex-1"
      tabs={[
        {
          value: 'candles',
          label: 'Candles',
          content: (
            <Fill>
              <Suspense fallback={wait}>{isTurn ? <Chart /> : wait}</Suspense>
            </Fill>
          ),
        },
        {
          value: 'depth',
          label: 'Depth',
          content: (
            <Fill>
              <Suspense fallback={wait}>
                <DepthChart />
              </Suspense>
            </Fill>
          ),
        },
      ]}
    />
  );
}

const Fill = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex h-full min-h-72 flex-col">{children}</div>
);

interface BookAndTradesProps extends PlacedProps {
  readonly has: (name: PanelName) => boolean;
}

function BookAndTrades({ has, ...place }: BookAndTradesProps) {
  const [tab, setTab] = useState('book');
  const tabs = [
    {
      value: 'book',
      label: 'Order book',
      content: (
        <div className="flex h-full flex-col">
          <OrderBookView />
        </div>
      ),
    },
    { value: 'trades', label: 'Trades', content: <ScrolledTrades /> },
  ].filter(({ value }) => has(value as PanelName));
  return (
    <Panel title="Order book and trades" isTitleHidden {...place}>
      <Tabs
        label="Order book and trades"
        value={tabs.some(({ value }) => value === tab) ? tab : tabs[0]!.value}
        onValue={setTab}
        className="h-full flex-1"
        tabs={tabs}
      />
    </Panel>
  );
}

const ScrolledTrades = () => (
  <Scrolled label="Last trades" className="min-h-0 flex-1">
    <TradeList />
  </Scrolled>
);

function MarketListOfMarket({ onChosen }: { readonly onChosen?: () => void }) {
  const { symbol } = useMarket();
  return <MarketList symbol={symbol.symbol} {...(onChosen && { onChosen })} />;
}

function MarketChooser() {
  const { symbol } = useMarket();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)} aria-label={`Market ${symbol.symbol}, choose another`}>
        <span className="font-semibold">{symbol.name}</span>
        <Icon name="chevronDown" />
      </Button>
      <Dialog isOpen={isOpen} onOpen={setIsOpen} title="Markets" className="h-[32rem]">
        <div className="-m-4 flex h-full min-h-0 flex-col">
          <MarketListOfMarket onChosen={() => setIsOpen(false)} />
        </div>
      </Dialog>
    </>
  );
}

export interface AfterPaintProps {
  /** What is loading, for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Renders its children after the first paint, so that more important parts appear first. */
function AfterPaint({ label, children }: AfterPaintProps) {
  const [isTurn, setIsTurn] = useState(false);
  useEffect(() => {
    // A frame is painted after its callbacks, and a task scheduled by one of them runs after the paint.
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setIsTurn(true))));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isTurn ? children : <Loading label={label} />;
}

const WAIT_MS_MAX = 2_000;

/**
 * Whether the chart may load. Its library takes a large part of the first load to run, and traders want prices first:
 * the chart waits until the book is painted, or for WAIT_MS_MAX.
 */
function useTurnOfChart(): boolean {
  const { watch } = useMarket();
  const [isTurn, setIsTurn] = useState(false);
  useEffect(() => {
    if (isTurn) return undefined;
    const begin = (): void => setIsTurn(true);
    const timer = setTimeout(begin, WAIT_MS_MAX);
    // Notified in the frame that paints the book; the chart loads in the next one.
    const stop = watch?.bookChanged.subscribe(() => requestAnimationFrame(begin));
    if (watch?.hasBook === true) requestAnimationFrame(begin);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [watch, isTurn]);
  return isTurn;
}
