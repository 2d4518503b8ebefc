/** All routes. */

import type { Route } from '../route.ts';
import type { Services } from '../services.ts';
import { accountInfoRoutes, accountRoutes, liabilityProofRoutes } from './money/accounts.ts';
import { batchRoutes, placeRoutes } from './orders/place.ts';
import { bookRoutes } from './market/book.ts';
import { cancelRoutes, orderChangeRoutes } from './orders/changes.ts';
import { candleRoutes, marketRoutes, tickerRoutes } from './market/market.ts';
import { currencyRoutes, oldCurrencyRoutes, symbolRoutes } from './market/reference.ts';
import { depositHistoryRoutes, questionnaireRoutes } from './money/deposits.ts';
import { addressRoutes, familyAddressRoutes } from './money/deposit-addresses.ts';
import { doneOrderRoutes, lookupRoutes, openOrderRoutes } from './orders/lookup.ts';
import { innerTransferRoutes, transferRoutes } from './money/transfers.ts';
import { ledgerRoutes } from './money/ledgers.ts';
import { legacyListRoutes, legacyOrderRoutes } from './orders/legacy-orders.ts';
import { ocoOrderRoutes } from './orders/oco-orders.ts';
import { feedTokenRoutes, serviceRoutes } from './market/service.ts';
import { stopOrderRoutes } from './orders/stop-orders.ts';
import { subAccountRoutes } from './money/sub-accounts.ts';
import { subKeyRoutes } from './money/sub-keys.ts';
import { switchRoutes } from './orders/switch.ts';
import { withdrawalHistoryRoutes, withdrawalRoutes } from './money/withdrawals.ts';

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
    ...addressRoutes(services),
    ...questionnaireRoutes(services),
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
