/** The user's balances of the market's two currencies, with a link to transfer more into TRADE. */

import type { Account } from '@bourse/client';
import { Link } from 'wouter';
import { placesOf } from '../decimal/decimal.ts';
import { useSession } from '../session/session.ts';
import { Figure } from '../ui/figure.tsx';
import { useAccounts } from '../user/user-queries.ts';
import { useMarket } from './market-context.tsx';

export function MarketAssets() {
  const { symbol } = useMarket();
  const session = useSession();
  const accounts = useAccounts().data;
  if (session === null || accounts === undefined) return null;
  return (
    <section aria-label="Assets of this market" className="shrink-0 border-t border-line p-3 text-xs">
      <h3 className="mb-1.5 font-medium">Assets</h3>
      {[symbol.baseCurrency, symbol.quoteCurrency].map((currency) => (
        <Asset
          key={currency}
          currency={currency}
          places={
            currency === symbol.baseCurrency
              ? placesOf(symbol.baseIncrement)
              : Math.max(2, placesOf(symbol.priceIncrement))
          }
          accounts={accounts.filter((each) => each.currency === currency)}
        />
      ))}
    </section>
  );
}

interface AssetProps {
  readonly currency: string;
  readonly accounts: readonly Account[];
  readonly places: number;
}

function Asset({ currency, accounts, places }: AssetProps) {
  const trade = accounts.find(({ type }) => type === 'trade');
  const main = accounts.find(({ type }) => type === 'main');
  return (
    <dl className="mb-2 grid grid-cols-[auto_1fr] gap-x-3 last:mb-0">
      <dt className="text-muted">{currency} in TRADE</dt>
      <dd className="text-right">
        <Figure value={trade?.available ?? '0'} places={places} />
      </dd>
      <dt className="text-faint">held by orders</dt>
      <dd className="text-right text-muted">
        <Figure value={trade?.holds ?? '0'} places={places} />
      </dd>
      <dt className="text-faint">
        in MAIN,{' '}
        <Link
          href={`/money/transfer?currency=${currency}`}
          className="text-accent underline underline-offset-2"
        >
          move
        </Link>
      </dt>
      <dd className="text-right text-muted">
        <Figure value={main?.available ?? '0'} places={places} />
      </dd>
    </dl>
  );
}
