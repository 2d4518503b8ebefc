/**
 * The ledger: double entry. Every change of a balance goes through `post`, which checks it and writes the event; every
 * movement consists of postings that sum to zero per currency. There are four system accounts per currency: `fees`,
 * `outside` (the rest of the world: the negated sum of all others), `waiting` (deposits that are not yet credited) and
 * `suspense` (money whose owner is unknown).
 */

import { accountKey, ownerOf } from '../events/event-rows.ts';
import { Amount } from '../values/amount.ts';
import { assert, BrokenInvariant } from '../values/checks.ts';
import type { EventBatch } from '../events/event-batch.ts';
import * as layout from '../events/event-rows.ts';
import type { BalanceCause } from '../events/events.ts';
import { GrowingMemory } from '../tables/growing-memory.ts';
import { type HashKey, IndexTable } from '../tables/index-table.ts';

const { ACCOUNT_TYPES, BALANCE_CAUSES } = layout;
/** Local copies of imported constants: see event-batch.ts. */
const { CREDITED, DEBITED, HELD, RELEASED, SPENT } = layout.MOVEMENT;

export const MAIN = ACCOUNT_TYPES.indexOf('main');
export const TRADE = ACCOUNT_TYPES.indexOf('trade');
export const FEES = ACCOUNT_TYPES.indexOf('fees');
export const OUTSIDE = ACCOUNT_TYPES.indexOf('outside');
export const WAITING = ACCOUNT_TYPES.indexOf('waiting');
const SYSTEM = -1;

const cause = (name: BalanceCause) => BALANCE_CAUSES.indexOf(name);
export const CAUSE = {
  hold: cause('hold'),
  release: cause('release'),
  trade: cause('trade'),
  deposit: cause('deposit'),
  transfer: cause('transfer'),
  withdrawalHold: cause('withdrawal-hold'),
  withdrawalRelease: cause('withdrawal-release'),
  withdrawal: cause('withdrawal'),
  correction: cause('correction'),
} as const;

/**
 * Layout, of 8: 0-1 available, 2-3 hold, 4 the account's key, 5 whether anything was ever posted. A posting touches one
 * cache line. Literal positions for the reason given in order-rows.ts.
 */
const ROW_BYTES = 64;
const FIRST_CAPACITY = 1024;

const gone = new Amount();

export class Ledger {
  readonly #memory = new GrowingMemory(FIRST_CAPACITY * ROW_BYTES);
  #rows = new Float64Array(this.#memory.buffer);
  readonly #byOwner: IndexTable;
  readonly #events: EventBatch;

  constructor(events: EventBatch, hashKey: HashKey) {
    this.#events = events;
    this.#byOwner = new IndexTable(512, hashKey);
  }

  get accountCount(): number {
    return this.#byOwner.size;
  }

