/** The operator's commands about reference data: currencies, symbols, fees and limits. */

import type { CurrencyTerms, SymbolTerms } from './terms.ts';

export type MarketState = 'open' | 'cancel-only' | 'halted';

/** Who did it and why: for those who read the log. Nothing is decided by it. */
export interface Audited {
  readonly by?: string;
  readonly why?: string;
}

/** Decimals are shown to `precision` places at the edge; the ledger counts in 10^-scale, scale >= precision. */
export interface AddCurrency extends CurrencyTerms, Audited {
  readonly kind: 'add-currency';
  readonly code: string;
  readonly precision: number;
  readonly scale: number;
}

export interface ChangeCurrency extends Partial<CurrencyTerms>, Audited {
  readonly kind: 'change-currency';
  readonly currency: number;
}

/** Only one that nobody has an account or an address in, and that no symbol names. Its number is never given again. */
export interface RemoveCurrency extends Audited {
  readonly kind: 'remove-currency';
  readonly currency: number;
}

export interface AddSymbol extends SymbolTerms, Audited {
  readonly kind: 'add-symbol';
  readonly code: string;
  readonly base: number;
  readonly quote: number;
  readonly baseIncrement: string;
  /** Left out: open, because the symbols of early logs are. */
  readonly state?: MarketState;
}

export interface ChangeSymbol extends Partial<SymbolTerms>, Audited {
  readonly kind: 'change-symbol';
  readonly symbol: number;
}

/** Only one whose book was always empty and that no stop order waits in. Its number is never given again. */
export interface RemoveSymbol extends Audited {
  readonly kind: 'remove-symbol';
  readonly symbol: number;
}

export interface SetMarketState extends Audited {
  readonly kind: 'set-market-state';
  readonly symbol: number;
  readonly state: MarketState;
}

/** Neither user nor symbol: the default. The most special rate wins: user and symbol, user, symbol, default. */
export interface SetFees extends Audited {
  readonly kind: 'set-fees';
  readonly user?: number;
  readonly symbol?: number;
  readonly maker: string;
  readonly taker: string;
}

/** Removes the rule of exactly this user and symbol, or of all of them where they are left out. */
export interface RemoveFees extends Audited {
  readonly kind: 'remove-fees';
  readonly user?: number;
  readonly symbol?: number;
}

export interface SetLimits extends Audited {
  readonly kind: 'set-limits';
  readonly lookupWindowMs?: number;
  readonly activeOrdersPerSymbolMax?: number;
  readonly activeOrdersPerUserMax?: number;
  readonly stopOrdersPerSymbolMax?: number;
  readonly stepsPerRecordMax?: number;
  readonly clientIdsPerUserMax?: number;
  readonly clientIdsMax?: number;
  readonly movementWindowMs?: number;
  readonly movementsPerUserMax?: number;
  readonly movementsMax?: number;
}
