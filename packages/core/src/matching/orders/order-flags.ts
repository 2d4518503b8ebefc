/** An order's words packed into one integer: side, type, time in force, self-trade mode and flags. */

import type { OrderType, SelfTradeMode, Side, TimeInForce } from '../../commands/commands.ts';

export const BUY = 0;
export const SELL = 1;

const SIDES: readonly Side[] = ['buy', 'sell'];
const TYPES: readonly OrderType[] = ['limit', 'market'];
const TIMES: readonly TimeInForce[] = ['GTC', 'GTT', 'IOC', 'FOK'];
const MODES: readonly SelfTradeMode[] = ['', 'CN', 'CO', 'CB', 'DC'];

export const GTC = 0;
export const GTT = 1;
export const IOC = 2;
export const FOK = 3;

export const STP_NONE = 0;
export const STP_CN = 1;
export const STP_CO = 2;
export const STP_CB = 3;
export const STP_DC = 4;

/**
 * Bit 0 side, bit 1 market, bits 2-3 time in force, bits 4-6 self-trade mode, then one bit per flag. Hot code with an
 * order's row reads a bit from the order table; these functions are for code that has only the flags.
 */
const MARKET = 1 << 1;
const TIME = 3 << 2;
const EXPIRES = 1 << 2;
const POST_ONLY = 1 << 7;
const HIDDEN = 1 << 8;
const ICEBERG = 1 << 9;
const RESTED = 1 << 10;
const BY_FUNDS = 1 << 11;
const TEXTS = 1 << 12;
const PAIRED = 1 << 13;
// Bit 14 belongs to the order table: the order is done, and its row is kept.

export function packFlags(
  side: number,
  market: boolean,
  timeInForce: number,
  stp: number,
  postOnly: boolean,
  hidden: boolean,
  iceberg: boolean,
): number {
  return (
    side |
    (market ? MARKET : 0) |
    (timeInForce << 2) |
    (stp << 4) |
    (postOnly ? POST_ONLY : 0) |
    (hidden ? HIDDEN : 0) |
    (iceberg ? ICEBERG : 0)
  );
}

const isMarket = (flags: number): boolean => (flags & MARKET) !== 0;
export const timeBits = (flags: number): number => (flags >> 2) & 3;
export const stpBits = (flags: number): number => (flags >> 4) & 7;
export const isPostOnly = (flags: number): boolean => (flags & POST_ONLY) !== 0;
export const isHidden = (flags: number): boolean => (flags & HIDDEN) !== 0;
export const isIceberg = (flags: number): boolean => (flags & ICEBERG) !== 0;
export const withoutRested = (flags: number): number => flags & ~RESTED;
/** The flags of a fully visible GTC limit order in the book. */
export const packResting = (side: number, stp: number, postOnly: boolean): number =>
  side | (stp << 4) | (postOnly ? POST_ONLY : 0) | RESTED;
export const hasTexts = (flags: number): boolean => (flags & TEXTS) !== 0;
export const withTexts = (flags: number): number => flags | TEXTS;
export const withByFunds = (flags: number): number => flags | BY_FUNDS;
/** Marks the limit part of an OCO order, whose first trade and end affect its pair. */
export const withPaired = (flags: number): number => flags | PAIRED;
export const withoutPaired = (flags: number): number => flags & ~PAIRED;
/** Whether the order has more fields than price and size. */
export const saysMore = (flags: number): boolean =>
  (flags & (TEXTS | BY_FUNDS | ICEBERG)) !== 0 || (flags & TIME) === EXPIRES;

/** Whether ending a resting order takes more than removing it from the book: it is hidden, expires or is paired. */
export const needsMore = (flags: number): boolean => (flags & (TIME | HIDDEN | ICEBERG | PAIRED)) !== 0;

export const sideName = (side: number): Side => SIDES[side];
export const sideOf = (flags: number): Side => SIDES[flags & 1];
export const typeOf = (flags: number): OrderType => TYPES[isMarket(flags) ? 1 : 0];
export const timeInForceOf = (flags: number): TimeInForce => TIMES[timeBits(flags)];
export const selfTradeModeOf = (flags: number): SelfTradeMode => MODES[stpBits(flags)];

/** -1 for a word outside the list. */
export const sideCode = (side: string): number => (side === 'buy' ? 0 : side === 'sell' ? 1 : -1);
export const timeCode = (timeInForce: TimeInForce): number =>
  timeInForce === 'GTC' ? 0 : timeInForce === 'IOC' ? 2 : TIMES.indexOf(timeInForce);
export const stpCode = (stp: SelfTradeMode): number => MODES.indexOf(stp);

/** The texts of an order; kept only for orders that have any. */
export interface OrderTexts {
  readonly clientId: string;
  readonly tags: string;
  readonly remark: string;
}
