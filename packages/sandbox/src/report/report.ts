/** What a user did in a period, as `bourse report` and the sandbox give it. Amounts are decimals, times milliseconds. */

export interface ReportOptions {
  /** Its name, or its number. */
  readonly user: string;
  /** Both belong to the period; left out: from the first record, to the last. */
  readonly from?: number;
  readonly until?: number;
  /** Of all worths; USDT unless said. */
  readonly currency?: string;
}

export interface Slippage {
  readonly fills: number;
  /** Paid more than the middle, or got less; below 0 where it was the other way round. */
  readonly cost: string;
  /** Of what was traded, in basis points, to two places. */
  readonly bp: string;
}

export interface Report {
  readonly user: string;
  readonly currency: string;
  readonly from: number;
  readonly until: number;
  /** The first and last record that were looked at. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly orders: {
    readonly placed: number;
    /** At the end of the period. */
    readonly open: number;
    readonly done: readonly Counted[];
    /** Commands of the user that the exchange refused, by the reason in the log. */
    readonly refused: readonly Counted[];
  };
  readonly fills: {
    readonly count: number;
    readonly maker: number;
    readonly taker: number;
    /** Of the turnover; a decimal from 0 to 1, to four places. */
    readonly makerShare: string;
    readonly takerShare: string;
    readonly turnover: string;
  };
  readonly pnl: {
    readonly total: string;
    readonly realised: string;
    readonly unrealised: string;
    readonly fees: string;
    /** The same total in another way: what trading brought against doing nothing, and what the rest of the holdings did. */
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
    /** Of one coin; null where it has no price or there is none of it. */
    readonly averageCost: string | null;
    readonly price: string | null;
    readonly worth: string | null;
    /** Of what was sold or spent of it; those of all currencies are `pnl.realised`. */
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
  /** Oldest first, at most 400 points, each as it was at its time. */
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

/** What the log does not say: the requests that the running service saw. */
export interface RequestUse {
  /** From when on they were counted, in exchange time; null where none was. */
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

/** As the control interface answers it. */
export interface SandboxReport extends Report {
  readonly requests: RequestUse;
}
