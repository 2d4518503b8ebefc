/** Reports what became of an order that was taken: the state that the exchange answers, not the one that was hoped for. */

import type { OrderResult, SymbolInfo } from '@bourse/client';
import { formatAt } from '../../decimal/format.ts';
import type { Session } from '../../session/session.ts';
import { showToast } from '../../ui/toast.tsx';
import { showOrder, sideVerb } from '../../user/order-toast.ts';
import type { OcoOrder, StopOrder } from '../../user/types.ts';
import { isStop, type OrderDraft } from './order-draft.ts';
import { directionWords } from './stop-direction.ts';

interface Placed {
  readonly orderId: string;
}

export async function showPlaced(
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
    // It was taken; only its state could not be asked for.
    showToast('done', `${verb} order taken`, 'The lists below show its state.', orderId);
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
    showToast('done', `${title} waits`, until, orderId);
  } else if (status === 'TRIGGERED') {
    showToast(
      'unsure',
      `${title} triggered at once`,
      `The last price was at or beyond ${formatAt(draft.stopPrice, priceIncrement)}. It is an order now: see Open orders and History.`,
      orderId,
    );
  } else {
    showToast('refused', `${title} ${status.toLowerCase()} at once`, 'See Stop & OCO, Done.', orderId);
  }
}

async function showOco({ client }: Session, orderId: string, verb: string): Promise<void> {
  const { status } = await client.http.call<OcoOrder>('GET', `/api/v3/oco/order/${orderId}`);
  const title = `${verb} OCO order`;
  if (status === 'NEW') showToast('done', `${title} waits`, 'Both parts.', orderId);
  else if (status === 'TRIGGERED') {
    showToast('unsure', `${title} triggered at once`, 'The last price was at or beyond the stop.', orderId);
  } else
    showToast('unsure', `${title} traded at once`, 'The limit part met the book; the stop is gone.', orderId);
}
