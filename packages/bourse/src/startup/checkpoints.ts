/**
 * The checkpoints of an exchange's log: what outsiders hold it to. A file in the data directory has them all, each with
 * the state of the tree, so that a start reads only the records since. A log that is not the one of the last checkpoint
 * is not signed again: two roots of one size would say that the exchange has two histories.
 */

import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@bourse/api/basics';
import {
  appendDurableText,
  CheckpointSigner,
  type Clock,
  type ExchangePort,
  GrowingTree,
  isFile,
  isFull,
  LogGone,
  logReaderIn,
  LogRewritten,
  nodeDisk,
  readLines,
  Unavailable,
  writeDurableText,
} from '@bourse/engine';

export const CHECKPOINTS_FILE = 'checkpoints';

/** Between two checkpoints, if there are new records. */
const INTERVAL_MS = 3_600_000;
/** The tree follows the log in small steps, so that a checkpoint is never far from its end. */
const FOLLOW_MS = 10_000;
/** Records in one turn of the event loop. */
export const RECORDS_PER_TURN = 64;
/** A stop or an operator waits for this many records, some seconds, to be read; with more, there is no checkpoint. */
const UNREAD_MAX = 500_000;

export interface TakenCheckpoint {
  /** Records that it counts. */
  readonly size: number;
  readonly time: number;
  readonly note: string;
}

/** The first line of the file. */
interface Origin {
  readonly origin: string;
  /** The log that this one was restored from, and how many of its records it has. */
  readonly before?: { readonly origin: string; readonly size: number };
}

/** Other lines. Bytes are in base64. */
interface Row extends TakenCheckpoint {
  readonly roots: readonly string[];
  /** Chain hash of the last record it counts. */
  readonly hash: string;
}

class FileDamaged extends Error {
  override readonly name = 'WrongDirectory';
}

export interface CheckpointOptions {
  readonly dir: string;
  /** Where segments are that the directory has no more; '' for nowhere. */
  readonly logCopy?: string;
  readonly secrets: SecretBox;
  readonly port: ExchangePort;
  readonly clock: Clock;
  /** Brings to the disk what was published before that, as a sandbox does while time is simulated. */
  readonly secure?: () => void;
  readonly warn: (sentence: string) => void;
  /** In place of UNREAD_MAX. */
  readonly unreadMax?: number;
}

export class Checkpoints {
  readonly #options: CheckpointOptions;
  readonly #origin: Origin;
  readonly #signer: CheckpointSigner;
  readonly #taken: TakenCheckpoint[];
  readonly #tree: GrowingTree;
  readonly #log: ReturnType<typeof logReaderIn>;
  readonly #copy: ReturnType<typeof logReaderIn> | undefined;
  /** Chain hash of the last record in the tree; undefined before the first. */
  #hash: Uint8Array | undefined;
  /** Whether the log has been found to be the one of the last checkpoint. */
  #isCompared = false;
  /** The last record that is durable. */
  #durable = 0;
  #work: Promise<unknown> = Promise.resolve();
  #cancel: () => void = () => undefined;
  #takenAt: number;
  #unsubscribe: () => void = () => undefined;
  #hasEnded = false;
  #isDiscarded = false;

