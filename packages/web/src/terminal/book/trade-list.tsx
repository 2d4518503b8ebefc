/** The last trades, coloured by the taker's side. */

import { formatAt, formatSize } from '../../decimal/decimal.ts';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { useFrames } from '../../exchange/live-tickers.ts';
import { Empty, Loading } from '../../ui/states.tsx';
import { classNames, clockTime } from '../../ui/text.ts';
import { useMarket } from '../market-context.tsx';

const SHOWN_MAX = 60;
const never = new FrameSignal();

export function TradeList() {
  const { symbol, watch } = useMarket();
  useFrames(watch?.tradesChanged ?? never);
  const trades = watch?.trades;
  if (trades === undefined) return <Loading label="The last trades are loading" />;
  if (trades.length === 0) {
    return (
      <Empty icon="pulse" title="No trade yet">
        The first one in {symbol.symbol} will stand here.
      </Empty>
    );
  }
  return (
    <table className="w-full text-xs">
      <caption className="sr-only">Last trades in {symbol.symbol}</caption>
      <thead className="text-2xs text-faint">
        <tr>
          <th scope="col" className="h-7 pl-3 text-left font-normal">
            Price {symbol.quoteCurrency}
          </th>
          <th scope="col" className="text-right font-normal">
            Size {symbol.baseCurrency}
          </th>
          <th scope="col" className="pr-3 text-right font-normal">
            Time
          </th>
        </tr>
      </thead>
      <tbody>
        {trades.slice(0, SHOWN_MAX).map((trade) => (
          <tr key={trade.id} className="h-5">
            <td className={classNames('pl-3', trade.side === 'buy' ? 'text-up' : 'text-down')}>
              {formatAt(trade.price, symbol.priceIncrement)}
              <span className="sr-only">{trade.side === 'buy' ? ' bought' : ' sold'}</span>
            </td>
            <td className="text-right">{formatSize(trade.size)}</td>
            <td className="pr-3 text-right text-muted">{clockTime(trade.time)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
