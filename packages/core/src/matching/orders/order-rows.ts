/**
 * The fields of an order: its words packed into bits, and the rows of typed arrays that all fields are in, with their
 * layout and accessors. order-table.ts adds and frees the rows.
 */

import type { OrderType, SelfTradeMode, Side, TimeInForce } from '../../commands/commands.ts';
import { GrowingMemory } from '../../tables/growing-memory.ts';
import type { Amount } from '../../values/amount.ts';

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
export const hasExtraFields = (flags: number): boolean =>
  (flags & (TEXTS | BY_FUNDS | ICEBERG)) !== 0 || (flags & TIME) === EXPIRES;

/** Whether ending a resting order takes more than removing it from the book: it is hidden, expires or is paired. */
export const hasEndEffects = (flags: number): boolean => (flags & (TIME | HIDDEN | ICEBERG | PAIRED)) !== 0;

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

/**
 * Layout, by how often a part is accessed, so that most orders touch as few cache lines as possible:
 *
 * `hot`, one line of 64 bytes that every access to the order or its neighbours needs, read as doubles and as integers
 * (`marks`):
 *   doubles of 8: 0 id, 1 price, 2 remaining, 3-4 hold
 *   integers of 16: 10 previous, 11 next, 12 trader, 13 level, 14 its place among its trader's orders, 15 the symbol
 *     above 16 bits of flags, as packed above
 * `terms`, half a line that is written once and not read again when an untraded order is cancelled, as doubles and as
 * integers (`parties`):
 *   doubles of 4: 0 size, 1 created
 *   integers of 8: 4 user, 5 maker rate, 6 taker rate, 7 the next row of its chain in the index by id
 * Fields that only some orders need are in `OrderFills` below.
 *
 * The functions below name these positions and contain them as literals: V8 inlines a function of at
 * most 27 bytes of bytecode everywhere. With named constants they are longer, which costs a third of the speed.
 * Shifts instead of multiplications avoid the overflow check.
 */
const FIRST_CAPACITY = 1024;
const HOT_BYTES = 64;
const TERMS_BYTES = 32;

export class OrderRows {
  protected capacity = FIRST_CAPACITY;
  readonly #hotMemory = new GrowingMemory(FIRST_CAPACITY * HOT_BYTES);
  readonly #termsMemory = new GrowingMemory(FIRST_CAPACITY * TERMS_BYTES);
  protected hot = new Float64Array(this.#hotMemory.buffer);
  protected marks = new Int32Array(this.#hotMemory.buffer);
  protected terms = new Float64Array(this.#termsMemory.buffer);
  protected parties = new Int32Array(this.#termsMemory.buffer);

  id(row: number): number {
    return this.hot[row << 3];
  }

  price(row: number): number {
    return this.hot[(row << 3) | 1];
  }

  setPrice(row: number, price: number): void {
    this.hot[(row << 3) | 1] = price;
  }

  /** 0 for an order by funds. */
  sizeOf(row: number): number {
    return this.terms[row << 2];
  }

  /** Sets the size and the remaining size. */
  setSize(row: number, size: number): void {
    this.terms[row << 2] = size;
    this.hot[(row << 3) | 2] = size;
  }

  /** size - dealt - cancelled; 0 for an order by funds. */
  remaining(row: number): number {
    return this.hot[(row << 3) | 2];
  }

  createdAt(row: number): number {
    return this.terms[(row << 2) | 1];
  }

  create(row: number, at: number): void {
    this.terms[(row << 2) | 1] = at;
  }

  readHold(row: number, into: Amount): void {
    into.load(this.hot, (row << 3) | 3);
  }

  setHold(row: number, hold: Amount): void {
    hold.store(this.hot, (row << 3) | 3);
  }

  user(row: number): number {
    return this.parties[(row << 3) | 4];
  }

  symbol(row: number): number {
    return this.marks[(row << 4) | 15] >>> 16;
  }

  /** Sets user and symbol, and clears the flags. */
  setOwner(row: number, user: number, symbol: number): void {
    this.parties[(row << 3) | 4] = user;
    this.marks[(row << 4) | 15] = symbol << 16;
  }

  flags(row: number): number {
    return this.marks[(row << 4) | 15] & 32767;
  }

  addFlags(row: number, flags: number): void {
    this.marks[(row << 4) | 15] |= flags;
  }

  /** 0 for a buy, 1 for a sell. */
  side(row: number): number {
    return this.marks[(row << 4) | 15] & 1;
  }

  isBuy(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 1) === 0;
  }

  isMarket(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 2) !== 0;
  }

  /** Whether its remainder may rest: a limit order with GTC or GTT. */
  mayRest(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 10) === 0;
  }

  isPostOnly(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 128) !== 0;
  }

