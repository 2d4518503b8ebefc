/** All markets: search, favourites first, price and the change of 24 hours. */

import type { SymbolInfo } from '@bourse/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { formatAt, formatRate } from '../../decimal/format.ts';
import { useLastPrice } from '../../exchange/live-tickers.ts';
import { useDayTickers, useSymbols } from '../../exchange/market-data.ts';
import { setPreferences } from '../../preferences/preferences.ts';
import { usePreferences } from '../../preferences/use-preferences.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextField } from '../../ui/field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Segments } from '../../ui/tabs.tsx';

export interface MarketListProps {
  readonly symbol: string;
  /** Called when one was chosen, for a list that closes then. */
  readonly onChosen?: () => void;
}

const FAVOURITES = 'favourites';
const ALL = 'all';

export function MarketList({ symbol, onChosen }: MarketListProps) {
  const symbols = useSymbols();
  const { favourites } = usePreferences();
  const [search, setSearch] = useState('');
  const [quote, setQuote] = useState(ALL);
  const [, navigate] = useLocation();

  if (symbols.isError && symbols.data === undefined)
    return <Failed error={symbols.error} onRetry={() => void symbols.refetch()} />;
  if (symbols.data === undefined) return <Loading label="Markets are loading" lines={10} />;
  const quotes = [...new Set(symbols.data.map((each) => each.quoteCurrency))];
  const wanted = search.trim().toUpperCase();
  const isShown = (each: SymbolInfo): boolean =>
    (each.symbol.includes(wanted) || each.name.toUpperCase().includes(wanted)) &&
    (quote === ALL ||
      (quote === FAVOURITES ? favourites.includes(each.symbol) : each.quoteCurrency === quote));
  const shown = symbols.data.filter(isShown);
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
        <Empty icon="search" title="No market fits">
          {quote === FAVOURITES && wanted === ''
            ? 'A market becomes a favourite by the star beside it.'
            : 'Search for the name of a currency, such as BTC.'}
        </Empty>
      ) : (
        <ul aria-label="Markets" className="min-h-0 flex-1 overflow-auto pb-2">
          {shown.map((each) => (
            <MarketRow key={each.symbol} market={each} isChosen={each.symbol === symbol} onChoose={choose} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface MarketRowProps {
  readonly market: SymbolInfo;
  readonly isChosen: boolean;
  readonly onChoose: (code: string) => void;
}

function MarketRow({ market, isChosen, onChoose }: MarketRowProps) {
  const day = useDayTickers().data?.get(market.symbol);
  const last = useLastPrice(market.symbol);
  const { favourites } = usePreferences();
  const isFavourite = favourites.includes(market.symbol);
  const isFalling = day?.changeRate?.startsWith('-') === true;
  return (
    <li className={classNames('flex h-8 items-center pl-1 hover:bg-hover', isChosen && 'bg-hover')}>
      <IconButton
        icon="star"
        size="small"
        isFilled={isFavourite}
        aria-pressed={isFavourite}
        className={isFavourite ? 'text-warning' : 'text-faint'}
        label={isFavourite ? `${market.symbol} is no favourite any more` : `${market.symbol} is a favourite`}
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
        className="grid h-full min-w-0 flex-1 grid-cols-[1fr_auto_4.25rem] items-center gap-2 pr-3 text-left text-xs"
      >
        <span className="truncate font-medium">
          {market.name.split('-')[0]}
          <span className="font-normal text-faint">/{market.quoteCurrency}</span>
          {!market.enableTrading && <span className="ml-1 text-warning">halted</span>}
        </span>
        <span>{formatAt(last ?? day?.last, market.priceIncrement)}</span>
        <span
          className={classNames(
            'text-right',
            typeof day?.changeRate !== 'string' ? 'text-faint' : isFalling ? 'text-down' : 'text-up',
          )}
        >
          {formatRate(day?.changeRate)}
        </span>
      </button>
    </li>
  );
}
