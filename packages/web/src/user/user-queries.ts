/** The user's data from the signed API, with its types. Every query key begins with `user`. */

import type {
  Account,
  Asked,
  Fill,
  Listed,
  Order,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '@bourse/client';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';

interface Page<T> {
  readonly items: readonly T[];
  readonly currentPage: number;
  readonly totalPage: number;
  readonly totalNum: number;
}

export interface StopOrder {
  readonly id: string;
  readonly symbol: string;
  readonly status: 'NEW' | 'TRIGGERED' | 'REJECTED' | 'CANCELLED';
  readonly type: 'limit' | 'market';
  readonly side: Side;
  readonly price: string;
  readonly size: string | null;
  readonly funds: string | null;
  readonly stop: 'loss' | 'entry';
  readonly stopPrice: string;
  readonly timeInForce: TimeInForce;
  readonly cancelAfter: number;
  readonly postOnly: boolean;
  readonly hidden: boolean;
  readonly iceberg: boolean;
  readonly visibleSize: string | null;
  readonly stp: SelfTradePrevention | null;
  readonly remark: string | null;
  readonly tags: string | null;
  readonly relatedNo: string | null;
  readonly createdAt: number;
}

export interface OcoOrder {
  readonly orderId: string;
  readonly symbol: string;
  readonly clientOid: string;
  readonly orderTime: number;
  readonly status: string;
}

export interface OcoDetails extends OcoOrder {
  readonly orders: readonly {
    readonly id: string;
    readonly side: Side;
    readonly price: string;
    readonly stopPrice: string;
    readonly size: string;
    readonly status: string;
  }[];
}

interface FeeRates {
  readonly symbol: string;
  readonly takerFeeRate: string;
  readonly makerFeeRate: string;
}

export interface LedgerEntry {
  readonly id: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly balance: string;
  readonly accountType: string;
  readonly bizType: string;
  readonly direction: 'in' | 'out';
  readonly createdAt: number | string;
  /** JSON, for example with the ids of the order and trade. */
  readonly context: string;
}

export interface DepositAddress {
  readonly address: string;
  readonly memo: string;
  readonly chain: string;
  readonly contractAddress: string;
}

export interface Deposit {
  readonly id?: string;
  readonly currency: string;
  readonly chain: string;
  readonly status: string;
  readonly amount: string;
  readonly fee: string;
  readonly walletTxId: string;
  readonly remark: string;
  readonly createdAt: number;
  /** Set if the Travel Rule requires the sender's data. */
  readonly travelRuleOId: string | null;
  /** Null until the questionnaire is submitted. */
  readonly questionnaireStatus: 'pending' | 'success' | 'fail' | null;
  /** Why the questionnaire was refused. */
  readonly failureCode: string | null;
}

export interface Withdrawal {
  readonly id: string;
  readonly currency: string;
  readonly chain: string;
  readonly status: string;
  readonly address: string;
  readonly memo: string;
  readonly amount: string;
  readonly fee: string;
  readonly remark: string;
  readonly walletTxId: string | null;
  /** Why the withdrawal failed; otherwise null. */
  readonly failureReasonMsg: string | null;
  readonly createdAt: number;
}

interface WithdrawalQuota {
  readonly currency: string;
  readonly availableAmount: string;
  readonly remainAmount: string;
  readonly withdrawMinFee: string;
  readonly withdrawMinSize: string;
  readonly isWithdrawEnabled: boolean;
  readonly precision: number;
  readonly chain: string;
  /** Why withdrawals are blocked now; null if they are not. */
  readonly reason: string | null;
}

export interface SubAccount {
  readonly userId: string;
  readonly uid: number;
  readonly subName: string;
  readonly remarks: string;
  readonly access: string;
}

export interface SubBalance {
  readonly currency: string;
  readonly balance: string;
  readonly available: string;
  readonly holds: string;
}

interface SubBalances {
  readonly subUserId: string;
  readonly subName: string;
  readonly mainAccounts: readonly SubBalance[];
  readonly tradeAccounts: readonly SubBalance[];
}

export interface SubKey {
  readonly subName: string;
  readonly remark: string;
  readonly apiKey: string;
  readonly apiSecret?: string;
  readonly passphrase?: string;
  readonly permission: string;
  readonly ipWhitelist: string;
  readonly createdAt: number;
}

/** The user's level, and the number of sub-accounts with its maximum. */
interface UserInfo {
  readonly level: number;
  readonly subQuantity: number;
  readonly maxSubQuantity: number;
}

/**
 * Failure codes of questionnaires. The exchange accepts any code; operators choose from these, and users see the
 * explanation.
 */
export const FAILURE_CODES: ReadonlyMap<string, string> = new Map([
  ['sender-unclear', 'It is not clear who sent the money. Give the full name of the sender.'],
  ['sender-not-owner', 'The sender is not the owner of this account. Describe how you are related.'],
  ['identity-wrong', 'The number of the identity document is wrong or does not belong to the sender.'],
  ['wallet-unclear', 'It is not clear where the money came from. Name the wallet or the exchange.'],
  ['reason-unclear', 'The reason of the transfer is missing or too vague.'],
  ['documents-needed', 'Documents are required. Support will contact you.'],
]);

/** Adds the explanation to a known code. */
export function explainFailure(code: string): string {
  const about = FAILURE_CODES.get(code);
  return about === undefined ? code : `${code}: ${about}`;
}

const LIST_MAX = 100;
/** The largest page of the API. */
const PAGE_MAX = 500;
const DAY_MS = 86_400_000;

/** One signed GET, sent only while a user is signed in. */
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

/** Bounds the requests for the lists of an operator's bot; the limits of an exchange are far below. */
const PAGES_MAX = 20;

/** All pages of a list: an open order that is missing would look done. */
function useAllOf<T>(path: string, query: NonNullable<Asked['query']>, idOf: (item: T) => string) {
  const session = useSession();
  return useQuery({
    queryKey: ['user', session?.credentials.apiKey, path, query],
    queryFn: async (): Promise<readonly T[]> => {
      // An order that comes between two requests moves another to the next page, which then is in both.
      const items = new Map<string, T>();
      for (let currentPage = 1; currentPage <= PAGES_MAX; currentPage++) {
        const page = await session!.client.http.call<Page<T>>('GET', path, {
          query: { ...query, currentPage, pageSize: PAGE_MAX },
        });
        for (const item of page.items) items.set(idOf(item), item);
        if (currentPage >= page.totalPage) break;
      }
      return [...items.values()];
    },
    enabled: session !== null,
  });
}

const ACTIVE = { status: 'active' };

/** Open orders of all symbols. */
export const useOpenOrders = () => useAllOf<Order>('/api/v1/orders', ACTIVE, ({ id }) => id);

export const useDoneOrders = (symbol: string | undefined, lastId: number | undefined) =>
  useSigned<Listed<Order>>('/api/v1/hf/orders/done', { symbol, lastId, limit: LIST_MAX });

export const useFills = (symbol: string | undefined, lastId: number | undefined) =>
  useSigned<Listed<Fill>>('/api/v1/hf/fills', { symbol, lastId, limit: LIST_MAX });

export const useOrder = (orderId: string, symbol: string) =>
  useSigned<Order>(`/api/v1/hf/orders/${orderId}`, { symbol }, orderId !== '');

export const useFillsOfOrder = (orderId: string, symbol: string) =>
  useSigned<Listed<Fill>>('/api/v1/hf/fills', { symbol, orderId, limit: LIST_MAX }, orderId !== '');

export const useStopOrders = () => useAllOf<StopOrder>('/api/v1/stop-order', {}, ({ id }) => id);

export const useDoneStops = () =>
  useSigned<Page<StopOrder>>('/api/v1/stop-order', { status: 'done', pageSize: LIST_MAX });

export const useOcoOrders = () => useAllOf<OcoOrder>('/api/v3/oco/orders', {}, ({ orderId }) => orderId);

export const useOcoDetails = (orderId: string) =>
  useSigned<OcoDetails>(`/api/v3/oco/order/details/${orderId}`);

/** Entries of the 24 hours from `startAt` on; undefined: the last 24 hours. */
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
