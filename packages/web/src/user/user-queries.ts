/** What the exchange has of the user, asked for by the signed client. Every key begins with `user`. */

import type { Account, Asked, Fill, Listed, Order } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import type {
  Deposit,
  DepositAddress,
  FeeRates,
  LedgerEntry,
  OcoDetails,
  OcoOrder,
  Page,
  StopOrder,
  SubAccount,
  SubBalances,
  SubKey,
  UserInfo,
  Withdrawal,
  WithdrawalQuota,
} from './types.ts';

const LIST_MAX = 100;
const OPEN_MAX = 500;
const DAY_MS = 86_400_000;

/** One signed GET, only while somebody is signed in. */
function useSigned<T>(path: string, query: NonNullable<Asked['query']> = {}, isWanted = true) {
  const session = useSession();
  return useQuery({
    queryKey: ['user', session?.credentials.apiKey, path, query],
    queryFn: () => session!.client.http.call<T>('GET', path, { query }),
    enabled: session !== null && isWanted,
  });
}

export const useUserInfo = () => useSigned<UserInfo>('/api/v2/user-info');

export const useAccounts = () => useSigned<readonly Account[]>('/api/v1/accounts');

export const useFeeRates = (symbol: string) =>
  useSigned<readonly FeeRates[]>('/api/v1/trade-fees', { symbols: symbol }, symbol !== '');

/** Of all symbols. */
export const useOpenOrders = () =>
  useSigned<Page<Order>>('/api/v1/orders', { status: 'active', pageSize: OPEN_MAX });

export const useDoneOrders = (symbol: string | undefined, lastId: number | undefined) =>
  useSigned<Listed<Order>>('/api/v1/hf/orders/done', { symbol, lastId, limit: LIST_MAX });

export const useFills = (symbol: string | undefined, lastId: number | undefined) =>
  useSigned<Listed<Fill>>('/api/v1/hf/fills', { symbol, lastId, limit: LIST_MAX });

export const useOrder = (orderId: string, symbol: string) =>
  useSigned<Order>(`/api/v1/hf/orders/${orderId}`, { symbol }, orderId !== '');

export const useFillsOfOrder = (orderId: string, symbol: string) =>
  useSigned<Listed<Fill>>('/api/v1/hf/fills', { symbol, orderId, limit: LIST_MAX }, orderId !== '');

export const useStopOrders = () => useSigned<Page<StopOrder>>('/api/v1/stop-order', { pageSize: LIST_MAX });

export const useDoneStops = () =>
  useSigned<Page<StopOrder>>('/api/v1/stop-order', { status: 'done', pageSize: LIST_MAX });

export const useOcoOrders = () => useSigned<Page<OcoOrder>>('/api/v3/oco/orders', { pageSize: LIST_MAX });

export const useOcoDetails = (orderId: string) =>
  useSigned<OcoDetails>(`/api/v3/oco/order/details/${orderId}`);

/** The 24 hours from a time on; undefined for the last ones. */
export const useLedger = (currency: string | undefined, startAt: number | undefined, currentPage: number) =>
  useSigned<Page<LedgerEntry>>('/api/v1/accounts/ledgers', {
    currency,
    ...(startAt !== undefined && { startAt, endAt: startAt + DAY_MS }),
    currentPage,
    pageSize: LIST_MAX,
  });

export const useDepositAddresses = (currency: string) =>
  useSigned<readonly DepositAddress[]>('/api/v2/deposit-addresses', { currency }, currency !== '');

export const useDeposits = () => useSigned<Page<Deposit>>('/api/v1/deposits', { pageSize: LIST_MAX });

export const useWithdrawals = () =>
  useSigned<Page<Withdrawal>>('/api/v1/withdrawals', { pageSize: LIST_MAX });

export const useWithdrawalQuota = (currency: string, chain: string) =>
  useSigned<WithdrawalQuota>(
    '/api/v1/withdrawals/quotas',
    { currency, chain },
    currency !== '' && chain !== '',
  );

export const useSubAccounts = () => useSigned<readonly SubAccount[]>('/api/v1/sub/user');

export const useSubBalances = () =>
  useSigned<Page<SubBalances>>('/api/v2/sub-accounts', { pageSize: LIST_MAX });

export const useSubKeys = (subName: string) =>
  useSigned<readonly SubKey[]>('/api/v1/sub/api-key', { subName }, subName !== '');
