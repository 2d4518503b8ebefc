/** Builds the liability trees as of a record, in a worker thread so that it does not delay orders. */

import { workerData } from 'node:worker_threads';
import { type Exchange, SYSTEM_ACCOUNTS } from '@bourse/core';
import { userId } from '@bourse/api/basics';
import {
  digestIn,
  leafOf,
  levelsOf,
  logReaderIn,
  nodeDisk,
  nonceOf,
  snapshotsIn,
  sumIn,
  writeFileFrom,
  yieldToOthers,
} from '@bourse/engine';
import {
  type FileEntry,
  type FileHead,
  headBytes,
  entryBytes,
  type OwedCurrency,
} from './liabilities-file.ts';

export interface LiabilitiesTask {
  readonly dir: string;
  readonly origin: string;
  readonly record: number;
  readonly generation: number;
  /** 32 bytes, used for this publication only. */
  readonly secret: Uint8Array;
  /** The file to write. */
  readonly path: string;
}

/** A lower priority than the history follower's, because history lists wait for the follower. */
const NICE = 10;

interface Tree extends OwedCurrency {
  readonly levels: readonly Buffer[];
}

async function main({ dir, origin, record, generation, secret, path }: LiabilitiesTask): Promise<void> {
  yieldToOthers(NICE);
  const exchange = await stateAfter(dir, record);
  const entries: FileEntry[] = [];
  const trees: Tree[] = [];
  const all = balancesOf(exchange);
  for (const currency of exchange.reference.currencies.keys()) {
    const balances = all.get(currency);
    if (!balances) {
      checkSum(exchange, currency, 0n);
      continue;
    }
    const { code, scale } = exchange.reference.currencies[currency];
    const leaves = Array.from(balances, ([user, units]) => {
      const id = userId(user);
      return {
        user,
        leaf: leafOf({ origin, record, currency: code, user: id, units }, nonceOf(secret, id, code)),
      };
    }).toSorted((one, other) => Buffer.compare(one.leaf, other.leaf));
    for (const [leaf, { user }] of leaves.entries()) entries.push({ user, currency: trees.length, leaf });
    const levels = levelsOf(leaves.map(({ leaf }) => leaf));
    const root = levels.at(-1)!;
    checkSum(exchange, currency, sumIn(root));
    trees.push({
      currency: code,
      decimals: scale,
      units: String(sumIn(root)),
      root: Buffer.from(digestIn(root)).toString('base64'),
      leaves: leaves.length,
      levels,
    });
  }
  entries.sort((one, other) => one.user - other.user || one.currency - other.currency);
  const currencies = trees.map(({ currency, decimals, units, root, leaves }) => ({
    currency,
    decimals,
    units,
    root,
    leaves,
  }));
  const { time } = exchange;
  const head: FileHead = { origin, record, generation, time, entries: entries.length, currencies };
  await writeFileFrom(path, piecesOf(head, entries, trees));
}

async function* piecesOf(
  head: FileHead,
  entries: readonly FileEntry[],
  trees: readonly Tree[],
): AsyncGenerator<Uint8Array> {
  yield headBytes(head);
  yield entryBytes(entries);
  for (const { levels } of trees) yield* levels;
}

async function stateAfter(dir: string, record: number): Promise<Exchange> {
  const { exchange } = await snapshotsIn(nodeDisk, dir).restore(record);
  const log = logReaderIn(nodeDisk, dir);
  try {
    for await (const each of log.read(exchange.seq + 1, record)) exchange.apply(each);
  } finally {
    await log.close();
  }
  return exchange;
}

/** By currency: the balance of each user who has one, over all accounts. */
function balancesOf(exchange: Exchange): Map<number, Map<number, bigint>> {
  const found = new Map<number, Map<number, bigint>>();
  for (let user = 0; user < exchange.counts.users; user++) {
    for (const { currency, available, hold } of exchange.accounts(user)) {
      const units = available + hold;
      if (units === 0n) continue;
      const balances = found.get(currency) ?? new Map<number, bigint>();
      found.set(currency, balances);
      balances.set(user, (balances.get(user) ?? 0n) + units);
    }
  }
  return found;
}

/** All accounts sum to zero, so the system's accounts give the users' total a second time. */
function checkSum(exchange: Exchange, currency: number, sum: bigint): void {
  const owed = -SYSTEM_ACCOUNTS.reduce((all, account) => all + exchange.systemBalance(account, currency), 0n);
  if (sum === owed) return;
  const { code } = exchange.reference.currencies[currency];
  throw new Error(`the balances of ${code} sum to ${sum} units, but the ledger owes ${owed}`);
}

await main(workerData as LiabilitiesTask);
