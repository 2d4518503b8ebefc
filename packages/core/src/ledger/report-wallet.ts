/** Stores a report of the external wallets' balance, with the exchange's liabilities as of the same record. */

import { Amount } from '../values/amount.ts';
import type { ReportWallet } from '../commands/commands.ts';
import type { Rejection } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { invalidValue } from '../values/text.ts';
import { OUTSIDE } from './ledger.ts';

const outside = new Amount();

export function reportWallet(state: State, command: ReportWallet): Rejection | null {
  const { currency, balance, at, by = '' } = command;
  const refused = state.currencies.unknown(currency);
  if (refused) return refused;
  if (balance < 0n) return invalidValue('balance', balance, 'not below 0');
  if (!Number.isSafeInteger(at) || at < 0 || at > state.time) {
    return invalidValue('at', at, 'milliseconds, not after now');
  }
  state.ledger.readAvailable(state.ledger.system(OUTSIDE, currency), outside);
  const liabilities = -outside.toBigInt();
  state.wallets.add({ currency, balance, liabilities, at, time: state.time, by });
  return null;
}
