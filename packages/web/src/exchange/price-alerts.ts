/** Price alerts: stored in this browser, and checked while one of its pages is open. */

import { useEffect } from 'react';
import { Decimal } from '../decimal/decimal.ts';
import { formatExact } from '../decimal/format.ts';
import { type PriceAlert, preferences, setPreferences } from '../preferences/preferences.ts';
import { showToast } from '../ui/toast.tsx';
import { lastPrice, onTicker } from './live-tickers.ts';

const isSameAlert = (a: PriceAlert, b: PriceAlert): boolean =>
  a.symbol === b.symbol && a.price === b.price && a.when === b.when;

export function removeAlert(alert: PriceAlert): void {
  setPreferences({ alerts: preferences().alerts.filter((each) => !isSameAlert(each, alert)) });
}

/** An alert above the current price waits for a rise, one below it for a fall. */
export function addAlert(symbol: string, price: string): void {
  const last = lastPrice(symbol);
  const when = last !== null && Decimal.of(price).compare(Decimal.of(last)) < 0 ? 'falls' : 'rises';
  const alert = { symbol, price, when } as const;
  setPreferences({ alerts: [...preferences().alerts.filter((each) => !isSameAlert(each, alert)), alert] });
}

export function usePriceAlerts(): void {
  useEffect(() => onTicker(look), []);
}

function look(): void {
  for (const alert of preferences().alerts) {
    const last = lastPrice(alert.symbol);
    if (last === null) continue;
    const order = Decimal.of(last).compare(Decimal.of(alert.price));
    if (alert.when === 'rises' ? order < 0 : order > 0) continue;
    removeAlert(alert);
    showToast(
      'done',
      `${alert.symbol} at ${formatExact(last)}`,
      `Your alert: the price ${alert.when} to ${formatExact(alert.price)}.`,
    );
  }
}
