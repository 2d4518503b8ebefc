/** What became of an order that was taken, in a title and a sentence. */

import type { OrderResult, SymbolInfo } from '@bourse/client';
import { formatExact } from '../../decimal/format.ts';
import type { OrderDraft } from './order-draft.ts';

export function orderResult(draft: OrderDraft, symbol: SymbolInfo, answer: unknown): [string, string] {
  const { baseCurrency } = symbol;
  const verb = draft.side === 'buy' ? 'Buy' : 'Sell';
  if (draft.kind === 'oco') return [`${verb} OCO order placed`, 'Both parts wait.'];
  if (draft.kind === 'stop-limit' || draft.kind === 'stop-market') {
    return [
      `${verb} stop order placed`,
      `It waits until the last price reaches ${formatExact(draft.stopPrice)}.`,
    ];
  }
  const { status, dealSize, canceledSize } = answer as OrderResult;
  const filled = dealSize === '0' ? 'Nothing filled' : `${formatExact(dealSize)} ${baseCurrency} filled`;
  if (status === 'open') return [`${verb} order open`, `${filled}; the rest is in the book.`];
  const rest =
    canceledSize === '0' ? '' : `; ${formatExact(canceledSize)} ${baseCurrency} cancelled, see History`;
  return [`${verb} order done`, `${filled}${rest}.`];
}
