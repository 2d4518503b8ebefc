/** The order form: every order kind of the API, validated while it is typed. */

import type { OrderResult, SymbolInfo } from '@bourse/client';
import { useMemo, useState } from 'react';
import { formatAt, formatExact, formatMoney } from '../../decimal/decimal.ts';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { useCalmTicker, useConnectionState, useFrames } from '../../exchange/live-tickers.ts';
import { useDayTickers } from '../../exchange/market-data.ts';
import { type Session, useSession } from '../../session/session.ts';
import { SignInButton } from '../../session/sign-in.tsx';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toast.tsx';
import { type Action, useAct } from '../../user/actions.ts';
import { showOrder, sideVerb } from '../../user/user-feed.ts';
import { type OcoOrder, type StopOrder, useAccounts, useFeeRates } from '../../user/user-queries.ts';
import { useMarket } from '../market-context.tsx';
import { useMarketNotes } from '../market-notes.tsx';
import { CostSummary, MarketEstimate } from './cost-summary.tsx';
import { checkAction, orderAction } from './order-action.ts';
import { orderCost, type OrderSurroundings } from './order-cost.ts';
import {
  directionWords,
  hasLimitFields,
  isMarket,
  isStop,
  type OrderDraft,
  type OrderKind,
} from './order-draft.ts';
import { changeDraft, clearSent, useOrderDraft } from './order-drafts.ts';
import { AmountFields, LimitOptions } from './order-fields.tsx';
import { isComplete, orderWarnings, violations } from './order-rules.ts';

const kinds: readonly { readonly value: OrderKind; readonly label: string }[] = [
  { value: 'limit', label: 'Limit' },
  { value: 'market', label: 'Market' },
  { value: 'stop-limit', label: 'Stop limit' },
  { value: 'stop-market', label: 'Stop market' },
  { value: 'oco', label: 'OCO' },
];

/** Book levels read for estimates; a market order that goes deeper needs a confirmation anyway. */
const LEVELS_MAX = 400;

const never = new FrameSignal();

export function OrderForm() {
  const { symbol, watch } = useMarket();
  const session = useSession();
  const around = useSurroundings();
  const draft = useOrderDraft(symbol.symbol);
  // The draft outlives this component: while its order is in flight, it must not be sent again from another layout.
  const act = useAct(['order', symbol.symbol]);
  /** The market whose order waits for a confirmation. */
  const [asked, setAsked] = useState<string>();
  const change = (next: Partial<OrderDraft>): void => {
    setAsked(undefined);
    changeDraft(symbol.symbol, next);
  };
  const wrong = useMemo(() => (session === null ? [] : violations(draft, around)), [session, draft, around]);
  const action = orderAction(draft, symbol);
  const isReady = wrong.length === 0 && isComplete(draft);
  // The ticker carries only the best prices, so market orders also rerender when the book changes.
  useFrames(draft.kind === 'market' ? (watch?.bookCalmed ?? never) : never);
  const opposite = watch?.levels(draft.side === 'buy' ? 'asks' : 'bids', LEVELS_MAX) ?? [];
  const isLive = useConnectionState() === 'live' && watch?.isLive === true;
  const warnings = isReady ? orderWarnings(draft, around, opposite, isLive) : [];

  const send = (): void => {
    if (!isReady || session === null || act.isPending) return;
    setAsked(undefined);
    act.mutate(action, {
      onSuccess: (answer) => {
        clearSent(symbol.symbol, draft);
        void showPlaced(session, draft, symbol, answer);
      },
    });
  };

  return (
    <form
      id="order-form"
      tabIndex={-1}
      aria-label="Order"
      className="flex min-h-0 flex-1 flex-col outline-none"
      onSubmit={(event) => {
        event.preventDefault();
        if (warnings.length > 0) setAsked(symbol.symbol);
        else send();
      }}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-2.5 overflow-y-auto p-3">
        <Segments
          label="Side"
          value={draft.side}
          onValue={(side) => change({ side: side as OrderDraft['side'], percent: null })}
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
          onValue={(kind) => change({ kind: kind as OrderKind, percent: null })}
          choices={kinds}
          className="justify-between bg-transparent p-0 [&>button]:flex-none [&>button]:px-1"
        />
        <AmountFields {...{ draft, change, around, wrong }} />
        {hasLimitFields(draft) && <LimitOptions {...{ draft, change, wrong }} />}
        <MarketEstimate {...{ draft, around, opposite, isLive }} />
        <CostSummary {...{ draft, change, around, wrong }} />
      </div>
      <SendRow {...{ draft, around, action, isReady, act }} />
      <Dialog
        // Only an answer closes it: warnings come and go with the market, below the pointer.
        isOpen={asked === symbol.symbol}
        onOpen={(isOpen) => isOpen || setAsked(undefined)}
        title="Send this order?"
        about={questionOf(isReady, warnings)}
      >
        <div className="flex gap-2">
          <Button kind={draft.side === 'buy' ? 'up' : 'down'} disabled={!isReady} onClick={send}>
            Send it
          </Button>
          <Button onClick={() => setAsked(undefined)}>Back</Button>
        </div>
      </Dialog>
    </form>
  );
}

function questionOf(isReady: boolean, warnings: readonly string[]): string {
  if (!isReady) return 'The order is not possible any more: go back to see why.';
  return warnings.length > 0 ? warnings.join(' ') : 'The market has moved, and no warning applies now.';
}

