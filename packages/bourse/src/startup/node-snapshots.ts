/**
 * Snapshots of a cluster. The leader marks the record after which one is due; all nodes take it there and compare hashes.
 * Then the leader uploads one to the shared store, and removes the records that no node needs any more, if it may. A node
 * whose directory is empty or too old starts from one.
 */

import {
  ClusterUnfit,
  type JetStreamLog,
  type NodeSequencer,
  SnapshotDamaged,
  type SnapshotFiles,
  type SnapshotStore,
} from '@bourse/cluster';
import {
  type Clock,
  type Engine,
  nodeDisk,
  removeDirectory,
  removeFile,
  snapshotPath,
  snapshotsIn,
  SqliteHistoryReader,
  UNFINISHED,
} from '@bourse/engine';
import { historyPath } from './data-directory.ts';

const LOOK_MS = 1000;
/** A node that is stopped waits this long for the log servers to take a snapshot. */
const CLOSE_MS = 10_000;

const filesIn = (dir: string, seq: number): SnapshotFiles => ({
  state: snapshotPath(snapshotsIn(nodeDisk, dir).dir, seq),
  history: historyPath(dir),
});

export interface NodeSnapshotsParts {
  readonly store: SnapshotStore;
  readonly engine: Engine;
  readonly sequencer: NodeSequencer;
  readonly log: JetStreamLog;
  readonly clock: Clock;
  readonly dir: string;
  /** One is due after this many records, or bytes of the log. */
  readonly everyRecords: number;
  readonly everyBytes: number;
  /** Reads the backup of the log, and resolves to its last message; null: no record is removed. */
  readonly verifyCopy: (() => Promise<number>) | null;
  readonly onWarning: (sentence: string) => void;
}

export class NodeSnapshots {
  readonly #parts: NodeSnapshotsParts;
  #cancel: () => void = () => undefined;
  #isClosed = false;
  /** The record of the newest snapshot in the store, as far as this node knows. */
  #newest = -1;
  /** The last record after which one was due, and how long the log was then. */
  #dueSeq: number;
  #dueBytes: number;
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: NodeSnapshotsParts) {
    this.#parts = parts;
    this.#dueSeq = parts.engine.health.snapshotSeq;
    this.#dueBytes = parts.log.bytesAppended;
    parts.sequencer.snapshots.onDue((seq) => this.#due(seq));
    this.#arm();
  }

  /**
   * Waits for an upload in progress, but not for servers that do not respond: then it ends with the connection, earlier
   * snapshots stay intact, and the next leader uploads one.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    let cancelWait = (): void => undefined;
    const waited = new Promise<void>((resolve) => {
      cancelWait = this.#parts.clock.machine.after(CLOSE_MS, resolve);
    });
    await Promise.race([this.#turn, waited]);
    cancelWait();
  }

  #due(seq: number): void {
    const { engine, log } = this.#parts;
    this.#dueSeq = seq;
    this.#dueBytes = log.bytesAppended;
    engine.snapshotHere();
  }

  #arm(): void {
    this.#cancel = this.#parts.clock.machine.after(LOOK_MS, () => {
      this.#turn = this.#look().catch((error: Error) => {
        if (!this.#isClosed)
          this.#parts.onWarning(`no snapshot could be stored (${error.message}): retrying`);
      });
      void this.#turn.then(() => this.#isClosed || this.#arm());
    });
  }

  async #look(): Promise<void> {
    const { store, sequencer, log, everyRecords, everyBytes } = this.#parts;
    if (!sequencer.isLeading) {
      this.#newest = -1;
      return;
    }
    if (this.#newest < 0) this.#newest = (await store.list()).at(-1) ?? 0;
    const [records, bytes] = [sequencer.seq - this.#dueSeq, log.bytesAppended - this.#dueBytes];
    if (records >= everyRecords || bytes >= everyBytes) sequencer.snapshots.request();
    if (this.#dueSeq > this.#newest) await this.#put();
  }

  async #put(): Promise<void> {
    const { store, engine, dir } = this.#parts;
    const copy = `${dir}/to-store`;
    await removeDirectory(copy);
    try {
      const { seq } = await engine.copyTo(copy, () => null);
      const { oldest } = await store.put(seq, filesIn(copy, seq));
      this.#newest = seq;
      if (oldest > 0) await this.#giveUp(oldest);
    } finally {
      await removeDirectory(copy);
    }
  }

  /** The records that the older snapshot of the store covers, once it was read back, and that the backup has. */
  async #giveUp(oldest: number): Promise<void> {
    const { store, log, dir, verifyCopy, onWarning } = this.#parts;
    if (verifyCopy === null) return;
    const check = `${dir}/from-store`;
    try {
      const lastMessage = await verifyCopy();
      await removeDirectory(check);
      await store.get(oldest, filesIn(check, oldest));
      await log.removeBelow(oldest + 1, lastMessage);
    } catch (error) {
      onWarning(
        `${(error as Error).message} No record of the log is removed (logCopy); the backup is checked again after the next snapshot`,
      );
    } finally {
      await removeDirectory(check);
    }
  }
}

