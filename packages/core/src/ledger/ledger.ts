/**
 * The ledger: double entry. Every change of a balance goes through `post`, which writes the event too, and every
 * movement is postings that sum to zero per currency. The house has three accounts a currency: `fees`, `outside`
 * (the rest of the world, negative by what all others hold) and `waiting` (deposits nobody may use yet).
 */

import { accountKey, ownerOf } from '../account-key.ts';
import { Amount, addTo } from '../amount.ts';
import { assert } from '../assert.ts';
import type { EventBatch } from '../event-batch.ts';
import { ACCOUNT_TYPES, BALANCE_CAUSES } from '../event-rows.ts';
import type { BalanceCause } from '../events.ts';
import { IndexTable } from '../index-table.ts';

export const MAIN = ACCOUNT_TYPES.indexOf('main');
export const TRADE = ACCOUNT_TYPES.indexOf('trade');
export const FEES = ACCOUNT_TYPES.indexOf('fees');
export const OUTSIDE = ACCOUNT_TYPES.indexOf('outside');
export const WAITING = ACCOUNT_TYPES.indexOf('waiting');
const HOUSE = -1;

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
} as const;

/** A balance is available and hold: hi, lo, hi, lo. */
export const BALANCE = 4;
const HOLD_AT = 2;
/** The account's key, and whether anything was ever posted. */
const OWNER = 2;

const ZERO = new Amount();

export class Ledger {
  balances = new Float64Array(256 * BALANCE);
  private owners = new Float64Array(256 * OWNER);
  private readonly byOwner = new IndexTable(512);
  private readonly events: EventBatch;
  private readonly negative = new Amount();

  constructor(events: EventBatch) {
    this.events = events;
  }

  get accountCount(): number {
    return this.byOwner.size;
  }

  /** The account's number; made when first asked for. */
  account(user: number, type: number, currency: number): number {
    const key = accountKey(user, type, currency);
    const found = this.byOwner.get(key);
    if (found >= 0) return found;
    const account = this.accountCount;
    if ((account + 1) * BALANCE > this.balances.length) this.grow();
    this.byOwner.set(key, account);
    this.owners.set([key, 0], account * OWNER);
    return account;
  }

  /** -1 where there is none. */
  find(user: number, type: number, currency: number): number {
    return this.byOwner.get(accountKey(user, type, currency));
  }

  house(type: number, currency: number): number {
    return this.account(HOUSE, type, currency);
  }

  owner(account: number): { user: number; type: number; currency: number; used: boolean } {
    const o = account * OWNER;
    return { ...ownerOf(this.owners[o]), used: this.owners[o + 1] === 1 };
  }

  readAvailable(account: number, into: Amount): void {
    into.load(this.balances, account * BALANCE);
  }

  readHold(account: number, into: Amount): void {
    into.load(this.balances, account * BALANCE + HOLD_AT);
  }

  /**
   * One posting: both changes may be of either sign; nothing but `outside` may end below zero. `subject` is the order
   * it belongs to, or else the deposit, transfer or withdrawal.
   */
  private post(
    account: number,
    availableChange: Amount,
    holdChange: Amount,
    why: number,
    subject: number,
    trade: number,
  ): void {
    const { balances, owners } = this;
    const b = account * BALANCE;
    const o = account * OWNER;
    addTo(balances, b, availableChange);
    addTo(balances, b + HOLD_AT, holdChange);
    assert(balances[b + HOLD_AT] >= 0, 'a hold never goes below zero');
    assert(balances[b] >= 0 || ownerOf(owners[o]).type === OUTSIDE, 'a balance never goes below zero');
    owners[o + 1] = 1;
    this.events.balance(owners[o], availableChange, holdChange, balances, b, why, subject, trade);
  }

  /** Available money becomes held. */
  freeze(account: number, amount: Amount, why: number, subject: number): void {
    this.negative.setNegative(amount);
    this.post(account, this.negative, amount, why, subject, 0);
  }

  /** Held money becomes available again. */
  thaw(account: number, amount: Amount, why: number, subject: number): void {
    this.negative.setNegative(amount);
    this.post(account, amount, this.negative, why, subject, 0);
  }

  credit(account: number, amount: Amount, why: number, subject: number, trade: number): void {
    this.post(account, amount, ZERO, why, subject, trade);
  }

  debit(account: number, amount: Amount, why: number, subject: number): void {
    this.negative.setNegative(amount);
    this.post(account, this.negative, ZERO, why, subject, 0);
  }

  /** Held money leaves; part of it may become available instead. */
  spend(account: number, spent: Amount, released: Amount, why: number, subject: number, trade: number): void {
    this.negative.copy(spent);
    this.negative.add(released);
    this.negative.setNegative(this.negative);
    this.post(account, released, this.negative, why, subject, trade);
  }

  /** Puts back an account from a snapshot, its balance still to be filled in. */
  restore(user: number, type: number, currency: number): number {
    const account = this.account(user, type, currency);
    this.owners[account * OWNER + 1] = 1;
    return account;
  }

  private grow(): void {
    const balances = new Float64Array(this.balances.length * 2);
    balances.set(this.balances);
    this.balances = balances;
    const owners = new Float64Array(this.owners.length * 2);
    owners.set(this.owners);
    this.owners = owners;
  }
}
