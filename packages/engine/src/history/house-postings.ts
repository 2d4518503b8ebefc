/** Collects the postings of system accounts in a record: one row for the trades of a symbol, one for each other posting. */

import type { BalanceChanged, SystemAccount } from '@bourse/core';
import type { HouseRow, Movement, PostedHouse, PostedTrade } from './history.ts';

type Growing = { -readonly [Field in keyof PostedHouse]: PostedHouse[Field] };

export class HousePostings {
  readonly #rows: Growing[] = [];
  readonly #ofSymbols = new Map<number, Growing>();
  /** The last balance by account and currency. */
  readonly #balances = new Map<string, bigint>();

  /** A posting follows its trade, or the event of its deposit or withdrawal. */
  add(event: BalanceChanged, trade: PostedTrade | undefined, movement: Movement | undefined): void {
    const change = event.availableChange + event.holdChange;
    if (change === 0n) return;
    this.#balances.set(keyOf(event), event.available + event.hold);
    if (event.cause === 'trade') this.#addTrade(event, change, trade!);
    else this.#rows.push({ ...commonOf(event, change), user: userOf(event, movement) });
  }

  /** In the order of their first postings; each balance is the one after its row. */
  rows(): readonly PostedHouse[] {
    const rows = this.#rows;
    for (let at = rows.length - 1; at >= 0; at--) {
      const row = rows[at];
      const key = keyOf(row);
      row.balance = this.#balances.get(key)!;
      this.#balances.set(key, row.balance - row.change);
    }
    return rows;
  }

  #addTrade(event: BalanceChanged, change: bigint, { symbol, trade }: PostedTrade): void {
    const found = this.#ofSymbols.get(symbol);
    if (found) {
      found.change += change;
      found.lastTrade = trade;
      return;
    }
    const row = { ...commonOf(event, change), reference: 0, symbol, trade, lastTrade: trade };
    this.#ofSymbols.set(symbol, row);
    this.#rows.push(row);
  }
}

const keyOf = ({ account, currency }: { readonly account: string; readonly currency: number }): string =>
  `${account} ${currency}`;

function commonOf({ account, currency, cause, reference }: BalanceChanged, change: bigint): Growing {
  return {
    account: account as SystemAccount,
    currency,
    change,
    balance: 0n,
    cause: cause as HouseRow['cause'],
    user: -1,
    reference,
    symbol: -1,
    trade: 0,
    lastTrade: 0,
  };
}

function userOf({ cause }: BalanceChanged, movement: Movement | undefined): number {
  if (cause === 'correction' || movement === undefined || movement.kind === 'transfer-made') return -1;
  return movement.user;
}