  private constructor(options: CheckpointOptions, origin: Origin, rows: readonly Row[]) {
    this.#options = options;
    this.#origin = origin;
    this.#signer = new CheckpointSigner(
      origin.origin,
      options.secrets.derive(`checkpoints ${origin.origin}`),
    );
    this.#taken = rows.map(({ size, time, note }) => ({ size, time, note }));
    const last = rows.at(-1);
    this.#tree = last ? new GrowingTree(last.size, last.roots.map(bytesOf)) : new GrowingTree();
    this.#hash = last && bytesOf(last.hash);
    this.#log = logReaderIn(nodeDisk, options.dir);
    this.#copy = options.logCopy ? logReaderIn(nodeDisk, options.logCopy) : undefined;
    this.#takenAt = options.clock.machine.elapsed();
  }

  static async open(options: CheckpointOptions): Promise<Checkpoints> {
    const path = `${options.dir}/${CHECKPOINTS_FILE}`;
    const { origin, rows } = (await isFile(path)) ? await readFile(path) : await begin(path);
    const opened = new Checkpoints(options, origin, rows);
    await opened.#follow();
    return opened;
  }

  /** For whoever verifies. */
  get key(): string {
    return this.#signer.verifierKey;
  }

  get newest(): TakenCheckpoint | undefined {
    return this.#taken.at(-1);
  }

  /** Of more records than `size`, the oldest first. */
  after(size: number, count: number): readonly TakenCheckpoint[] {
    const first = this.#taken.findIndex((each) => each.size > size);
    return first < 0 ? [] : this.#taken.slice(first, first + count);
  }

  /**
   * Of every record that is durable now; the newest one again if there are no others since. Rejects with Unavailable
   * while so many records are unread that nobody would wait for them.
   */
  async take(): Promise<TakenCheckpoint> {
    if (this.#isFarBehind) throw this.#behind();
    return this.#next(async () => {
      await this.#grow();
      const { newest } = this;
      if (newest && newest.size === this.#tree.size) return newest;
      return this.#sign();
    });
  }

  /** Takes the last one. */
  async close(): Promise<void> {
    const { warn } = this.#options;
    this.#end();
    await this.#work;
    await this.take().catch((error: Error) => warn(`no checkpoint was taken at the stop: ${error.message}`));
    await this.#closeLogs();
  }

  /** Stops without a last one: of a world that is given up, or of a start that failed. */
  async discard(): Promise<void> {
    this.#isDiscarded = true;
    this.#end();
    await this.#work;
    await this.#closeLogs();
  }

  get #isFarBehind(): boolean {
    return this.#durable - this.#tree.size > (this.#options.unreadMax ?? UNREAD_MAX);
  }

  #behind(): Unavailable {
    const { size } = this.#tree;
    return new Unavailable('queue-full', `${this.#durable - size} records of the log are unread`);
  }

  async #closeLogs(): Promise<void> {
    await this.#log.close();
    await this.#copy?.close();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#cancel();
    this.#unsubscribe();
  }

  async #follow(): Promise<void> {
    const { port, clock } = this.#options;
    this.#durable = await port.read(({ seq }) => seq);
    this.#unsubscribe = port.subscribe(({ seq }) => {
      this.#durable = seq;
    });
    const look = (): void => {
      if (this.#hasEnded) return;
      this.#cancel = clock.machine.after(FOLLOW_MS, () => void this.#look().then(look));
    };
    look();
  }

  async #look(): Promise<void> {
    const { clock, warn } = this.#options;
    const isDue = clock.machine.elapsed() - this.#takenAt >= INTERVAL_MS;
    try {
      await this.#next(() => this.#grow());
      if (isDue) await this.take();
    } catch (error) {
      if (!this.#hasEnded) warn(`no checkpoint can be taken: ${(error as Error).message}`);
    }
  }

  /** One at a time. */
  #next<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#work.then(action);
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #grow(): Promise<void> {
    const { secure } = this.#options;
    const through = this.#durable;
    if (through > this.#tree.size) secure?.();
    if (!this.#isCompared) await this.#compare(through);
    try {
      await this.#read(this.#log, through);
    } catch (error) {
      if (!this.#copy || !(error instanceof LogGone)) throw error;
      await this.#read(this.#copy, through);
    }
  }

  async #read(log: ReturnType<typeof logReaderIn>, through: number): Promise<void> {
    let added = 0;
    for await (const hash of log.hashes(this.#tree.size + 1, through)) {
      this.#tree.add(hash);
      this.#hash = hash;
      if (++added % RECORDS_PER_TURN !== 0) continue;
      await new Promise<void>((resolve) => this.#options.clock.machine.soon(resolve));
      // Thrown, because what was read is not all that was to be signed.
      if (this.#isDiscarded || (this.#hasEnded && this.#isFarBehind)) throw this.#behind();
    }
  }

  /** Throws LogRewritten. The last record is enough, because its hash depends on all before it. */
  async #compare(through: number): Promise<void> {
    const { size } = this.#tree;
    if (size > through) throw this.#rewritten(`the log has only ${through}`);
    if (size > 0) {
      const hash = await this.#hashOf(size);
      // Without the record nothing can be compared; the next one continues it, or the log is damaged.
      if (hash && !Buffer.from(hash).equals(this.#hash!)) throw this.#rewritten('the log has others');
    }
    this.#isCompared = true;
  }

  async #hashOf(seq: number): Promise<Uint8Array | undefined> {
    for (const log of [this.#log, this.#copy]) {
      try {
        for await (const hash of log?.hashes(seq, seq) ?? []) return hash;
      } catch (error) {
        if (!(error instanceof LogGone)) throw error;
      }
    }
    return undefined;
  }

  #rewritten(found: string): LogRewritten {
    return new LogRewritten(
      `${this.#options.dir}/${CHECKPOINTS_FILE} has a checkpoint of ${this.#tree.size} records, and ${found}. ` +
        'Nothing is signed until the log is restored with `bourse restore`, or the file is removed, ' +
        'which begins a log with another name and key.',
    );
  }

  async #sign(): Promise<TakenCheckpoint> {
    const { dir, clock } = this.#options;
    const { before } = this.#origin;
    const { size, roots } = this.#tree;
    const time = clock.now();
    const lines = [`time ${new Date(time).toISOString()}`];
    if (before) lines.push(`restored-from ${before.origin} ${before.size}`);
    const note = this.#signer.sign(size, this.#tree.root(), lines);
    const row: Row = {
      size,
      time,
      note,
      roots: roots.map(textOf),
      hash: this.#hash ? textOf(this.#hash) : '',
    };
    // Begins a line of its own, because a full disk or a kill may have left a part of another.
    await appendDurableText(`${dir}/${CHECKPOINTS_FILE}`, `\n${JSON.stringify(row)}\n`).catch(
      (error: unknown) => {
        if (!isFull(error)) throw error;
        throw new Unavailable('disk-full', 'There is no room on the disk for a checkpoint.');
      },
    );
    const taken = { size, time, note };
    this.#taken.push(taken);
    this.#takenAt = clock.machine.elapsed();
    return taken;
  }
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A log has a name of its own, which nobody else's has. */
async function begin(path: string, before?: Origin['before']): Promise<{ origin: Origin; rows: Row[] }> {
  const origin: Origin = { origin: `bourse/${randomBytes(8).toString('hex')}`, ...(before && { before }) };
  await writeDurableText(path, `${JSON.stringify(origin)}\n`);
  return { origin, rows: [] };
}

/** A line that was not written to its end is left out: nobody was told of its checkpoint. */
async function readFile(path: string): Promise<{ origin: Origin; rows: Row[] }> {
  const lines: object[] = [];
  for await (const some of readLines(path)) lines.push(...some.flatMap(parseLine));
  const [origin, ...rows] = lines;
  if (origin && 'origin' in origin) return { origin: origin as Origin, rows: rows as Row[] };
  throw new FileDamaged(
    `${path} is damaged: its first line does not name the log. Put it back from a backup, or remove it, which begins ` +
      'a log with another name and key.',
  );
}

function parseLine(line: string): object[] {
  try {
    const parsed = JSON.parse(line) as unknown;
    return typeof parsed === 'object' && parsed !== null ? [parsed] : [];
  } catch {
    return [];
  }
}

/** A restored log goes its own way: it begins a name of its own, which says whose records it has. */
export async function beginAgain(dir: string, from: string, size: number): Promise<void> {
  const path = `${from}/${CHECKPOINTS_FILE}`;
  if (!(await isFile(path))) return;
  const { origin } = await readFile(path);
  await begin(`${dir}/${CHECKPOINTS_FILE}`, { origin: origin.origin, size });
}
