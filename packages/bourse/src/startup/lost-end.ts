/**
 * A log that ends before one of its snapshots has lost acknowledged records. That is never ignored, and never decided by a
 * node: an operator restores the log, or accepts the loss.
 */

import { ClusterUnfit, SnapshotDamaged, type SnapshotStore } from '@bourse/cluster';
import { nodeDisk, snapshotsIn } from '@bourse/engine';

export interface LostEndParts {
  readonly store: SnapshotStore;
  readonly dir: string;
  /** Snapshots show that records up to this one existed. */
  readonly known: number;
  /** The last record of the log. */
  readonly lastSeq: number;
  /** The record up to which an operator accepts the loss; 0: none. */
  readonly givenUp: number;
  readonly onAlarm: (sentence: string) => void;
}

/** Call before the log is read: a snapshot taken meanwhile is not beyond its end. */
export async function knownThrough(store: SnapshotStore, dir: string): Promise<number> {
  const own = await snapshotsIn(nodeDisk, dir).newestSeq();
  return Math.max(own, (await store.list()).at(-1) ?? 0);
}

/** Throws ClusterUnfit. Evidence of the lost records is kept in a separate folder. */
export async function leaveLostEnd(parts: LostEndParts): Promise<void> {
  const { store, dir, known, lastSeq, givenUp, onAlarm } = parts;
  if (known <= lastSeq) return;
  const lost = `records ${lastSeq + 1} to ${known}`;
  const aside = `${dir}/lost-after-${lastSeq}`;
  if (givenUp < known) {
    throw new ClusterUnfit(
      `The log ends with record ${lastSeq}, but there is a snapshot of record ${known}: ${lost} were acknowledged, and the ` +
        'log has lost them. Restore the log from a backup with `bourse cluster restore`. If there is none, start every node ' +
        `with --cluster-lost-through ${known}: the exchange goes on after record ${lastSeq}, and what shows the later state ` +
        `is kept in ${aside}. Nothing was changed.`,
    );
  }
  await nodeDisk.makeDirectory(aside);
  for (const seq of await store.list()) {
    if (seq > lastSeq) await keepAside(parts, seq, aside);
  }
  if ((await snapshotsIn(nodeDisk, dir).newestSeq()) > lastSeq) {
    const names = new Set(await nodeDisk.list(dir));
    for (const name of ['history.db', 'history.db-wal', 'history.db-shm', 'history.db-stamp', 'snapshots'])
      if (names.has(name)) await nodeDisk.rename(`${dir}/${name}`, `${aside}/${name}`);
  }
  await store.removeBeyond(lastSeq);
  onAlarm(
    `${lost} of the log are lost and were given up by --cluster-lost-through; what shows them is in ${aside}`,
  );
}

async function keepAside({ store, onAlarm }: LostEndParts, seq: number, aside: string): Promise<void> {
  try {
    await store.get(seq, { state: `${aside}/${seq}.snapshot`, history: `${aside}/${seq}.history.db` });
  } catch (error) {
    if (!(error instanceof SnapshotDamaged)) throw error;
    onAlarm(`the snapshot of record ${seq} is damaged, and could not be kept in ${aside} (${error.message})`);
  }
}
