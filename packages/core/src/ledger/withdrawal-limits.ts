/** Limits of withdrawals: amounts per day, and blocked addresses. withdrawal-rules.ts applies both. */

import { DAY_MS } from '../values/intervals.ts';

const NOBODY = -1;

/** Exactly one of `user` and `tier` is set; the other is -1. */
export interface WithdrawalLimit {
  readonly user: number;
  readonly tier: number;
  readonly currency: number;
  readonly amount: bigint;
}

/** A withdrawal that counts towards today's limit. */
export interface CountedWithdrawal {
  readonly withdrawal: number;
  readonly master: number;
  readonly currency: number;
  readonly amount: bigint;
}

/**
 * Withdrawal limits per day (UTC) and currency: the user's own limit or else the tier's. Withdrawals of sub-accounts
 * count towards their master; failed and cancelled ones do not count.
 */
export class WithdrawalLimits {
  readonly #limits = new Map<string, WithdrawalLimit>();
  #day = 0;
  readonly #counted = new Map<number, CountedWithdrawal>();
  readonly #used = new Map<string, bigint>();

  set(limit: WithdrawalLimit): void {
    this.#limits.set(keyOf(limit), limit);
  }

  remove(limit: Omit<WithdrawalLimit, 'amount'>): void {
    this.#limits.delete(keyOf(limit));
  }

  /** The limit that applies to the user; null for none. */
  of(user: number, tier: number, currency: number): WithdrawalLimit | null {
    const own = this.get({ user, tier: NOBODY, currency });
    return own ?? this.get({ user: NOBODY, tier, currency });
  }

  get(of: Omit<WithdrawalLimit, 'amount'>): WithdrawalLimit | null {
    return this.#limits.get(keyOf(of)) ?? null;
  }

  used(master: number, currency: number, time: number): bigint {
    return dayOf(time) === this.#day ? (this.#used.get(`${master} ${currency}`) ?? 0n) : 0n;
  }

  count(counted: CountedWithdrawal, time: number): void {
    if (dayOf(time) !== this.#day) {
      this.#day = dayOf(time);
      this.#counted.clear();
      this.#used.clear();
    }
    this.#counted.set(counted.withdrawal, counted);
    this.#add(counted, counted.amount);
  }

  /** The withdrawal failed or was cancelled. Withdrawals of earlier days no longer count anyway. */
  uncount(withdrawal: number): void {
    const counted = this.#counted.get(withdrawal);
    if (!counted) return;
    this.#counted.delete(withdrawal);
    this.#add(counted, -counted.amount);
  }

  #add({ master, currency }: CountedWithdrawal, amount: bigint): void {
    const key = `${master} ${currency}`;
    this.#used.set(key, (this.#used.get(key) ?? 0n) + amount);
  }

  /** By user, tier and currency. */
  list(): WithdrawalLimit[] {
    return [...this.#limits.values()].toSorted(
      (a, b) => a.user - b.user || a.tier - b.tier || a.currency - b.currency,
    );
  }

  /** Counted withdrawals of the day of `time`, ascending by id. */
  listCounted(time: number): CountedWithdrawal[] {
    if (dayOf(time) !== this.#day) return [];
    return [...this.#counted.values()].toSorted((a, b) => a.withdrawal - b.withdrawal);
  }
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS);
const keyOf = ({ user, tier, currency }: Omit<WithdrawalLimit, 'amount'>): string =>
  `${user} ${tier} ${currency}`;

export interface AddressRule {
  readonly rule: number;
  readonly action: 'block' | 'allow';
  readonly address: string;
  readonly currency?: number;
  readonly chain?: string;
  readonly by: string;
  readonly why: string;
  /** Milliseconds. */
  readonly time: number;
}

/**
 * Blocked withdrawal addresses, with exceptions. A rule applies to a currency, a chain, both or neither; the most
 * specific matching rule decides, so `allow` is an exception to a broader `block`. Between equally specific rules,
 * `block` wins. Addresses are compared case-insensitively, because on some chains case does not matter.
 */
export class AddressRules {
  /** The highest number assigned. */
  last = 0;
  readonly #byNumber = new Map<number, AddressRule>();
  readonly #byAddress = new Map<string, AddressRule[]>();

  get size(): number {
    return this.#byNumber.size;
  }

  get(rule: number): AddressRule | null {
    return this.#byNumber.get(rule) ?? null;
  }

  of(address: string): readonly AddressRule[] {
    return this.#byAddress.get(address.toLowerCase()) ?? [];
  }

  add(rule: AddressRule): void {
    this.#byNumber.set(rule.rule, rule);
    this.#byAddress.set(rule.address.toLowerCase(), [...this.of(rule.address), rule]);
  }

  remove(rule: AddressRule): void {
    this.#byNumber.delete(rule.rule);
    const left = this.of(rule.address).filter((each) => each !== rule);
    if (left.length > 0) this.#byAddress.set(rule.address.toLowerCase(), left);
    else this.#byAddress.delete(rule.address.toLowerCase());
  }

  /** Ascending by number. */
  list(): AddressRule[] {
    return [...this.#byNumber.values()].toSorted((a, b) => a.rule - b.rule);
  }
}
