/** The terminal's own keys. */

import { useMemo } from 'react';
import { Shortcuts } from '../shell/shortcuts.tsx';
import { useMarket } from './market-context.tsx';
import { changeDraft } from './order-form/order-drafts.ts';

const focus = (id: string): void => document.getElementById(id)?.focus();

export function TerminalKeys() {
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
