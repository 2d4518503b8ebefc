/** What the exchange tells a user of orders and money, beyond the types of the client. */

import type { SelfTradePrevention, Side, TimeInForce } from '@bourse/client';

export interface Page<T> {
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

export interface FeeRates {
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
  /** JSON, such as which order and trade. */
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
  /** Set where the Travel Rule asks who sent it. */
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
  /** Why it failed; null unless it did. */
  readonly failureReasonMsg: string | null;
  readonly createdAt: number;
}

export interface WithdrawalQuota {
  readonly currency: string;
  readonly availableAmount: string;
  readonly remainAmount: string;
  readonly withdrawMinFee: string;
  readonly withdrawMinSize: string;
  readonly isWithdrawEnabled: boolean;
  readonly precision: number;
  readonly chain: string;
  /** Why nothing can be withdrawn now. */
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

export interface SubBalances {
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

/** The user's level, and the sub-accounts there are and may be. */
export interface UserInfo {
  readonly level: number;
  readonly subQuantity: number;
  readonly maxSubQuantity: number;
}
