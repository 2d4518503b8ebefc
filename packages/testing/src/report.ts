/** A user's activity in a period. Amounts are decimals, times milliseconds of exchange time. */

export interface ReportOptions {
  /** Both are inclusive; default: from the first record to the last. */
  readonly from?: number;
  readonly until?: number;
  /** The currency of all worths; default USDT. */
  readonly currency?: string;
}

export interface Slippage {
  readonly fills: number;
  /** Against the mid price: positive if paid, negative if earned. */
  readonly cost: string;
  /** Basis points of turnover, to two decimals. */
  readonly bp: string;
}

export interface Report {
  readonly user: string;
  readonly currency: string;
  readonly from: number;
  readonly until: number;
  /** The first and last record of the period. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly orders: {
    readonly placed: number;
    /** At the end of the period. */
    readonly open: number;
    readonly done: readonly Counted[];
    /** The user's rejected commands, by the reason in the log. */
    readonly refused: readonly Counted[];
  };
  readonly fills: {
    readonly count: number;
    readonly maker: number;
    readonly taker: number;
    /** Share of turnover: a decimal from 0 to 1, to four places. */
    readonly makerShare: string;
    readonly takerShare: string;
    readonly turnover: string;
  };
  readonly pnl: {
    readonly total: string;
    readonly realised: string;
    readonly unrealised: string;
    readonly fees: string;
    /** The same total split another way: the result of trading against doing nothing, and the rest of the holdings. */
    readonly trading: string;
    readonly holding: string;
    readonly worthAtStart: string;
    readonly worthAtEnd: string;
    /** Deposits and transfers from others, minus withdrawals and transfers to others. */
    readonly moved: string;
  };
  readonly feesByCurrency: readonly { readonly currency: string; readonly amount: string }[];
  readonly inventory: readonly {
    readonly currency: string;
    readonly start: string;
    readonly moved: string;
    readonly traded: string;
    readonly fees: string;
    /** The ledger's balance of both accounts: start + moved + traded - fees. */
    readonly end: string;
    /** Per coin; null if it has no price or the balance is zero. */
    readonly averageCost: string | null;
    readonly price: string | null;
    readonly worth: string | null;
    /** For what was sold or spent; the sum over all currencies is `pnl.realised`. */
    readonly realised: string;
    readonly unrealised: string | null;
  }[];
  readonly slippage: { readonly taker: Slippage; readonly maker: Slippage };
  readonly symbols: readonly {
    readonly symbol: string;
    readonly orders: number;
    readonly maker: number;
    readonly taker: number;
    /** In the base currency. */
    readonly bought: string;
    readonly sold: string;
    /** In the quote currency. */
    readonly turnover: string;
    readonly fees: string;
    readonly takerSlippage: string;
    readonly makerSlippage: string;
  }[];
  /** Oldest first, up to 400 points. */
  readonly curve: readonly {
    readonly time: number;
    readonly worth: string;
    /** Since the start of the period. */
    readonly pnl: string;
    readonly trading: string;
  }[];
  readonly requests: RequestUse;
}

export interface Counted {
  readonly code: string;
  readonly count: number;
}

/** Not from the log: the requests that the running service received. */
export interface RequestUse {
  /** The start of the counts, in exchange time; null if there were none. */
  readonly since: number | null;
  readonly total: number;
  readonly refused: readonly (Counted & { readonly status: number; readonly message: string })[];
  readonly rateLimits: readonly {
    readonly pool: string;
    readonly limit: number;
    /** The maximum in one window. */
    readonly peak: number;
    /** The total weight used. */
    readonly used: number;
    readonly refused: number;
  }[];
}
