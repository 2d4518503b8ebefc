/** The terminal for traders. Wide: everything at once. Narrower: fewer columns. On a phone: one part at a time. */

import { useEffect } from 'react';
import { useRoute } from 'wouter';
import { useSymbols } from '../exchange/market-data.ts';
import { wantedSymbol } from '../exchange/first-market.ts';
import { setPreferences } from '../preferences/preferences.ts';
import { useRememberedUser } from '../session/remembered.ts';
import { LostBanner } from '../shell/connection-state.tsx';
import { ServiceBanner } from '../shell/service-state.tsx';
import { TopBar } from '../shell/top-bar.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { SkipLink } from '../ui/skip-link.tsx';
import { useUserFeed } from '../user/user-feed.ts';
import { MarketProvider } from './market-context.tsx';
import { TerminalKeys } from './terminal-keys.tsx';
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
