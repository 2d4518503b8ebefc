/**
 * The zero-sum report: per currency, the users' money, the system accounts' money and the deposits from
 * outside, recomputed from the recovered state. The sum must be 0; then no money was created or lost.
 */

import { type Exchange, formatUnits } from '@bourse/core';
import {
  type EngineOptions,
  findEnd,
  logDirectory,
  logReaderIn,
  nodeClock,
  nodeDisk,
  recover,
  snapshotsIn,
} from '@bourse/engine';
import { knownSeqOf, lockStopped, requireDirectory } from './stopped-directory.ts';

/** Decimals as text. */
export interface CurrencySum {
  readonly currency: string;
  readonly available: string;
  readonly hold: string;
  readonly fees: string;
  readonly waiting: string;
  readonly suspense: string;
  readonly outside: string;
  readonly sum: string;
  readonly isZero: boolean;
}

export interface LedgerReport {
  readonly seq: number;
  readonly users: number;
  readonly orders: number;
  readonly currencies: readonly CurrencySum[];
  readonly isClean: boolean;
}

/** Rejects with DirectoryInUse while a service runs on the directory. Reads only. */
export async function checkLedger(
  dir: string,
  { onProgress, onWarning }: Pick<EngineOptions, 'onProgress' | 'onWarning'>,
): Promise<LedgerReport> {
  const segments = await requireDirectory(dir);
  const release = await lockStopped(dir);
  try {
    const knownSeq = await knownSeqOf(dir, onWarning);
    const { lastSeq } = await findEnd(nodeDisk, logDirectory(dir), segments.at(-1)!, knownSeq);
    const reader = logReaderIn(nodeDisk, dir);
    const { exchange } = await recover({
      snapshots: snapshotsIn(nodeDisk, dir),
      log: Object.assign(reader, { lastSeq }),
      clock: nodeClock,
      checkpoint: Infinity,
      ...(onProgress && { onProgress }),
      ...(onWarning && { onWarning }),
    });
    await reader.close();
    return reportOf(exchange);
  } finally {
    await release();
  }
}

export function reportOf(exchange: Exchange): LedgerReport {
  const { users, orders } = exchange.counts;
  // A removed currency was never used: its row would be all zeros, below a code that may have been listed
  // again.
  const currencies = exchange.reference.currencies
    .filter(({ removed }) => !removed)
    .map(({ number }) => sumOf(exchange, number));
  return { seq: exchange.seq, users, orders, currencies, isClean: currencies.every(({ isZero }) => isZero) };
}

function sumOf(exchange: Exchange, number: number): CurrencySum {
  const { code, scale } = exchange.reference.currencies[number];
  let available = 0n;
  let hold = 0n;
  for (let user = 0; user < exchange.counts.users; user++) {
    for (const account of ['main', 'trade'] as const) {
      const balance = exchange.balance(user, account, number);
      available += balance.available;
      hold += balance.hold;
    }
  }
  const fees = exchange.systemBalance('fees', number);
  const waiting = exchange.systemBalance('waiting', number);
  const suspense = exchange.systemBalance('suspense', number);
  const outside = exchange.systemBalance('outside', number);
  const sum = available + hold + fees + waiting + suspense + outside;
  const text = (units: bigint) => formatUnits(units, scale);
  return {
    currency: code,
    available: text(available),
    hold: text(hold),
    fees: text(fees),
    waiting: text(waiting),
    suspense: text(suspense),
    outside: text(outside),
    sum: text(sum),
    isZero: sum === 0n,
  };
}
