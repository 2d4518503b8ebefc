/** The changeable terms of a currency and of a symbol. Decimals are text: see commands.ts. */

export interface Chain {
  readonly chainId: string;
  readonly chainName: string;
  readonly depositMinSize: string | null;
  readonly depositFeeRate: string;
  readonly withdrawalMinSize: string;
  readonly withdrawalMinFee: string;
  readonly withdrawFeeRate: string;
  readonly withdrawMaxFee: string;
  readonly isWithdrawEnabled: boolean;
  readonly isDepositEnabled: boolean;
  readonly confirms: number;
  readonly preConfirms: number;
  readonly contractAddress: string;
}

/** The part of a currency that may change; `code`, `precision` and `scale` never do. */
export interface CurrencyTerms {
  readonly name: string;
  readonly fullName: string;
  readonly confirms: number | null;
  readonly contractAddress: string | null;
  readonly isMarginEnabled: boolean;
  readonly isDebitEnabled: boolean;
  readonly chains: readonly Chain[];
}

/** The part of a symbol that may change while orders rest; code, currencies and baseIncrement never do. */
export interface SymbolTerms {
  readonly name: string;
  readonly market: string;
  readonly baseMinSize: string;
  readonly baseMaxSize: string;
  readonly quoteMinSize: string;
  readonly quoteMaxSize: string;
  readonly quoteIncrement: string;
  readonly priceIncrement: string;
  readonly priceLimitRate: string;
  readonly minFunds: string;
  readonly isMarginEnabled: boolean;
  readonly enableTrading: boolean;
}
