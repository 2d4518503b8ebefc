/** The end of the order form, which stays where it is whatever the fields above it say: one line, and the buttons. */

import { formatAt, formatExact, formatMoney } from '../../decimal/format.ts';
import { useSession } from '../../session/session.ts';
import { SignInButton } from '../../session/sign-in.tsx';
import { ShowMeButton } from '../../show-me/show-me.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { Action, useAct } from '../../user/actions.ts';
import { useMarketNotes } from '../market-notes.tsx';
import { checkAction } from './order-action.ts';
import { orderCost, type OrderSurroundings } from './order-cost.ts';
import { isMarket, isStop, type OrderDraft } from './order-draft.ts';

export interface SendRowProps {
  readonly draft: OrderDraft;
  readonly around: OrderSurroundings;
  readonly action: Action;
  readonly isReady: boolean;
  readonly act: ReturnType<typeof useAct>;
}

export function SendRow({ draft, around, action, isReady, act }: SendRowProps) {
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
                    onSuccess: () => showToast('done', 'The exchange would accept this order'),
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

/** The order in one line. */
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