  isHidden(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 256) !== 0;
  }

  isIceberg(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 512) !== 0;
  }

  /** Hidden or an iceberg; such orders pay the taker's rate even when resting. */
  isReserved(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 768) !== 0;
  }

  /** Whether the order has been in the book. */
  hasRested(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 1024) !== 0;
  }

  setRested(row: number): void {
    this.marks[(row << 4) | 15] |= 1024;
  }

  /** A market order by funds instead of size. */
  isByFunds(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 2048) !== 0;
  }

  /** Whether the order has texts; most do not. */
  hasTexts(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 4096) !== 0;
  }

  /** Whether the order is the limit part of an OCO order: its first trade and its end affect its pair. */
  isPaired(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 8192) !== 0;
  }

  /** Whether the order is done, and its row is kept. */
  isDone(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 16384) !== 0;
  }

  clearPaired(row: number): void {
    this.marks[(row << 4) | 15] &= ~8192;
  }

  /** The user's row in this symbol: see trader-table.ts. */
  trader(row: number): number {
    return this.marks[(row << 4) | 12];
  }

  setTrader(row: number, trader: number): void {
    this.marks[(row << 4) | 12] = trader;
  }

  makerRate(row: number): number {
    return this.parties[(row << 3) | 5];
  }

  takerRate(row: number): number {
    return this.parties[(row << 3) | 6];
  }

  setRates(row: number, maker: number, taker: number): void {
    this.parties[(row << 3) | 5] = maker;
    this.parties[(row << 3) | 6] = taker;
  }

  /** The price level it rests at, -1 if it does not rest. */
  level(row: number): number {
    return this.marks[(row << 4) | 13];
  }

  setLevel(row: number, level: number): void {
    this.marks[(row << 4) | 13] = level;
  }

  /** Neighbours in the level's queue. */
  previous(row: number): number {
    return this.marks[(row << 4) | 10];
  }

  next(row: number): number {
    return this.marks[(row << 4) | 11];
  }

  setPrevious(row: number, previous: number): void {
    this.marks[(row << 4) | 10] = previous;
  }

  setNext(row: number, next: number): void {
    this.marks[(row << 4) | 11] = next;
  }

  /** Its position among its trader's orders: see trader-table.ts. */
  ownPlace(row: number): number {
    return this.marks[(row << 4) | 14];
  }

  setOwnPlace(row: number, place: number): void {
    this.marks[(row << 4) | 14] = place;
  }

  /** Doubles the capacity, up to 2^26 rows. */
  protected growRows(): void {
    this.#hotMemory.double();
    this.#termsMemory.double();
    this.capacity *= 2;
    this.hot = new Float64Array(this.#hotMemory.buffer);
    this.marks = new Int32Array(this.#hotMemory.buffer);
    this.terms = new Float64Array(this.#termsMemory.buffer);
    this.parties = new Int32Array(this.#termsMemory.buffer);
  }
}

/**
 * Fields that only some orders need, apart from the rows of all: sums of fills, time of the last change, expiry, and the
 * slices of icebergs. Layout:
 *
 * `cold`, a cache line in use only if bit 15 of the flags is set: the order has traded, was reduced or expires
 *   doubles of 8: 0 dealt, 1-2 deal funds, 3-4 fee, 5 updated, 6 slack, 7 cancel after
 * `slices`, for icebergs, and for done orders by funds:
 *   doubles of 2: 0 current visible size, 1 maximum visible size; or 0-1 the cancelled funds
 */
const COLD_BYTES = 64;
const SLICES_BYTES = 16;

export class OrderFills extends OrderRows {
  readonly #coldMemory = new GrowingMemory(this.capacity * COLD_BYTES);
  readonly #slicesMemory = new GrowingMemory(this.capacity * SLICES_BYTES);
  #cold = new Float64Array(this.#coldMemory.buffer);
  #slices = new Float64Array(this.#slicesMemory.buffer);

  dealt(row: number): number {
    return this.isTouched(row) ? this.#cold[row << 3] : 0;
  }

  /** The visible size in the book: an iceberg's slice, 0 for a hidden order or one that does not rest. */
  visible(row: number): number {
    if (this.isDone(row) || this.level(row) < 0) return 0;
    return this.isReserved(row) ? this.slice(row) : this.remaining(row);
  }

  /** The visible size of a hidden or iceberg order: 0 for a hidden one. */
  slice(row: number): number {
    return this.isHidden(row) ? 0 : this.#slices[row << 1];
  }

  /** For an iceberg. */
  setSlice(row: number, visible: number): void {
    this.#slices[row << 1] = visible;
  }

  /** The maximum visible size of an iceberg; 0 for any other order. */
  visibleSize(row: number): number {
    return this.isIceberg(row) ? this.#slices[(row << 1) | 1] : 0;
  }

  setVisibleSize(row: number, visibleSize: number): void {
    this.#slices[(row << 1) | 1] = visibleSize;
  }

  /** The unspent funds of a done order by funds; zero for any other. */
  readDoneCancelled(row: number, into: Amount): void {
    if (this.isByFunds(row)) into.load(this.#slices, row << 1);
    else into.clear();
  }

  protected setDoneCancelled(row: number, funds: Amount): void {
    funds.store(this.#slices, row << 1);
  }

  /** Reduces the remaining size; the order is no longer untouched. */
  lowerRemaining(row: number, by: number): void {
    if (by > 0) this.#beginCold(row);
    this.hot[(row << 3) | 2] -= by;
  }

  updatedAt(row: number): number {
    const updated = this.isTouched(row) ? this.#cold[(row << 3) | 5] : 0;
    return updated === 0 ? this.createdAt(row) : updated;
  }

  update(row: number, at: number): void {
    this.#beginCold(row);
    this.#cold[(row << 3) | 5] = at;
  }

  /** Milliseconds; 0: never. An order with a time to live expires only once it rests. */
  expiresAt(row: number): number {
    const seconds = this.cancelAfterSec(row);
    return seconds > 0 && this.hasRested(row) ? this.createdAt(row) + seconds * 1000 : 0;
  }

  /** Adds a fill: its size, funds and fee, and the resulting slack. */
  addFill(row: number, size: number, funds: Amount, fee: Amount, slack: number, at: number): void {
    this.#beginCold(row);
    const { hot } = this;
    const cold = this.#cold;
    const h = row << 3;
    if (hot[h | 2] > 0) hot[h | 2] -= size; // remaining, of an order by size
    cold[h] += size; // dealt
    funds.addTo(cold, h | 1);
    fee.addTo(cold, h | 3);
    cold[h | 5] = at;
    cold[h | 6] = slack;
  }

  /** Restores the fields from a snapshot: see `readFields` in order-table.ts. */
  protected restoreCold(row: number, fields: Float64Array): void {
    if (fields[4] === 0 && fields[19] === 0 && fields[14] === fields[13]) return;
    this.#beginCold(row);
    const cold = this.#cold;
    const c = row << 3;
    cold[c] = fields[4];
    for (let i = 0; i < 4; i++) cold[c | (i + 1)] = fields[8 + i];
    cold[c | 5] = fields[14];
    cold[c | 6] = fields[18];
    cold[c | 7] = fields[19];
  }

  readDealFunds(row: number, into: Amount): void {
    if (this.isTouched(row)) into.load(this.#cold, (row << 3) | 1);
    else into.clear();
  }

  readFee(row: number, into: Amount): void {
    if (this.isTouched(row)) into.load(this.#cold, (row << 3) | 3);
    else into.clear();
  }

  /** The amount overcharged by rounding fees up so far, in 10^-8 units. */
  slack(row: number): number {
    return this.isTouched(row) ? this.#cold[(row << 3) | 6] : 0;
  }

  /** 0 if the order has no time to live. */
  cancelAfterSec(row: number): number {
    return this.isTouched(row) ? this.#cold[(row << 3) | 7] : 0;
  }

  setCancelAfterSec(row: number, seconds: number): void {
    this.#beginCold(row);
    this.#cold[(row << 3) | 7] = seconds;
  }

  /** Whether the order's cold line is in use: it has traded, was reduced or expires. Otherwise the line is all 0. */
  isTouched(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 32768) !== 0;
  }

  #beginCold(row: number): void {
    if (!this.isTouched(row)) this.#clearCold(row);
  }

  #clearCold(row: number): void {
    this.marks[(row << 4) | 15] |= 32768;
    // Faster than fill().
    for (let i = 0; i < 8; i++) this.#cold[(row << 3) | i] = 0;
  }

  protected override growRows(): void {
    super.growRows();
    this.#coldMemory.double();
    this.#slicesMemory.double();
    this.#cold = new Float64Array(this.#coldMemory.buffer);
    this.#slices = new Float64Array(this.#slicesMemory.buffer);
  }
}
