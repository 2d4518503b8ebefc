/** All markets, with search and favourites; sortable by price, change and turnover of the last 24 hours. */

import type { SymbolInfo } from '@bourse/client';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { formatAt, formatRate, formatShort } from '../../decimal/decimal.ts';
import { useLastPrice } from '../../exchange/live-tickers.ts';
import { type DayTicker, useDayTickers, useSymbols } from '../../exchange/market-data.ts';
import { setPreferences } from '../../preferences/preferences.ts';
import { usePreferences } from '../../preferences/use-preferences.ts';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { classNames } from '../../ui/text.ts';
import { inOrder, MARKET_COLUMNS, type MarketColumn } from './market-order.ts';

export interface MarketListProps {
  readonly symbol: string;
  /** Called after a choice, for lists that close then. */
  readonly onChosen?: () => void;
}

interface Held {
  readonly order: string;
  readonly of: readonly SymbolInfo[];
  readonly markets: readonly SymbolInfo[];
}

const FAVOURITES = 'favourites';
const ALL = 'all';

export function MarketList({ symbol, onChosen }: MarketListProps) {
  const symbols = useSymbols();
  const { favourites, marketOrder } = usePreferences();
  const days = useDayTickers().data;
  const [search, setSearch] = useState('');
  const [quote, setQuote] = useState(ALL);
  const [, navigate] = useLocation();
  const [isHeld, setIsHeld] = useState(false);
  const held = useRef<Held>({ order: '', of: [], markets: [] });

  if (symbols.isError && symbols.data === undefined)
    return <Failed error={symbols.error} onRetry={() => void symbols.refetch()} />;
  if (symbols.data === undefined) return <Loading label="Markets are loading" lines={10} />;
  const quotes = [...new Set(symbols.data.map((each) => each.quoteCurrency))];
  const wanted = search.trim().toUpperCase();
  const isShown = (each: SymbolInfo): boolean =>
    (each.symbol.includes(wanted) || each.name.toUpperCase().includes(wanted)) &&
    (quote === ALL ||
      (quote === FAVOURITES ? favourites.includes(each.symbol) : each.quoteCurrency === quote));
  // Rows do not move while the pointer is over the list.
  if (!isHeld || held.current.order !== marketOrder || held.current.of !== symbols.data) {
    const markets = inOrder(symbols.data, days ?? new Map(), marketOrder);
    held.current = { order: marketOrder, of: symbols.data, markets };
  }
  const shown = held.current.markets.filter(isShown);
  const choose = (code: string): void => {
    navigate(`/trade/${code}`);
    onChosen?.();
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-2 p-2">
        <TextField
          id="market-search"
          label="Search markets"
          isLabelHidden
          type="search"
          placeholder="Search markets"
          value={search}
          onValue={setSearch}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && shown[0] !== undefined) choose(shown[0].symbol);
          }}
        />
        <Segments
          label="Which markets"
          value={quote}
          onValue={setQuote}
          choices={[
            { value: ALL, label: 'All' },
            { value: FAVOURITES, label: '★' },
            ...quotes.map((code) => ({ value: code, label: code })),
          ]}
        />
      </div>
      {shown.length === 0 ? (
        <Empty icon="search" title="No market matches">
          {quote === FAVOURITES && wanted === ''
            ? 'Press the star beside a market to add it.'
            : 'Search for the name of a currency, such as BTC.'}
        </Empty>
      ) : (
        <>
          <Orders order={marketOrder} />
          <ul
            aria-label="Markets"
            onPointerEnter={() => setIsHeld(true)}
            onPointerLeave={() => setIsHeld(false)}
            className="min-h-0 flex-1 overflow-auto pb-2"
          >
            {shown.map((each) => (
              <MarketRow
                key={each.symbol}
                market={each}
                day={days?.get(each.symbol)}
                isChosen={each.symbol === symbol}
                onChoose={choose}
              />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const columnNames: Readonly<Record<MarketColumn, string>> = {
  name: 'Market',
  volume: 'Volume',
  price: 'Price',
  change: '24 h',
};

/** Pressing the active column reverses the order. Names start ascending, figures descending. */
function Orders({ order }: { readonly order: string }) {
  return (
    <div role="group" aria-label="Sort by" className="flex gap-3 pr-3 pb-1 pl-8 text-2xs">
      {MARKET_COLUMNS.map((column) => {
        const isDescending = order === `-${column}`;
        const isChosen = isDescending || order === column;
        const first = column === 'name' ? column : `-${column}`;
        const other = column === 'name' ? `-${column}` : column;
        return (
          <button
            key={column}
            type="button"
            aria-pressed={isChosen}
            onClick={() => setPreferences({ marketOrder: order === first ? other : first })}
            className={classNames(
              'whitespace-nowrap hover:text-text',
              isChosen ? 'font-medium text-text' : 'text-faint',
              column === 'volume' && 'mr-auto',
            )}
          >
            {columnNames[column]}
            {isChosen && <span aria-hidden="true"> {isDescending ? '↓' : '↑'}</span>}
            {isChosen && (
              <span className="sr-only">{isDescending ? ', largest first' : ', smallest first'}</span>
            )}
          </button>
        );
      })}
    </div>
  );
}

interface MarketRowProps {
  readonly market: SymbolInfo;
  readonly day: DayTicker | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (code: string) => void;
}

function MarketRow({ market, day, isChosen, onChoose }: MarketRowProps) {
  const last = useLastPrice(market.symbol);
  const { favourites } = usePreferences();
  const isFavourite = favourites.includes(market.symbol);
  const isFalling = day?.changeRate?.startsWith('-') === true;
  return (
    <li className={classNames('flex h-10 items-center pl-1 hover:bg-hover', isChosen && 'bg-hover')}>
      <IconButton
        icon="star"
        size="small"
        isFilled={isFavourite}
        aria-pressed={isFavourite}
        className={isFavourite ? 'text-warning' : 'text-faint'}
        label={
          isFavourite
            ? `Remove ${market.symbol} from the favourites`
            : `Add ${market.symbol} to the favourites`
        }
        onClick={() =>
          setPreferences({
            favourites: isFavourite
              ? favourites.filter((code) => code !== market.symbol)
              : [...favourites, market.symbol],
          })
        }
      />
      <button
        type="button"
        aria-current={isChosen || undefined}
        onClick={() => onChoose(market.symbol)}
        className="grid h-full min-w-0 flex-1 grid-cols-[1fr_auto] content-center gap-x-2 pr-3 text-left text-xs leading-4"
      >
        <span className="truncate font-medium">
          {market.name.split('-')[0]}
          <span className="font-normal text-faint">/{market.quoteCurrency}</span>
          {!market.enableTrading && <span className="ml-1 text-warning">halted</span>}
        </span>
        <span className="text-right">{formatAt(last ?? day?.last, market.priceIncrement)}</span>
        <span className="truncate text-2xs text-faint">
          <span className="sr-only">24 hours: turnover </span>
          {formatShort(day?.volValue)} {market.quoteCurrency}
          <span className="sr-only">, change </span>
        </span>
        <span
          className={classNames(
            'text-right text-2xs',
            typeof day?.changeRate !== 'string' ? 'text-faint' : isFalling ? 'text-down' : 'text-up',
          )}
        >
          {formatRate(day?.changeRate)}
        </span>
      </button>
    </li>
  );
}