/**
 * True if the directory was initialised from the newest intact snapshot of the store. Without one, a node reads the log
 * from its first record, and throws ClusterUnfit if that has been removed.
 *
 * The state is fetched last, and has its name only when it is complete. So after a kill in between, the directory is still
 * empty or too old, unless the log has all records and the state is not needed.
 */
export async function joinFromStore(
  store: SnapshotStore,
  dir: string,
  firstSeq: number,
  onAlarm: (sentence: string) => void,
): Promise<boolean> {
  await removeFile(historyPath(dir) + UNFINISHED);
  const seqs = await store.list();
  const snapshot = await snapshotsIn(nodeDisk, dir).newestSeq();
  const isEmpty = snapshot === 0 && (await checkpointOf(dir)) === 0;
  const isTooOld = Math.min(snapshot, await checkpointOf(dir)) + 1 < firstSeq;
  if (seqs.length === 0 || !(isEmpty || isTooOld)) return false;
  for (const seq of seqs.filter((each) => each + 1 >= firstSeq).toReversed()) {
    await removeState(dir);
    try {
      await store.get(seq, filesIn(dir, seq));
      return true;
    } catch (error) {
      await removeState(dir);
      if (!(error instanceof SnapshotDamaged)) throw error;
      onAlarm(
        `the snapshot of record ${seq} in the store is damaged (${error.message}): trying an older one`,
      );
    }
  }
  if (firstSeq === 1) return false;
  throw new ClusterUnfit(
    `No snapshot in the store is intact, and the log begins with record ${firstSeq}: this node cannot join. Let a running ` +
      'node take a new one (it does so after snapshotRecords records), or restore the store with `bourse cluster restore`.',
  );
}

async function removeState(dir: string): Promise<void> {
  for (const name of ['history.db', 'history.db-wal', 'history.db-shm', 'history.db-stamp']) {
    await removeFile(`${dir}/${name}`);
  }
  await removeDirectory(`${dir}/snapshots`);
}

/** 0 without a readable history, which is then rebuilt too. */
async function checkpointOf(dir: string): Promise<number> {
  const path = historyPath(dir);
  if (!(await nodeDisk.list(dir)).includes('history.db')) return 0;
  try {
    const history = new SqliteHistoryReader(path);
    const { checkpoint } = history;
    history.close();
    return checkpoint;
  } catch {
    return 0;
  }
}

// A log that ends before one of its snapshots has lost acknowledged records. That is never ignored, and
// never decided by a node: an operator restores the log, or accepts the loss.

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
        `with --cluster-lost-through ${known}: the exchange continues after record ${lastSeq}, and the snapshots of the later state ` +
        `are kept in ${aside}. Nothing was changed.`,
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
    `${lost} of the log are lost and were abandoned with --cluster-lost-through; the snapshots of them are in ${aside}`,
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
