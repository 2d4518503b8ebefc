/** The terminal for traders. Wide: everything at once. Narrower: fewer columns. On a phone: one part at a time. */

import { useEffect, useMemo } from 'react';
import { useRoute } from 'wouter';
import { wantedSymbol } from '../exchange/first-market.ts';
import { useSymbols } from '../exchange/market-data.ts';
import { setPreferences } from '../preferences/preferences.ts';
import { useRememberedUser } from '../session/person.ts';
import { LostBanner, ServiceBanner } from '../shell/connection-state.tsx';
import { SkipLink } from '../shell/page.tsx';
import { Shortcuts } from '../shell/shortcuts.tsx';
import { TopBar } from '../shell/top-bar.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useUserFeed } from '../user/user-feed.ts';
import { MarketProvider, useMarket } from './market-context.tsx';
import { changeDraft } from './order-form/order-drafts.ts';
import { MarketBar, Workspace } from './workspace.tsx';

export default function Terminal() {
  useUserFeed();
  useRememberedUser();
  const [, params] = useRoute('/trade/:symbol');
  const symbols = useSymbols();
  const wanted = wantedSymbol(params?.symbol);
  const symbol = symbols.data?.find((each) => each.symbol === wanted) ?? symbols.data?.[0];
  const code = symbol?.symbol;

  useEffect(() => {
    if (code === undefined) return;
    setPreferences({ symbol: code });
  }, [code]);

  return (
    <div className="flex h-dvh flex-col">
      <SkipLink to="content" preferred="order-form">
        Skip to the order form
      </SkipLink>
      <MarketProvider symbol={symbol}>
        <TopBar>{symbol !== undefined && <MarketBar />}</TopBar>
        <LostBanner />
        <ServiceBanner />
        {/* Keep these elements while the markets load: replacing them would lose the focus. */}
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-auto">
          <h1 className="sr-only">{symbol === undefined ? 'Markets' : `Trade ${symbol.symbol}`}</h1>
          {symbol !== undefined ? (
            <Workspace />
          ) : symbols.isError ? (
            <Failed error={symbols.error} onRetry={() => void symbols.refetch()} />
          ) : (
            <Loading label="Markets are loading" />
          )}
        </main>
        {symbol !== undefined && <TerminalKeys />}
      </MarketProvider>
    </div>
  );
}

const focus = (id: string): void => document.getElementById(id)?.focus();

/** The terminal's own keys. */
function TerminalKeys() {
  const { symbol } = useMarket().symbol;
  const shortcuts = useMemo(
    () => [
      { key: '/', about: 'Search markets', run: () => focus('market-search') },
      { key: 'b', about: 'Buy', run: () => changeDraft(symbol, { side: 'buy', percent: null }) },
      { key: 's', about: 'Sell', run: () => changeDraft(symbol, { side: 'sell', percent: null }) },
      { key: 'l', about: 'Limit order', run: () => changeDraft(symbol, { kind: 'limit', percent: null }) },
      { key: 'm', about: 'Market order', run: () => changeDraft(symbol, { kind: 'market', percent: null }) },
      { key: 'p', about: 'Price', run: () => focus('order-price') },
      {
        key: 'z',
        about: 'Size or funds',
        run: () => focus(document.getElementById('order-size') === null ? 'order-funds' : 'order-size'),
      },
    ],
    [symbol],
  );
  return <Shortcuts shortcuts={shortcuts} />;
}
