/** Balances in a snapshot: every account that was ever used, by user, type and currency. */

import type { State } from '../state.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

export function writeBalances(state: State, writer: ByteWriter): void {
  const { ledger } = state;
  const accounts = [...Array(ledger.accountCount).keys()]
    .map((number) => ({ number, ...ledger.owner(number) }))
    .filter(({ used }) => used)
    .toSorted((a, b) => a.user - b.user || a.type - b.type || a.currency - b.currency);
  writer.int(accounts.length);
  for (const { number, user, type, currency } of accounts) {
    writer.int(user);
    writer.byte(type);
    writer.int(currency);
    for (const value of ledger.balanceOf(number)) writer.number(value);
  }
}

export function readBalances(state: State, reader: ByteReader): void {
  const { ledger } = state;
  for (let left = reader.int(); left > 0; left--) {
    const account = ledger.restore(reader.int(), reader.byte(), reader.int());
    const balance = ledger.balanceOf(account);
    for (let i = 0; i < balance.length; i++) balance[i] = reader.number();
  }
}
