/** An order's words packed into one integer: side, type, time in force, self-trade mode and marks. */

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
 * Bit 0 side, bit 1 market, bits 2-3 time in force, bits 4-6 self-trade mode, then one bit a mark. Hot code that has an
 * order's row asks the order table for a bit; these functions are for code that has the flags only.
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
// Bit 14 is the order table's own: the order is done, and its row is kept.

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
/** Of a limit order, good till cancelled, that is in the book and shows all of itself. */
export const packResting = (side: number, stp: number, postOnly: boolean): number =>
  side | (stp << 4) | (postOnly ? POST_ONLY : 0) | RESTED;
export const hasTexts = (flags: number): boolean => (flags & TEXTS) !== 0;
export const withTexts = (flags: number): number => flags | TEXTS;
export const withByFunds = (flags: number): number => flags | BY_FUNDS;
/** Whether the order is the limit part of an OCO order: its first trade and its end matter to another. */
export const withPaired = (flags: number): number => flags | PAIRED;
export const withoutPaired = (flags: number): number => flags & ~PAIRED;
/** Whether there is more to tell of the order than its price and size. */
export const saysMore = (flags: number): boolean =>
  (flags & (TEXTS | BY_FUNDS | ICEBERG)) !== 0 || (flags & TIME) === EXPIRES;

/** Whether ending a resting order takes more than to take it out of the book: it hides something, expires or is paired. */
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

/** What an order says in words; kept only for orders that say anything. */
export interface OrderTexts {
  readonly clientId: string;
  readonly tags: string;
  readonly remark: string;
}
