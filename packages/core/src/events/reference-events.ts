/** Events of reference data, users and keys: the effects of the commands in reference-commands.ts. */

import type { ActivityKind } from '../people/people.ts';
import type { Chain, Freeze, MarketState, Permission } from '../commands/commands.ts';

export interface CurrencySet {
  readonly kind: 'currency-set';
  readonly currency: number;
  readonly code: string;
  readonly precision: number;
  readonly scale: number;
  readonly name: string;
  readonly fullName: string;
  readonly confirms: number | null;
  readonly contractAddress: string | null;
  readonly isMarginEnabled: boolean;
  readonly isDebitEnabled: boolean;
  readonly chains: readonly Chain[];
}

/** It was never used: nothing else refers to it. */
export interface CurrencyRemoved {
  readonly kind: 'currency-removed';
  readonly currency: number;
  readonly code: string;
}

export interface SymbolSet {
  readonly kind: 'symbol-set';
  readonly symbol: number;
  readonly code: string;
  readonly base: number;
  readonly quote: number;
  /** One unit of size is 10^-sizeDecimals, one unit of price 10^-priceDecimals. */
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly baseIncrement: string;
  readonly state: MarketState;
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

/** A call auction began or was extended. */
export interface AuctionSet {
  readonly kind: 'auction-set';
  readonly symbol: number;
  /** Milliseconds. */
  readonly endsAt: number;
  readonly isExtended: boolean;
  readonly thenState: MarketState;
}

/** Price and size are 0 unless it traded. The `symbol-set` that follows has the new state. */
export interface AuctionEnded {
  readonly kind: 'auction-ended';
  readonly symbol: number;
  readonly result: 'traded' | 'no-cross' | 'outside-band' | 'cancelled';
  readonly price: number;
  readonly size: number;
}

/** A change was scheduled, withdrawn or applied. Query the entry for its current state. */
export interface ScheduleChanged {
  readonly kind: 'schedule-changed';
  readonly entry: number;
  readonly what: 'scheduled' | 'removed' | 'done' | 'refused';
}

/** For the whole exchange. */
export interface PauseSet {
  readonly kind: 'pause-set';
  readonly isPaused: boolean;
}

/** It was never used. Fee rules for it are removed first, each with its own event. */
export interface SymbolRemoved {
  readonly kind: 'symbol-removed';
  readonly symbol: number;
  readonly code: string;
}

export interface FeesSet {
  readonly kind: 'fees-set';
  /** -1: every user, or every symbol. */
  readonly user: number;
  readonly symbol: number;
  readonly maker: number;
  readonly taker: number;
}

export interface FeesRemoved {
  readonly kind: 'fees-removed';
  /** -1: every user, or every symbol. */
  readonly user: number;
  readonly symbol: number;
}

export interface LimitsSet {
  readonly kind: 'limits-set';
  readonly lookupWindowMs: number;
  readonly activeOrdersPerSymbolMax: number;
  readonly activeOrdersPerUserMax: number;
  readonly stopOrdersPerSymbolMax: number;
  readonly stepsPerRecordMax: number;
  readonly clientIdsPerUserMax: number;
  readonly clientIdsMax: number;
  readonly movementWindowMs: number;
  readonly movementsPerUserMax: number;
  readonly movementsMax: number;
}

export interface UserAdded {
  readonly kind: 'user-added';
  readonly user: number;
  readonly name: string;
  /** -1 for a master. */
  readonly parent: number;
}

/** A new user has tier 0 and is not frozen. */
export interface UserChanged {
  readonly kind: 'user-changed';
  readonly user: number;
  readonly tier: number;
  readonly frozen: boolean;
  /** Absent for an active user, and for one frozen completely with its sub-accounts. */
  readonly freeze?: Freeze;
  /** Set once the user is closed. */
  readonly closed?: true;
}

export interface KeySet {
  readonly kind: 'key-set';
  readonly key: string;
  readonly user: number;
  readonly version: number;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  /** Only if one was given. */
  readonly note?: string;
  readonly expires?: number;
  /** For a signing key: the session that it ends with. */
  readonly session?: string;
}

/** An entry for the person's activity list, or the end of the account. Query the person for its current state. */
export interface PersonChanged {
  readonly kind: 'person-changed';
  readonly person: string;
  readonly user: number;
  readonly what: ActivityKind | 'closed';
}

/** An operator was added, changed or removed; 0: root was closed. Query it for its current state. */
export interface OperatorsChanged {
  readonly kind: 'operators-changed';
  readonly operator: number;
}

export interface KeyRemoved {
  readonly kind: 'key-removed';
  readonly key: string;
  readonly user: number;
}
