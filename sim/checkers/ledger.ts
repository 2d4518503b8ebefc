/**
 * The ledger (promise 6): per currency, all accounts sum to zero and only `outside` is negative; each posting
 * continues from the previous balance; the exchange's queries agree with its events.
 */

import type { AccountType, BalanceChanged, Exchange, SystemAccount } from '@bourse/core';
import { violated } from './violation.ts';

interface Account {
  readonly user: number;
  readonly account: AccountType | SystemAccount;
  readonly currency: number;
  available: bigint;
  hold: bigint;
  isTouched: boolean;
}

const NUMBERS: Record<AccountType | SystemAccount, number> = {
  main: 0,
  trade: 1,
  fees: 2,
  outside: 3,
  waiting: 4,
  suspense: 5,
};
const SYSTEM_ACCOUNTS: readonly SystemAccount[] = ['fees', 'outside', 'waiting', 'suspense'];
const CURRENCIES_MAX = 64;
const TOTAL_MAX = 2n ** 100n;

export class LedgerChecker {
  readonly #accounts = new Map<number, Account>();
  readonly #touched: Account[] = [];
  /** The sum of this record's postings per currency. */
  readonly #sums: bigint[] = [];

  check(event: BalanceChanged): void {
    const { user, account, currency, availableChange, holdChange, available, hold } = event;
    const known = this.#account(user, account, currency);
    const details = { user, account, currency, available, hold, cause: event.cause, order: event.order };
    if (known.available + availableChange !== available || known.hold + holdChange !== hold) {
      violated('a posting continues from the balance before it', {
        ...details,
        before: known.available,
        held: known.hold,
      });
    }
    if (availableChange === 0n && holdChange === 0n) violated('a posting changes something', details);
    if (hold < 0n || (available < 0n && account !== 'outside')) violated('nothing is negative', details);
    if (user < 0 && hold !== 0n) violated('a system account holds nothing', details);
    if (account === 'outside' && available < -TOTAL_MAX) violated('all amounts of a currency fit', details);
    known.available = available;
    known.hold = hold;
    this.#sums[currency] = (this.#sums[currency] ?? 0n) + availableChange + holdChange;
    if (!known.isTouched) this.#touched.push(known);
    known.isTouched = true;
  }

  afterRecord(exchange: Exchange): void {
    for (const account of this.#touched) {
      compare(exchange, account);
      account.isTouched = false;
    }
    this.#touched.length = 0;
    this.#sums.forEach((sum, currency) => {
      if (sum !== 0n) violated('the postings of a record sum to zero', { currency, sum });
    });
    this.#sums.length = 0;
  }

  /** Checks every account of the exchange, even those without an event. */
  scan(exchange: Exchange): void {
    const { users, currencies } = exchange.counts;
    for (let currency = 0; currency < currencies; currency += 1) {
      let sum = 0n;
      for (const account of SYSTEM_ACCOUNTS) sum += compare(exchange, this.#account(-1, account, currency));
      for (let user = 0; user < users; user += 1) {
        sum += compare(exchange, this.#account(user, 'main', currency));
        sum += compare(exchange, this.#account(user, 'trade', currency));
      }
      if (sum !== 0n) violated('all accounts of a currency sum to zero', { currency, sum });
    }
  }

  #account(user: number, account: AccountType | SystemAccount, currency: number): Account {
    const key = ((user + 1) * 6 + NUMBERS[account]) * CURRENCIES_MAX + currency;
    let known = this.#accounts.get(key);
    if (known === undefined) {
      known = { user, account, currency, available: 0n, hold: 0n, isTouched: false };
      this.#accounts.set(key, known);
    }
    return known;
  }
}

/** The exchange's balance must equal the one computed from events. */
function compare(exchange: Exchange, { user, account, currency, available, hold }: Account): bigint {
  const answer =
    user < 0
      ? { available: exchange.systemBalance(account as SystemAccount, currency), hold: 0n }
      : exchange.balance(user, account as AccountType, currency);
  if (answer.available !== available || answer.hold !== hold) {
    violated('a balance is what events made it', {
      user,
      account,
      currency,
      available,
      hold,
      ...renamed(answer),
    });
  }
  return answer.available + answer.hold;
}

function renamed(answer: { available: bigint; hold: bigint }): Record<string, bigint> {
  return { 'answered available': answer.available, 'answered hold': answer.hold };
}
