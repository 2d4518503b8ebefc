/** All routes. */

import type { Route } from '../route.ts';
import type { Services } from '../services.ts';
import { accountInfoRoutes } from './money/account-info.ts';
import { accountRoutes } from './money/accounts.ts';
import { batchRoutes } from './orders/batch.ts';
import { bookRoutes } from './market/book.ts';
import { cancelRoutes } from './orders/cancel.ts';
import { candleRoutes, marketRoutes } from './market/market.ts';
import { currencyRoutes, oldCurrencyRoutes } from './market/currencies.ts';
import { depositHistoryRoutes } from './money/deposit-history.ts';
import { depositRoutes } from './money/deposits.ts';
import { doneOrderRoutes } from './orders/done-orders.ts';
import { familyAddressRoutes } from './money/family-addresses.ts';
import { innerTransferRoutes, transferRoutes } from './money/transfers.ts';
import { ledgerRoutes } from './money/ledgers.ts';
import { liabilityProofRoutes } from './money/liability-proofs.ts';
import { legacyListRoutes } from './orders/legacy-lists.ts';
import { legacyOrderRoutes } from './orders/legacy-orders.ts';
import { lookupRoutes, openOrderRoutes } from './orders/lookup.ts';
import { ocoOrderRoutes } from './orders/oco-orders.ts';
import { orderChangeRoutes } from './orders/order-changes.ts';
import { placeRoutes } from './orders/place.ts';
import { feedTokenRoutes } from './market/feed-tokens.ts';
import { serviceRoutes } from './market/service.ts';
import { stopOrderRoutes } from './orders/stop-orders.ts';
import { subAccountRoutes } from './money/sub-accounts.ts';
import { subKeyRoutes } from './money/sub-keys.ts';
import { switchRoutes } from './orders/switch.ts';
import { symbolRoutes } from './market/symbols.ts';
import { tickerRoutes } from './market/tickers.ts';
import { withdrawalHistoryRoutes } from './money/withdrawal-history.ts';
import { withdrawalRoutes } from './money/withdrawals.ts';

export function allRoutes(services: Services): readonly Route[] {
  return [
    ...placeRoutes(services),
    ...batchRoutes(services),
    ...lookupRoutes(services),
    ...cancelRoutes(services),
    ...marketRoutes(services),
    ...bookRoutes(services),
    ...tickerRoutes(services),
    ...candleRoutes(services),
    ...serviceRoutes(services),
    ...feedTokenRoutes(services),
    ...currencyRoutes(services),
    ...oldCurrencyRoutes(services),
    ...symbolRoutes(services),
    ...accountRoutes(services),
    ...transferRoutes(services),
    ...depositRoutes(services),
    ...openOrderRoutes(services),
    ...doneOrderRoutes(services),
    ...orderChangeRoutes(services),
    ...switchRoutes(services),
    ...stopOrderRoutes(services),
    ...ocoOrderRoutes(services),
    ...legacyOrderRoutes(services),
    ...legacyListRoutes(services),
    ...accountInfoRoutes(services),
    ...ledgerRoutes(services),
    ...liabilityProofRoutes(services),
    ...innerTransferRoutes(services),
    ...subAccountRoutes(services),
    ...subKeyRoutes(services),
    ...familyAddressRoutes(services),
    ...depositHistoryRoutes(services),
    ...withdrawalRoutes(services),
    ...withdrawalHistoryRoutes(services),
  ];
}
