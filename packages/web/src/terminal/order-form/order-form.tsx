/** The order form: every kind and every rule of the interface, checked while it is written. */

import { useEffect, useMemo, useState } from 'react';
import { useCalmTicker } from '../../exchange/live-tickers.ts';
import { useDayTickers } from '../../exchange/market-data.ts';
import { useSession } from '../../session/session.ts';
import { SignInButton } from '../../session/sign-in.tsx';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useAct } from '../../user/actions.ts';
import { useAccounts, useFeeRates } from '../../user/user-queries.ts';
import { useMarket } from '../market-context.tsx';
import { AmountFields } from './amount-fields.tsx';
import { CostSummary } from './cost-summary.tsx';
import { LimitOptions } from './limit-options.tsx';
import { checkAction, orderAction } from './order-action.ts';
import type { OrderSurroundings } from './order-cost.ts';
import { emptyDraft, hasLimitFields, type OrderDraft, type OrderKind } from './order-draft.ts';
import { isComplete, violations } from './order-rules.ts';
import { orderResult } from './order-result.ts';

const kinds: readonly { readonly value: OrderKind; readonly label: string }[] = [
  { value: 'limit', label: 'Limit' },
  { value: 'market', label: 'Market' },
  { value: 'stop-limit', label: 'Stop limit' },
  { value: 'stop-market', label: 'Stop market' },
  { value: 'oco', label: 'OCO' },
];

export function OrderForm() {
  const { symbol, picked } = useMarket();
  const session = useSession();
  const around = useSurroundings();
  const [draft, setDraft] = useState<OrderDraft>(emptyDraft);
  const [percent, setPercent] = useState(0);
  const act = useAct();
  const change = (next: Partial<OrderDraft>): void => {
    act.reset();
    setDraft((before) => ({ ...before, ...next }));
  };

  useEffect(() => setDraft(({ side, kind }) => ({ ...emptyDraft, side, kind })), [symbol.symbol]);
  useEffect(() => {
    if (picked.serial > 0) setDraft((before) => ({ ...before, price: picked.price.replaceAll(',', '') }));
  }, [picked]);

  const wrong = useMemo(() => (session === null ? [] : violations(draft, around)), [session, draft, around]);
  const action = orderAction(draft, symbol);
  const check = checkAction(action);
  const isReady = wrong.length === 0 && isComplete(draft);
  const isBuy = draft.side === 'buy';

  const send = (): void => {
    if (!isReady) return;
    act.mutate(action, {
      onSuccess: (answer) => {
        setPercent(0);
        change({ size: '', funds: '', clientOid: '', visibleSize: '' });
        showToast('done', ...orderResult(draft, symbol, answer));
      },
    });
  };

  return (
    <form
      aria-label="Order"
      className="flex min-h-0 flex-1 flex-col gap-2.5 overflow-y-auto p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Segments
        label="Side"
        value={draft.side}
        onValue={(side) => change({ side: side as OrderDraft['side'] })}
        choices={[
          { value: 'buy', label: 'Buy' },
          { value: 'sell', label: 'Sell' },
        ]}
        activeClassName={(side) => (side === 'buy' ? 'bg-up-fill text-white' : 'bg-down-fill text-white')}
        className="[&>button]:h-7"
      />
      <Segments
        label="Kind of order"
        value={draft.kind}
        onValue={(kind) => change({ kind: kind as OrderKind })}
        choices={kinds}
        className="justify-between bg-transparent p-0 [&>button]:flex-none [&>button]:px-1"
      />
      <AmountFields {...{ draft, change, around, wrong, percent, setPercent }} />
      {hasLimitFields(draft) && <LimitOptions {...{ draft, change, wrong }} />}
      <CostSummary {...{ draft, change, around, wrong }} />
      {session === null ? (
        <SignInButton />
      ) : (
        <div className="flex gap-2">
          <Button
            type="submit"
            kind={isBuy ? 'up' : 'down'}
            size="large"
            className="flex-1"
            isBusy={act.isPending}
            disabled={!isReady || !symbol.enableTrading}
          >
            {isBuy ? 'Buy' : 'Sell'} {symbol.baseCurrency}
          </Button>
          {check !== null && (
            <IconButton
              icon="check"
              kind="neutral"
              size="large"
              className="w-10"
              label="Let the exchange check it without placing it"
              disabled={!isReady}
              isBusy={act.isPending}
              onClick={() =>
                act.mutate(check, {
                  onSuccess: () => showToast('done', 'The exchange would take this order'),
                })
              }
            />
          )}
          <ShowMeButton action={action} size="large" />
        </div>
      )}
      {!symbol.enableTrading && (
        <p role="status" className="text-xs text-warning">
          Trading in {symbol.symbol} is halted; orders are not taken.
        </p>
      )}
    </form>
  );
}

/** Everything that is known besides the draft. */
function useSurroundings(): OrderSurroundings {
  const { symbol } = useMarket();
  const accounts = useAccounts().data;
  const rates = useFeeRates(symbol.symbol).data?.[0];
  const day = useDayTickers().data?.get(symbol.symbol);
  const live = useCalmTicker(symbol.symbol);
  const last = live?.price ?? day?.last ?? null;
  const [bestBid, bestAsk] = [live?.bestBid ?? null, live?.bestAsk ?? null];
  return useMemo(() => {
    const available = (currency: string): string =>
      accounts?.find((each) => each.type === 'trade' && each.currency === currency)?.available ?? '0';
    return {
      symbol,
      takerFeeRate: rates?.takerFeeRate ?? null,
      makerFeeRate: rates?.makerFeeRate ?? null,
      baseAvailable: available(symbol.baseCurrency),
      quoteAvailable: available(symbol.quoteCurrency),
      last,
      bestBid,
      bestAsk,
    };
  }, [symbol, accounts, rates, last, bestBid, bestAsk]);
}
