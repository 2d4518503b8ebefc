/**
 * Publishes the exchange's liabilities: one Merkle-sum tree per currency at a record, its roots signed in that record's
 * checkpoint. Roots and sums are kept forever, the trees (which users need for proofs) for at least 90 days.
 */

import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  LiabilitiesFull,
  type LiabilityProof,
  type PublishedLiabilities,
  type Transparency,
} from '@bourse/api';
import type { SecretBox } from '@bourse/api/basics';
import { formatUnits } from '@bourse/core';
import {
  type Clock,
  isFull,
  moveDurably,
  nodeDisk,
  readText,
  Unavailable,
  UNFINISHED,
  writeFileFrom,
} from '@bourse/engine';
import {
  type CheckpointOptions,
  Checkpoints,
  type SignedCheckpoint,
  type TakenCheckpoint,
} from './checkpoints.ts';
import { type FileHead, headBytes, LiabilitiesFile } from './liabilities-file.ts';
import type { LiabilitiesTask } from './liabilities-worker.ts';

export const LIABILITIES_FOLDER = 'liabilities';
const WORKER = new URL('./liabilities-worker.ts', import.meta.url);
/** The newest trees are kept regardless of age: a year of monthly publications. */
const KEPT = 12;
/** Older trees are kept this long, so that publishing often does not delete proofs before users fetch them. */
const KEPT_MS = 90 * 86_400_000;
const TREES_MAX = 100;
const PAGE = 100;

type Options = Pick<CheckpointOptions, 'dir' | 'secrets' | 'clock' | 'warn'>;

interface Kept {
  readonly file: LiabilitiesFile;
  readonly checkpoint: SignedCheckpoint;
}

export class Liabilities {
  readonly #dir: string;
  readonly #folder: string;
  readonly #secrets: SecretBox;
  readonly #clock: Clock;
  readonly #checkpoints: Checkpoints;
  /** Oldest first. */
  readonly #kept: Kept[] = [];
  #worker: Worker | undefined;
  #hasEnded = false;

  private constructor({ dir, secrets, clock }: Options, checkpoints: Checkpoints) {
    this.#dir = dir;
    this.#folder = `${dir}/${LIABILITIES_FOLDER}`;
    this.#secrets = secrets;
    this.#clock = clock;
    this.#checkpoints = checkpoints;
  }

  static async open(options: Options, checkpoints: Checkpoints): Promise<Liabilities> {
    const { warn } = options;
    const opened = new Liabilities(options, checkpoints);
    for (const name of await nodeDisk.list(opened.#folder)) {
      if (!/^\d{1,16}$/.test(name)) continue;
      const path = `${opened.#folder}/${name}`;
      const file = await LiabilitiesFile.open(path).catch((error: Error) => {
        warn(`${path} cannot be read, so users get no proofs from it: ${error.message}`);
      });
      if (!file) continue;
      const checkpoint = checkpoints.find(Number(name), lineOf(file.head));
      // Ignore a file that was never signed because the process was killed; the next publication replaces it.
      if (checkpoint) opened.#kept.push({ file, checkpoint });
    }
    opened.#kept.sort((one, other) => one.file.head.record - other.file.head.record);
    return opened;
  }

  /** Publications before record `before`, newest first, at most 100. */
  published(before = Infinity): readonly PublishedLiabilities[] {
    const older = this.#kept.filter(({ file }) => file.head.record < before);
    return older
      .slice(-PAGE)
      .map((each) => this.#shown(each))
      .toReversed();
  }

  /** Returns null if no trees with this id are kept. */
  async proofOf(id: string, user: number): Promise<LiabilityProof | null> {
    const found = this.#kept.find(({ file: { head } }) => String(head.record) === id);
    if (!found || found.file.head.isDropped) return null;
    const { head } = found.file;
    return found.file.proofOf(user, this.#secretOf(head));
  }

  /** Publishes the liabilities of all durable records. Returns the newest publication if nothing was logged since. */
  async take(): Promise<PublishedLiabilities> {
    const { origin } = this.#checkpoints;
    const taken = await this.#checkpoints.takeWith(async (record) => {
      if (this.#kept.at(-1)?.file.head.record === record) return null;
      await this.#dropOld();
      if (this.#trees.length >= TREES_MAX) {
        throw new LiabilitiesFull(
          `There are already ${TREES_MAX} publications from the last 90 days. Publish less often.`,
        );
      }
      const made = await this.#make(origin, record);
      return { line: lineOf(made.head), made };
    });
    if (!taken) return this.#shown(this.#kept.at(-1)!);
    const kept = { file: taken.made, checkpoint: taken.checkpoint };
    this.#kept.push(kept);
    return this.#shown(kept);
  }

  /** Aborts a publication in progress. */
  async close(): Promise<void> {
    this.#hasEnded = true;
    await this.#worker?.terminate();
  }

  async #make(origin: string, record: number): Promise<LiabilitiesFile> {
    await nodeDisk.makeDirectory(this.#folder);
    await this.#removeUnfinished();
    const path = `${this.#folder}/${record}`;
    const { generation } = this.#secrets;
    const secret = this.#secretOf({ origin, record, generation });
    await this.#run({ dir: this.#dir, origin, record, generation, secret, path: path + UNFINISHED });
    await moveDurably(path + UNFINISHED, path);
    return LiabilitiesFile.open(path);
  }

  async #run(task: LiabilitiesTask): Promise<void> {
    const ended = (): Error =>
      new Unavailable('stopped', 'The exchange is shutting down: no liabilities were published.');
    if (this.#hasEnded) throw ended();
    const worker = new Worker(WORKER, { workerData: task, name: 'liabilities' });
    this.#worker = worker;
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once('error', (error) => reject(fullDisk(error)));
        worker.once('exit', (code) => (code === 0 ? resolve() : reject(ended())));
      });
    } finally {
      this.#worker = undefined;
    }
  }

  async #removeUnfinished(): Promise<void> {
    const signed = new Set(this.#kept.map(({ file }) => String(file.head.record)));
    for (const name of await nodeDisk.list(this.#folder)) {
      if (!signed.has(name)) await nodeDisk.remove(`${this.#folder}/${name}`);
    }
  }

  get #trees(): Kept[] {
    return this.#kept.filter(({ file }) => !file.head.isDropped);
  }

  /** Keeps the heads, whose roots and sums were signed. */
  async #dropOld(): Promise<void> {
    const end = this.#clock.now() - KEPT_MS;
    const old = this.#trees.slice(0, 1 - KEPT).filter(({ file }) => file.head.time < end);
    for (const { file, checkpoint } of old) {
      const { head } = file;
      const path = `${this.#folder}/${head.record}`;
      await writeFileFrom(path + UNFINISHED, onlyHead(head));
      await moveDurably(path + UNFINISHED, path);
      const at = this.#kept.findIndex((each) => each.file === file);
      this.#kept[at] = { file: await LiabilitiesFile.open(path), checkpoint };
    }
  }

  #shown({ file: { head }, checkpoint }: Kept): PublishedLiabilities {
    const { origin, record, time } = head;
    return {
      id: String(record),
      origin,
      record,
      time,
      currencies: head.currencies.map(({ currency, decimals, units, root }) => ({
        currency,
        decimals,
        sum: formatUnits(BigInt(units), decimals),
        units,
        root,
      })),
      checkpoint: this.#checkpoints.shown(checkpoint).note,
    };
  }

  #secretOf({ origin, record, generation }: Pick<FileHead, 'origin' | 'record' | 'generation'>): Buffer {
    return this.#secrets.derive(`liabilities ${origin} ${record}`, generation);
  }
}

