/** How the parts of the terminal lie. */

import { lazy, type ReactNode, Suspense, useState } from 'react';
import { LostBanner } from '../shell/connection-state.tsx';
import { ServiceBanner } from '../shell/service-state.tsx';
import { TopBar } from '../shell/top-bar.tsx';
import { AfterPaint } from '../ui/after-paint.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Panel } from '../ui/panel.tsx';
import { Scrolled } from '../ui/scrolled.tsx';
import { Loading } from '../ui/states.tsx';
import { Segments, Tabs } from '../ui/tabs.tsx';
import { useWidth } from '../ui/width.ts';
import { OrderBookView } from './book/order-book.tsx';
import { TradeList } from './book/trade-list.tsx';
import { MarketAssets } from './market-assets.tsx';
import { useTurnOfChart } from './chart/turn-of-chart.ts';
import { useMarket } from './market-context.tsx';
import { MarketNotes, useMarketState } from './market-notes.tsx';
import { MarketHeader } from './markets/market-header.tsx';
import { MarketList } from './markets/market-list.tsx';
import { OrderForm } from './order-form/order-form.tsx';
import { OrdersPanel } from './orders/orders-panel.tsx';

// The library of the chart is as large as the rest of the page.
const Chart = lazy(() => import('./chart/chart.tsx'));
const DepthChart = lazy(() => import('./chart/depth-chart.tsx'));

export function Workspace() {
  const width = useWidth();
  const { symbol } = useMarket();
  useMarketState();
  return (
    <>
      <TopBar>
        {width === 'middle' && <MarketChooser />}
        {width !== 'narrow' && <MarketHeader />}
        <MarketNotes />
      </TopBar>
      <LostBanner />
      <ServiceBanner />
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-auto">
        <h1 className="sr-only">Trade {symbol.symbol}</h1>
        {width === 'narrow' ? <Narrow /> : <Columns isWide={width === 'wide'} />}
      </main>
    </>
  );
}

function Columns({ isWide }: { readonly isWide: boolean }) {
  return (
    <div
      className={
        isWide
          ? 'grid min-h-0 flex-1 grid-cols-[15.5rem_minmax(0,1fr)_17rem_18.5rem] grid-rows-[minmax(0,1fr)_17rem] gap-1.5 p-1.5'
          : 'grid min-h-[46rem] flex-1 grid-cols-[minmax(0,1fr)_14rem_18rem] grid-rows-[minmax(0,1fr)_17rem] gap-1.5 p-1.5'
      }
    >
      {isWide && (
        <Panel title="Markets" isTitleHidden className="row-span-2">
          <AfterPaint label="Markets are loading">
            <MarketListOfMarket />
          </AfterPaint>
        </Panel>
      )}
      {/* Before the chart for the tab key: from the markets to a price is a few stops. */}
      <Panel
        title="Order"
        isTitleHidden
        className={isWide ? 'col-start-4 row-span-2 row-start-1' : 'col-start-3 row-span-2 row-start-1'}
      >
        <AfterPaint label="The order form is loading">
          <OrderForm />
          <MarketAssets />
        </AfterPaint>
      </Panel>
      <Panel
        title="Chart"
        isTitleHidden
        className={isWide ? 'col-start-2 row-start-1' : 'col-start-1 row-start-1'}
      >
        <Charts />
      </Panel>
      {isWide ? (
        <div className="col-start-3 row-span-2 row-start-1 grid min-h-0 grid-rows-[minmax(0,1fr)_17rem] gap-1.5">
          <Panel title="Order book">
            <OrderBookView />
          </Panel>
          <Panel title="Trades">
            <ScrolledTrades />
          </Panel>
        </div>
      ) : (
        <Panel title="Order book and trades" isTitleHidden className="col-start-2 row-start-1">
          <BookAndTrades />
        </Panel>
      )}
      <Panel
        title="Orders and balances"
        isTitleHidden
        className={isWide ? 'col-start-2 row-start-2' : 'col-span-2 col-start-1 row-start-2'}
      >
        <AfterPaint label="Orders are loading">
          <OrdersPanel />
        </AfterPaint>
      </Panel>
    </div>
  );
}

const narrowParts = ['Chart', 'Book', 'Trades', 'Order', 'Orders'] as const;

function Narrow() {
  const [part, setPart] = useState<string>('Chart');
  const parts: ReadonlyMap<string, ReactNode> = new Map([
    ['Chart', <Charts key="chart" />],
    ['Book', <OrderBookView key="book" />],
    ['Trades', <ScrolledTrades key="trades" />],
    ['Order', <OrderForm key="order" />],
    ['Orders', <OrdersPanel key="orders" />],
  ]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-3 border-b border-line bg-panel px-3 py-1.5">
        <MarketChooser />
        <MarketHeader />
      </div>
      <Panel title={part} isTitleHidden className="flex-1 rounded-none border-0">
        {parts.get(part)}
      </Panel>
      <nav aria-label="Parts of the terminal" className="shrink-0 border-t border-line bg-panel p-1.5">
        <Segments
          label="Part of the terminal"
          value={part}
          onValue={setPart}
          choices={narrowParts.map((value) => ({ value, label: value }))}
          className="[&>button]:h-9"
        />
      </nav>
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

function BookAndTrades() {
  const [tab, setTab] = useState('book');
  return (
    <Tabs
      label="Order book and trades"
      value={tab}
      onValue={setTab}
      className="h-full flex-1"
      tabs={[
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
      ]}
    />
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
