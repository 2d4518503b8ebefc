/** The market's last price and 24-hour figures. */

import { type ReactNode, useEffect } from 'react';
import { formatAt, formatRate, formatShort } from '../../decimal/decimal.ts';
import { useLastPrice } from '../../exchange/live-tickers.ts';
import { useDayTickers } from '../../exchange/market-data.ts';
import { Scrolled } from '../../ui/panel.tsx';
import { classNames } from '../../ui/text.ts';
import { useMarket } from '../market-context.tsx';

/** `isNamed` also shows the market's name. */
export function MarketHeader({ isNamed = false }: { readonly isNamed?: boolean }) {
  const { symbol } = useMarket();
  const day = useDayTickers().data?.get(symbol.symbol);
  const last = useLastPrice(symbol.symbol) ?? day?.last;
  const tone =
    typeof day?.changeRate !== 'string'
      ? 'text-text'
      : day.changeRate.startsWith('-')
        ? 'text-down'
        : 'text-up';
  const text = formatAt(last, symbol.priceIncrement);
  useEffect(() => {
    document.title = text === '–' ? `${symbol.symbol} · Bourse` : `${text} ${symbol.symbol} · Bourse`;
  }, [text, symbol.symbol]);
  return (
    <Scrolled label={`${symbol.symbol} in figures`} className="min-w-0 flex-1 [scrollbar-width:none]">
      <dl className="flex items-center gap-x-6">
        {isNamed && (
          <div>
            <dt className="sr-only">Market</dt>
            <dd className="text-sm font-semibold whitespace-nowrap">{symbol.name}</dd>
          </div>
        )}
        <div>
          <dt className="sr-only">Last price</dt>
          <dd data-testid="last-price" className={classNames('text-lg font-semibold', tone)}>
            {text}
          </dd>
        </div>
        <Figure name="24 h change">
          {typeof day?.changeRate === 'string' ? (
            <span className={tone}>
              {formatAt(day.changePrice, symbol.priceIncrement)} {formatRate(day.changeRate)}
            </span>
          ) : (
            '–'
          )}
        </Figure>
        <Figure name="24 h high">{formatAt(day?.high, symbol.priceIncrement)}</Figure>
        <Figure name="24 h low">{formatAt(day?.low, symbol.priceIncrement)}</Figure>
        <Figure name={`24 h volume ${symbol.baseCurrency}`}>{formatShort(day?.vol)}</Figure>
        <Figure name={`24 h turnover ${symbol.quoteCurrency}`}>{formatShort(day?.volValue)}</Figure>
      </dl>
    </Scrolled>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="whitespace-nowrap">
      <dt className="text-2xs text-faint">{name}</dt>
      <dd className="text-xs leading-4">{children}</dd>
    </div>
  );
}