/** The line in the checkpoint that commits to the roots and sums. */
function lineOf({ currencies }: FileHead): string {
  const list = currencies.map(
    ({ currency, decimals, units, root }) => `${currency} ${decimals} ${units} ${root}\n`,
  );
  return `liabilities ${hash('sha256', list.join(''), 'base64')}`;
}

// eslint-disable-next-line @typescript-eslint/require-await -- writeFileFrom takes an async iterable
async function* onlyHead(head: FileHead): AsyncGenerator<Uint8Array> {
  yield headBytes({ ...head, entries: 0, isDropped: true });
}

/** Errors from the worker thread arrive without their class. */
function fullDisk(error: unknown): unknown {
  return isFull(error)
    ? new Unavailable('disk-full', 'The disk is full: no liabilities were published.')
    : error;
}

const VERIFIER = fileURLToPath(new URL('../tools/verify-liabilities.mjs', import.meta.url));

/** Opens and closes an exchange's checkpoints and liabilities together. */
export class OpenTransparency implements Transparency {
  readonly liabilities: Liabilities;
  readonly #checkpoints: Checkpoints;

  private constructor(checkpoints: Checkpoints, liabilities: Liabilities) {
    this.#checkpoints = checkpoints;
    this.liabilities = liabilities;
  }

  static async open(options: CheckpointOptions): Promise<OpenTransparency> {
    const checkpoints = await Checkpoints.open(options);
    try {
      return new OpenTransparency(checkpoints, await Liabilities.open(options, checkpoints));
    } catch (error) {
      await checkpoints.discard();
      throw error;
    }
  }

  get key(): string {
    return this.#checkpoints.key;
  }

  get newest(): TakenCheckpoint | undefined {
    return this.#checkpoints.newest;
  }

  /** Whether the log begins with records of another one. */
  get isCopy(): boolean {
    return this.#checkpoints.isCopy;
  }

  after(size: number, count: number): readonly TakenCheckpoint[] {
    return this.#checkpoints.after(size, count);
  }

  take(): Promise<TakenCheckpoint> {
    return this.#checkpoints.take();
  }

  verifier(): Promise<string> {
    return readText(VERIFIER);
  }

  /** Takes a last checkpoint. */
  async close(): Promise<void> {
    await this.liabilities.close();
    await this.#checkpoints.close();
  }

  /** Takes no last checkpoint, because the world is discarded or the start failed. */
  async discard(): Promise<void> {
    // Start ending both before awaiting either.
    await Promise.all([this.liabilities.close(), this.#checkpoints.discard()]);
  }
}