/** Market and account data that the draft is checked against. */
function useSurroundings(): OrderSurroundings {
  const { symbol } = useMarket();
  const accounts = useAccounts().data;
  const rates = useFeeRates(symbol.symbol).data?.[0];
  const day = useDayTickers().data?.get(symbol.symbol);
  const live = useCalmTicker(symbol.symbol);
  const last = live?.price ?? day?.last ?? null;
  const [bestBid, bestAsk] = [live?.bestBid ?? null, live?.bestAsk ?? null];
  return useMemo(() => {
    const available = (currency: string): string | null =>
      accounts === undefined
        ? null
        : (accounts.find((each) => each.type === 'trade' && each.currency === currency)?.available ?? '0');
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

interface Placed {
  readonly orderId: string;
}

/** Reports the state of an accepted order, as the exchange returns it. */
async function showPlaced(
  session: Session,
  draft: OrderDraft,
  symbol: SymbolInfo,
  answer: unknown,
): Promise<void> {
  const { orderId } = answer as Placed;
  const verb = sideVerb(draft.side);
  try {
    if (draft.kind === 'oco') await showOco(session, orderId, verb);
    else if (isStop(draft)) await showStop(session, orderId, verb, draft, symbol);
    else if ((answer as OrderResult).dealSize === '0' && (answer as OrderResult).status === 'open')
      showToast('done', `${verb} order open`, `${draft.size} ${symbol.baseCurrency} in the book.`, orderId);
    else await showOrder(session, orderId, symbol.symbol);
  } catch {
    // The order was accepted; only its state could not be fetched.
    showToast('done', `${verb} order accepted`, 'The lists below show its state.', orderId);
  }
}

async function showStop(
  { client }: Session,
  orderId: string,
  verb: string,
  draft: OrderDraft,
  { priceIncrement }: SymbolInfo,
): Promise<void> {
  const { status, stop, stopPrice } = await client.http.call<StopOrder>(
    'GET',
    `/api/v1/stop-order/${orderId}`,
  );
  const title = `${verb} stop order`;
  if (status === 'NEW') {
    const until = `Until the last price ${directionWords(stop)} ${formatAt(stopPrice, priceIncrement)}.`;
    showToast('done', `${title} placed`, until, orderId);
  } else if (status === 'TRIGGERED') {
    showToast(
      'unsure',
      `${title} triggered at once`,
      `The last price was at or beyond ${formatAt(draft.stopPrice, priceIncrement)}. It has become an order: see Open orders and History.`,
      orderId,
    );
  } else {
    showToast('refused', `${title} ${status.toLowerCase()} at once`, 'See Stop & OCO, Done.', orderId);
  }
}

async function showOco({ client }: Session, orderId: string, verb: string): Promise<void> {
  const { status } = await client.http.call<OcoOrder>('GET', `/api/v3/oco/order/${orderId}`);
  const title = `${verb} OCO order`;
  if (status === 'NEW') showToast('done', `${title} placed`, 'Both parts are waiting.', orderId);
  else if (status === 'TRIGGERED') {
    showToast('unsure', `${title} triggered at once`, 'The last price was at or beyond the stop.', orderId);
  } else
    showToast('unsure', `${title} traded at once`, 'The limit part met the book; the stop is gone.', orderId);
}

export interface SendRowProps {
  readonly draft: OrderDraft;
  readonly around: OrderSurroundings;
  readonly action: Action;
  readonly isReady: boolean;
  readonly act: ReturnType<typeof useAct>;
}

/** The end of the form, at a fixed place: the order in one line, and the buttons. */
function SendRow({ draft, around, action, isReady, act }: SendRowProps) {
  const { symbol } = around;
  const session = useSession();
  const notes = useMarketNotes();
  const check = checkAction(action);
  const isBuy = draft.side === 'buy';
  return (
    <div className="shrink-0 border-t border-line bg-panel px-3 pt-2 pb-3">
      <p className="mb-2 flex h-5 items-center truncate text-xs whitespace-nowrap text-muted">
        <span className="truncate">{summary(draft, around)}</span>
        {notes.length > 0 && (
          <span role="status" className="ml-auto shrink-0 pl-2 text-warning">
            {notes.join(', ')}
          </span>
        )}
      </p>
      <div data-focus-place className="flex gap-2">
        {session === null ? (
          <SignInButton />
        ) : (
          <>
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
                label="Test the order without placing it"
                disabled={!isReady}
                isBusy={act.isPending}
                onClick={() =>
                  act.mutate(check, {
                    onSuccess: () =>
                      showToast('done', 'The exchange would accept this order', summary(draft, around)),
                  })
                }
              />
            )}
            <ShowMeButton action={action} size="large" />
          </>
        )}
      </div>
    </div>
  );
}

/** A summary of the order in one line. */
function summary(draft: OrderDraft, around: OrderSurroundings): string {
  const { symbol } = around;
  const cost = orderCost(draft, around);
  if (cost === null) return 'Fill in the fields above';
  const verb = draft.side === 'buy' ? 'Buy' : 'Sell';
  const size = draft.size === '' ? '' : ` ${formatExact(draft.size)}`;
  const total = `${cost.isEstimate ? '≈ ' : ''}${formatMoney(cost.value.toString(), symbol.priceIncrement)} ${symbol.quoteCurrency}`;
  if (isMarket(draft) && draft.isByFunds) return `${verb} ${symbol.baseCurrency} for ${total}`;
  const at = (price: string): string => formatAt(price, symbol.priceIncrement);
  if (draft.kind === 'oco') {
    return `${verb}${size} ${symbol.baseCurrency} at ${at(draft.price)}, or stop at ${at(draft.stopPrice)}`;
  }
  const when = isStop(draft) ? ` once the price is ${at(draft.stopPrice)}` : '';
  return `${verb}${size} ${symbol.baseCurrency} for ${total}${when}`;
}
