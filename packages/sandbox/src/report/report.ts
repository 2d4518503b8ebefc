/** The report of a user over a period, for `bourse report` and the sandbox. Amounts are decimals, times milliseconds. */

export interface ReportOptions {
  /** Its name, or its number. */
  readonly user: string;
  /** Both inclusive; omitted: from the first record, to the last. */
  readonly from?: number;
  readonly until?: number;
  /** The currency of all values; default: USDT. */
  readonly currency?: string;
}

export interface Slippage {
  readonly fills: number;
  /** The cost against the mid price; negative if the price was better. */
  readonly cost: string;
  /** As a share of the turnover, in basis points with two decimals. */
  readonly bp: string;
}

export interface Report {
  readonly user: string;
  readonly currency: string;
  readonly from: number;
  readonly until: number;
  /** The first and last record read. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly orders: {
    readonly placed: number;
    /** At the end of the period. */
    readonly open: number;
    readonly done: readonly Counted[];
    /** Commands of the user that the exchange rejected, by the reason in the log. */
    readonly refused: readonly Counted[];
  };
  readonly fills: {
    readonly count: number;
    readonly maker: number;
    readonly taker: number;
    /** The share of the turnover; a decimal from 0 to 1 with four places. */
    readonly makerShare: string;
    readonly takerShare: string;
    readonly turnover: string;
  };
  readonly pnl: {
    readonly total: string;
    readonly realised: string;
    readonly unrealised: string;
    readonly fees: string;
    /** The same total split differently: the result of trading compared to doing nothing, and that of the holdings. */
    readonly trading: string;
    readonly holding: string;
    readonly worthAtStart: string;
    readonly worthAtEnd: string;
    /** Deposits and transfers from others, less withdrawals and transfers to others. */
    readonly moved: string;
  };
  readonly feesByCurrency: readonly { readonly currency: string; readonly amount: string }[];
  readonly inventory: readonly {
    readonly currency: string;
    readonly start: string;
    readonly moved: string;
    readonly traded: string;
    readonly fees: string;
    /** The ledger's balance, both accounts together: start + moved + traded - fees. */
    readonly end: string;
    /** Per coin; null without a price or without holdings. */
    readonly averageCost: string | null;
    readonly price: string | null;
    readonly worth: string | null;
    /** The result of selling or spending it; the sum over all currencies is `pnl.realised`. */
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
  /** Oldest first, at most 400 points. */
  readonly curve: readonly {
    readonly time: number;
    readonly worth: string;
    /** Since the beginning of the period. */
    readonly pnl: string;
    readonly trading: string;
  }[];
}

export interface Counted {
  readonly code: string;
  readonly count: number;
}

/** Figures that are not in the log: the requests that the running service received. */
export interface RequestUse {
  /** When counting started, in exchange time; null if there was no request. */
  readonly since: number | null;
  readonly total: number;
  readonly refused: readonly (Counted & { readonly status: number; readonly message: string })[];
  readonly rateLimits: readonly {
    readonly pool: string;
    readonly limit: number;
    /** The most that was used in one window. */
    readonly peak: number;
    /** All weight that was used. */
    readonly used: number;
    readonly refused: number;
  }[];
}

/** The response of the control API. */
export interface SandboxReport extends Report {
  readonly requests: RequestUse;
}
