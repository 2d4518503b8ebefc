/** A history that has nothing: for servers whose tests look at requests and not at the past. */

import type { HistoryReader } from '../../src/history/history.ts';

export const noHistory: HistoryReader = {
  checkpoint: 0,
  order: () => null,
  orderByClientId: () => null,
  orders: () => [],
  stopOrder: () => null,
  ocoOrder: () => null,
  stopOrderByClientId: () => null,
  ocoOrderByClientId: () => null,
  stopOrders: () => [],
  ocoOrders: () => [],
  fills: () => [],
  lastTrades: () => [],
  candles: () => [],
  ledger: () => [],
  transfers: () => [],
  deposits: () => [],
  withdrawals: () => [],
  countOrders: () => 0,
  countStopOrders: () => 0,
  countOcoOrders: () => 0,
  countFills: () => 0,
  countLedger: () => 0,
  countDeposits: () => 0,
  countWithdrawals: () => 0,
  audit: () => [],
  close: () => undefined,
};
