/**
 * What the exchange owes, published: a tree per currency at a record, whose roots are signed with the checkpoint of that
 * record. Roots and sums stay for good; the trees, from which each user gets a proof, stay for a while.
 */

import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LiabilitiesFull, type LiabilityProof, type PublishedLiabilities } from '@bourse/api';
import type { SecretBox } from '@bourse/api/basics';
import { formatUnits } from '@bourse/core';
import { type Clock, isFull, moveDurably, nodeDisk, Unavailable, writeFileFrom } from '@bourse/engine';
import type { CheckpointOptions, Checkpoints, SignedCheckpoint } from './checkpoints.ts';
import { type FileHead, headBytes, LiabilitiesFile } from './liabilities-file.ts';
import type { LiabilitiesTask } from './liabilities-worker.ts';

const FOLDER = 'liabilities';
const WORKER = new URL('./liabilities-worker.ts', import.meta.url);
/** The newest trees that stay however old they are: a year of one a month. */
const KEPT = 12;
/** Others stay this long, so that no number of calls takes a proof away before its user has fetched it. */
const KEPT_MS = 90 * 86_400_000;
const TREES_MAX = 100;
const PAGE = 100;
const UNFINISHED = '.tmp';

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
  /** The oldest first. */
  readonly #kept: Kept[] = [];
  #worker: Worker | undefined;
  #hasEnded = false;

  private constructor({ dir, secrets, clock }: Options, checkpoints: Checkpoints) {
    this.#dir = dir;
    this.#folder = `${dir}/${FOLDER}`;
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
        warn(`nobody can get a proof from ${path}: ${error.message}`);
      });
      if (!file) continue;
      const checkpoint = checkpoints.find(Number(name), lineOf(file.head));
      // One that a kill kept from being signed is nobody's, and is made anew.
      if (checkpoint) opened.#kept.push({ file, checkpoint });
    }
    opened.#kept.sort((one, other) => one.file.head.record - other.file.head.record);
    return opened;
  }

  /** Of records before `before`, the newest first, 100 at most. */
  published(before = Infinity): readonly PublishedLiabilities[] {
    const older = this.#kept.filter(({ file }) => file.head.record < before);
    return older
      .slice(-PAGE)
      .map((each) => this.#shown(each))
      .toReversed();
  }

  /** Null where no such trees are kept. */
  async proofOf(id: string, user: number): Promise<LiabilityProof | null> {
    const found = this.#kept.find(({ file: { head } }) => String(head.record) === id);
    if (!found || found.file.head.isDropped) return null;
    const { head } = found.file;
    return found.file.proofOf(user, this.#secretOf(head));
  }

  /** Of every record that is durable now; the newest again if there are no others since. */
  async take(): Promise<PublishedLiabilities> {
    const { origin } = this.#checkpoints;
    const taken = await this.#checkpoints.takeWith(async (record) => {
      if (this.#kept.at(-1)?.file.head.record === record) return null;
      await this.#dropOld();
      if (this.#trees.length >= TREES_MAX) {
        throw new LiabilitiesFull(
          `The trees of ${TREES_MAX} publications are kept, all younger than 90 days. Publish less often.`,
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

  /** Ends what is being made. */
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
      new Unavailable('stopped', 'The exchange stops: no liabilities were published.');
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

  /** Leaves their roots and sums, which were signed. */
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

/** The checkpoint's line that commits to the roots and sums. */
function lineOf({ currencies }: FileHead): string {
  const list = currencies.map(
    ({ currency, decimals, units, root }) => `${currency} ${decimals} ${units} ${root}\n`,
  );
  return `liabilities ${hash('sha256', list.join(''), 'base64')}`;
}

// eslint-disable-next-line @typescript-eslint/require-await -- writeFileFrom takes pieces that may be waited for
async function* onlyHead(head: FileHead): AsyncGenerator<Uint8Array> {
  yield headBytes({ ...head, entries: 0, isDropped: true });
}

/** An error of the worker comes without its class. */
function fullDisk(error: unknown): unknown {
  return isFull(error)
    ? new Unavailable('disk-full', 'There is no room on the disk for the liabilities.')
    : error;
}
