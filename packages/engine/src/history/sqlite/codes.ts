/**
 * Words as small numbers: 0 and 1 take no space in SQLite, other numbers below 128 one byte. The numbers are part of
 * the format: a new word is appended to its list, and no number ever changes.
 *
 * A lane is all rows of a user that match the same filter. Lists are read lane by lane, each by one range of an
 * index, so the reader never scans rows that it does not return.
 */

import type {
  AccountType,
  DepositSet,
  DoneReason,
  OrderType,
  SelfTradeMode,
  Side,
  TimeInForce,
  WithdrawalSet,
} from '@bourse/core';
import type { LedgerCause, Movement } from '../history.ts';

type Codes<Word extends string> = Readonly<Record<Word, number>>;
type MovedState = 'made' | DepositSet['state'] | WithdrawalSet['state'];

const SIDE: Codes<Side> = { buy: 0, sell: 1 };
const TYPE: Codes<OrderType> = { limit: 0, market: 1 };
const TIME: Codes<TimeInForce> = { GTC: 0, GTT: 1, IOC: 2, FOK: 3 };
const SELF_TRADE: Codes<SelfTradeMode> = { '': 0, CN: 1, CO: 2, CB: 3, DC: 4 };
const DONE: Codes<DoneReason> = {
  filled: 0,
  requested: 1,
  altered: 2,
  switch: 3,
  expired: 4,
  ioc: 5,
  fok: 6,
  'post-only': 7,
  'price-protection': 8,
  'self-trade': 9,
  'book-end': 10,
  'funds-end': 11,
  oco: 12,
  delisted: 13,
  operator: 14,
};
const ACCOUNT: Codes<AccountType> = { main: 0, trade: 1 };
const CAUSE: Codes<LedgerCause> = {
  trade: 0,
  deposit: 1,
  transfer: 2,
  'sub-transfer': 3,
  withdrawal: 4,
  correction: 5,
};
const MOVED: Codes<MovedState> = {
  made: 0,
  waiting: 1,
  done: 2,
  processing: 3,
  sent: 4,
  failed: 5,
  cancelled: 6,
  paying: 7,
  review: 8,
  refused: 9,
  returned: 10,
};

/** States of a movement that may still change. */
const OPEN: ReadonlySet<MovedState> = new Set(['waiting', 'review', 'refused', 'processing', 'paying']);

const wordsOf = <Word extends string>(codes: Codes<Word>): readonly Word[] => Object.keys(codes) as Word[];
const SIDES = wordsOf(SIDE);
const TYPES = wordsOf(TYPE);
const TIMES = wordsOf(TIME);
const SELF_TRADES = wordsOf(SELF_TRADE);
const DONES = wordsOf(DONE);
const ACCOUNTS = wordsOf(ACCOUNT);
const CAUSES = wordsOf(CAUSE);
const MOVEDS = wordsOf(MOVED);

/** For columns that store the words: each word is at the index of its number. */
export const CODED = {
  sides: SIDES,
  types: TYPES,
  times: TIMES,
  selfTrades: SELF_TRADES,
  dones: DONES,
  accounts: ACCOUNTS,
  causes: CAUSES,
} as const;

/** Orders and fills: symbol * 4 + side * 2 + type. */
export interface OrderLane {
  readonly symbol: number;
  readonly side: Side;
  readonly type: OrderType;
}

export function orderLane({ symbol, side, type }: OrderLane): number {
  return symbol * 4 + SIDE[side] * 2 + TYPE[type];
}

export function readOrderLane(lane: number): OrderLane {
  return { symbol: Math.floor(lane / 4), side: SIDES[(lane >> 1) & 1], type: TYPES[lane & 1] };
}

/** Whether a lane of orders or fills matches the filter. */
export function fitsLane(number: number, { symbol, side, type }: Partial<OrderLane>): boolean {
  const lane = readOrderLane(number);
  return (
    (symbol === undefined || lane.symbol === symbol) &&
    (side === undefined || lane.side === side) &&
    (type === undefined || lane.type === type)
  );
}

/** Ledger entries: ((currency * 8 + cause) * 2 + account) * 2 + direction. */
export interface LedgerLane {
  readonly currency: number;
  readonly cause: LedgerCause;
  readonly account: AccountType;
  readonly direction: 'in' | 'out';
}

export function ledgerLane({ currency, cause, account, direction }: LedgerLane): number {
  const of = currency * 8 + CAUSE[cause];
  return (of * 2 + ACCOUNT[account]) * 2 + (direction === 'out' ? 1 : 0);
}

export function readLedgerLane(lane: number): LedgerLane {
  return {
    currency: Math.floor(lane / 32),
    cause: CAUSES[(lane >> 2) & 7],
    account: ACCOUNTS[(lane >> 1) & 1],
    direction: lane & 1 ? 'out' : 'in',
  };
}

/** Movements: currency * 16 + state; the state determines the kind. */
export function movedLane(event: Movement): number {
  return event.currency * 16 + MOVED[stateOf(event)];
}

export function readMovedLane(lane: number): { currency: number; state: MovedState } {
  return { currency: Math.floor(lane / 16), state: MOVEDS[lane & 15] };
}

export function stateOf(event: Movement): MovedState {
  return event.kind === 'transfer-made' ? 'made' : event.state;
}

/** Whether it may still change. */
export function isOpen(event: Movement): boolean {
  return OPEN.has(stateOf(event));
}

/** All words of an order except side and type, in bits 0-1, 2-4, 5, 6, 7, 8 and from 9 on. */
export interface OrderWords {
  readonly timeInForce: TimeInForce;
  readonly stp: SelfTradeMode;
  readonly postOnly: boolean;
  readonly hidden: boolean;
  readonly iceberg: boolean;
  readonly rested: boolean;
  readonly done: DoneReason;
}

export function orderFlags(order: OrderWords): number {
  return (
    TIME[order.timeInForce] |
    (SELF_TRADE[order.stp] << 2) |
    (order.postOnly ? 1 << 5 : 0) |
    (order.hidden ? 1 << 6 : 0) |
    (order.iceberg ? 1 << 7 : 0) |
    (order.rested ? 1 << 8 : 0) |
    (DONE[order.done] << 9)
  );
}

export function readOrderFlags(flags: number): OrderWords {
  return {
    timeInForce: TIMES[flags & 3],
    stp: SELF_TRADES[(flags >> 2) & 7],
    postOnly: (flags & (1 << 5)) !== 0,
    hidden: (flags & (1 << 6)) !== 0,
    iceberg: (flags & (1 << 7)) !== 0,
    rested: (flags & (1 << 8)) !== 0,
    done: DONES[flags >> 9],
  };
}