  /** The account's number; created on first use. */
  account(user: number, type: number, currency: number): number {
    const key = accountKey(user, type, currency);
    const found = this.#byOwner.get(key);
    if (found >= 0) return found;
    const account = this.accountCount;
    if ((account + 1) * 8 > this.#rows.length) this.#grow();
    this.#byOwner.set(key, account);
    this.#rows[(account << 3) | 4] = key;
    return account;
  }

  /** -1 if there is none. */
  find(user: number, type: number, currency: number): number {
    return this.#byOwner.get(accountKey(user, type, currency));
  }

  system(type: number, currency: number): number {
    return this.account(SYSTEM, type, currency);
  }

  owner(account: number): { user: number; type: number; currency: number; used: boolean } {
    return { ...ownerOf(this.#rows[(account << 3) | 4]), used: this.#rows[(account << 3) | 5] === 1 };
  }

  readAvailable(account: number, into: Amount): void {
    into.load(this.#rows, account << 3);
  }

  readHold(account: number, into: Amount): void {
    into.load(this.#rows, (account << 3) | 2);
  }

  /**
   * Completes a posting after the account at `at` has changed: only `outside` may be negative. `subject` is the order, or
   * the deposit, transfer or withdrawal.
   */
  #post(movement: number, at: number, amount: Amount, why: number, subject: number, trade: number): void {
    const rows = this.#rows;
    if (rows[at | 2] < 0) throw new BrokenInvariant('a hold never goes below zero');
    if (rows[at] < 0) this.#checkNegative(at);
    rows[at | 5] = 1;
    this.#events.balance(movement, rows, at, amount, why, subject, trade);
  }

  #checkNegative(at: number): void {
    assert(ownerOf(this.#rows[at | 4]).type === OUTSIDE, 'a balance never goes below zero');
  }

  /** Moves available money to the hold. */
  hold(account: number, amount: Amount, why: number, subject: number): void {
    const at = account << 3;
    amount.subtractFrom(this.#rows, at);
    amount.addTo(this.#rows, at | 2);
    this.#post(HELD, at, amount, why, subject, 0);
  }

  /** The high limb of the available balance, for `tryHold`. */
  availableHigh(account: number): number {
    return this.#rows[account << 3];
  }

  /**
   * Holds the amount if enough is available; the caller writes the balance with `emitBalance` into a compound row. `hi` is
   * the result of `availableHigh`.
   */
  tryHold(account: number, amount: Amount, hi: number): boolean {
    const rows = this.#rows;
    const at = account << 3;
    if (amount.hi > hi || (amount.hi === hi && amount.lo > rows[at | 1])) return false;
    amount.subtractFrom(rows, at);
    amount.addTo(rows, at | 2);
    rows[at | 5] = 1;
    return true;
  }

  /** Releases a hold; the caller writes the balance with `emitBalance`. */
  unhold(account: number, amount: Amount): void {
    const rows = this.#rows;
    const at = account << 3;
    amount.addTo(rows, at);
    amount.subtractFrom(rows, at | 2);
    if (rows[at | 2] < 0) throw new BrokenInvariant('a hold never goes below zero');
  }

  /** Writes the account's balance and the held or released amount into the row at `at`. */
  emitBalance(account: number, amount: Amount, at: number): void {
    this.#events.balanceAt(at, this.#rows, account << 3, amount);
  }

  /** Moves held money back to available. */
  release(account: number, amount: Amount, why: number, subject: number): void {
    const at = account << 3;
    amount.addTo(this.#rows, at);
    amount.subtractFrom(this.#rows, at | 2);
    this.#post(RELEASED, at, amount, why, subject, 0);
  }

  credit(account: number, amount: Amount, why: number, subject: number, trade: number): void {
    const at = account << 3;
    amount.addTo(this.#rows, at);
    this.#post(CREDITED, at, amount, why, subject, trade);
  }

  debit(account: number, amount: Amount, why: number, subject: number): void {
    const at = account << 3;
    amount.subtractFrom(this.#rows, at);
    this.#post(DEBITED, at, amount, why, subject, 0);
  }

  /** Held money leaves the account; part of it may become available instead. */
  spend(account: number, spent: Amount, released: Amount, why: number, subject: number, trade: number): void {
    const at = account << 3;
    gone.copy(spent);
    gone.add(released);
    gone.subtractFrom(this.#rows, at | 2);
    released.addTo(this.#rows, at);
    this.#post(SPENT, at, gone, why, subject, trade);
    this.#events.released(released);
  }

  /** Whether any account ever had money of the currency. */
  hasUsed(currency: number): boolean {
    for (let account = 0; account < this.accountCount; account++) {
      const owner = this.owner(account);
      if (owner.used && owner.currency === currency) return true;
    }
    return false;
  }

  /** Available and hold, two numbers each: the part of an account in a snapshot. */
  balanceOf(account: number): Float64Array {
    return this.#rows.subarray(account * 8, account * 8 + 4);
  }

  /** Recreates an account from a snapshot; the caller fills in its balance. */
  restore(user: number, type: number, currency: number): number {
    const account = this.account(user, type, currency);
    this.#rows[(account << 3) | 5] = 1;
    return account;
  }

  #grow(): void {
    this.#memory.double();
    this.#rows = new Float64Array(this.#memory.buffer);
  }
}
