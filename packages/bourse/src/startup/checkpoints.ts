/**
 * Signs checkpoints of the exchange's log, against which outsiders can audit it. A file in the data directory stores
 * all of them, each with the state of the Merkle tree, so a start reads only the records logged since the last one. If
 * the log does not match its last checkpoint, nothing more is signed: two signed roots of the same size would mean that
 * the exchange has two histories.
 */

import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@bourse/api/basics';
import {
  appendDurableText,
  type Checkpoint,
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
  NoteUnfit,
  openCheckpoint,
  readLines,
  Unavailable,
  writeDurableText,
} from '@bourse/engine';

export const CHECKPOINTS_FILE = 'checkpoints';

/** Interval between checkpoints; one without new records is skipped. */
const INTERVAL_MS = 3_600_000;
/** The tree follows the log in small steps, so that a new checkpoint has few records left to read. */
const FOLLOW_MS = 10_000;
/** Records read per turn of the event loop. */
export const RECORDS_PER_TURN = 64;
/** A shutdown or an operator waits for up to this many records to be read, which takes seconds; with more, it fails. */
const UNREAD_MAX = 500_000;

export interface TakenCheckpoint {
  /** Number of records it covers. */
  readonly size: number;
  readonly time: number;
  readonly note: string;
}

/** The log from which this one was restored, and the number of records taken from it. */
interface Before {
  readonly origin: string;
  readonly size: number;
}

/** The first line of the file. A restored directory gets its name when first opened, so no two copies share one. */
interface Origin {
  readonly origin: string;
  readonly before?: Before;
}

export interface SignedCheckpoint extends TakenCheckpoint {
  /** Generation of the venue's secret that signed it; absent for the first. */
  readonly generation?: number;
}

/** All other lines. Bytes are base64. */
interface Row extends SignedCheckpoint {
  readonly roots: readonly string[];
  /** Chain hash of the last record it covers. */
  readonly hash: string;
}

class FileUnfit extends Error {
  override readonly name = 'WrongDirectory';
}

export interface CheckpointOptions {
  readonly dir: string;
  /** Directory with copies of segments that were deleted from `dir`; '' for none. */
  readonly logCopy?: string;
  readonly secrets: SecretBox;
  readonly port: ExchangePort;
  readonly clock: Clock;
  /** Syncs records that were published before they were durable, as a sandbox does while it simulates time. */
  readonly secure?: () => void;
  readonly warn: (sentence: string) => void;
  /** Whether the log had records before this start. */
  readonly hadRecords?: boolean;
  /** Overrides UNREAD_MAX. */
  readonly unreadMax?: number;
}

export class Checkpoints {
  readonly #options: CheckpointOptions;
  readonly #origin: Origin;
  /** By generation of the venue's secret. */
  readonly #signers: CheckpointSigner[] = [];
  readonly #taken: SignedCheckpoint[];
  readonly #tree: GrowingTree;
  readonly #log: ReturnType<typeof logReaderIn>;
  readonly #copy: ReturnType<typeof logReaderIn> | undefined;
  /** Chain hash of the last record in the tree; undefined before the first. */
  #hash: Uint8Array | undefined;
  /** Whether the log was verified against the last checkpoint. */
  #isCompared = false;
  /** The last durable record. */
  #durable = 0;
  #work: Promise<unknown> = Promise.resolve();
  /** Published forms of checkpoints from before the last rotation, cached because anybody may request them. */
  #cosigned = new WeakMap<SignedCheckpoint, TakenCheckpoint>();
  #cosignedWith = 0;
  #cancel: () => void = () => undefined;
  #takenAt: number;
  #unsubscribe: () => void = () => undefined;
  #hasEnded = false;
  #isDiscarded = false;

  private constructor(options: CheckpointOptions, origin: Origin, rows: readonly Row[]) {
    this.#options = options;
    this.#origin = origin;
    this.#taken = rows.map(({ size, time, note, generation }) => ({
      size,
      time,
      note,
      ...(generation !== undefined && { generation }),
    }));
    const last = rows.at(-1);
    this.#tree = last ? new GrowingTree(last.size, last.roots.map(bytesOf)) : new GrowingTree();
    this.#hash = last && bytesOf(last.hash);
    this.#log = logReaderIn(nodeDisk, options.dir);
    this.#copy = options.logCopy ? logReaderIn(nodeDisk, options.logCopy) : undefined;
    // Restarts do not reset the interval.
    const age = last ? options.clock.now() - last.time : INTERVAL_MS;
    this.#takenAt = options.clock.machine.elapsed() - Math.min(Math.max(age, 0), INTERVAL_MS);
  }

  static async open(options: CheckpointOptions): Promise<Checkpoints> {
    const path = `${options.dir}/${CHECKPOINTS_FILE}`;
    const isThere = await isFile(path);
    const { origin, before, rows } = isThere ? await readFile(path) : { rows: [] };
    const opened = new Checkpoints(options, origin ?? (await begin(path, before)), rows);
    opened.#checkLast(path);
    if (!isThere && options.hadRecords === true) {
      options.warn(
        `${path} was missing, so the log has a new name and key, which nothing links to the published ones. ` +
          `Restore the file if you have it; otherwise publish the new key: ${opened.key}`,
      );
    }
    await opened.#follow();
    return opened;
  }

  get origin(): string {
    return this.#origin.origin;
  }

  /** Whether the log begins with records of another one: it is a fork, or was restored. */
  get isCopy(): boolean {
    return this.#origin.before !== undefined;
  }

  /** The public key for verifiers. */
  get key(): string {
    return this.#signerOf(this.#options.secrets.generation).verifierKey;
  }

  get newest(): TakenCheckpoint | undefined {
    const newest = this.#taken.at(-1);
    return newest && this.shown(newest);
  }

  /** The published form. A checkpoint taken before the secret was rotated is also signed with the current key. */
  shown(taken: SignedCheckpoint): TakenCheckpoint {
    const { size, time, note, generation = 0 } = taken;
    const now = this.#options.secrets.generation;
    if (generation === now) return { size, time, note };
    if (this.#cosignedWith !== now) this.#cosigned = new WeakMap();
    this.#cosignedWith = now;
    let found = this.#cosigned.get(taken);
    if (!found) {
      found = { size, time, note: this.#signerOf(now).cosign(note) };
      this.#cosigned.set(taken, found);
    }
    return found;
  }

  /** Checkpoints of more than `size` records, oldest first. */
  after(size: number, count: number): readonly TakenCheckpoint[] {
    const first = this.#taken.findIndex((each) => each.size > size);
    if (first < 0) return [];
    let end = Math.min(first + count, this.#taken.length);
    // Never split checkpoints of the same size across pages: the next page would skip the rest.
    while (end < this.#taken.length && this.#taken[end].size === this.#taken[end - 1].size) end++;
    return this.#taken.slice(first, end).map((each) => this.shown(each));
  }

  /** The checkpoint of this size that contains this line. */
  find(size: number, line: string): SignedCheckpoint | undefined {
    return this.#taken.find((each) => each.size === size && each.note.includes(`\n${line}\n`));
  }

  /**
   * Takes a checkpoint of all durable records. Returns the newest one if nothing was logged since. Rejects with
   * Unavailable while more than UNREAD_MAX records are unread.
   */
  async take(): Promise<TakenCheckpoint> {
    if (this.#isFarBehind) throw this.#behind();
    return this.#next(async () => {
      await this.#grow();
      const newest = this.#taken.at(-1);
      const isNew = !newest || newest.size !== this.#tree.size || this.#formerSigner() !== undefined;
      return this.shown(isNew ? await this.#sign([]) : newest);
    });
  }

  /** Takes a checkpoint of all durable records with the line that `make` returns; none if it returns null. */
  async takeWith<T>(
    make: (size: number) => Promise<{ readonly line: string; readonly made: T } | null>,
  ): Promise<{ readonly checkpoint: SignedCheckpoint; readonly made: T } | null> {
    if (this.#isFarBehind) throw this.#behind();
    return this.#next(async () => {
      await this.#grow();
      const given = await make(this.#tree.size);
      return given && { checkpoint: await this.#sign([given.line]), made: given.made };
    });
  }

  /** Takes a last checkpoint. */
  async close(): Promise<void> {
    const { warn } = this.#options;
    this.#end();
    await this.#work;
    await this.take().catch((error: Error) => warn(`no checkpoint was taken at shutdown: ${error.message}`));
    await this.#closeLogs();
  }

  /** Stops without a last checkpoint, because the world is discarded or the start failed. */
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
      if (isDue && this.#tree.size > 0) await this.take();
    } catch (error) {
      if (!this.#hasEnded) warn(`no checkpoint can be taken: ${(error as Error).message}`);
    }
  }

  /** Serialises actions. */
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
      // The copy has the deleted segments, but never the one that is being written.
      const first = (await this.#log.firstSeq()) ?? through + 1;
      await this.#read(this.#copy, Math.min(first - 1, through));
      await this.#read(this.#log, through);
    }
  }

  async #read(log: ReturnType<typeof logReaderIn>, through: number): Promise<void> {
    let added = 0;
    for await (const hash of log.hashes(this.#tree.size + 1, through, this.#hash)) {
      this.#tree.add(hash);
      this.#hash = hash;
      if (++added % RECORDS_PER_TURN !== 0) continue;
      await new Promise<void>((resolve) => this.#options.clock.machine.soon(resolve));
      // Throws because the tree does not cover all records that were to be signed.
      if (this.#isDiscarded || (this.#hasEnded && this.#isFarBehind)) throw this.#behind();
    }
  }

  /** Throws LogRewritten. Comparing the last record is enough: its hash depends on all records before it. */
  async #compare(through: number): Promise<void> {
    const { size } = this.#tree;
    if (size > through) throw this.#rewritten(`the log has only ${through}`);
    if (size > 0) {
      const hash = await this.#hashOf(size);
      // If that record was deleted, reading the next one verifies it: each record has its predecessor's hash.
      if (hash && !Buffer.from(hash).equals(this.#hash!)) throw this.#rewritten('the log has different ones');
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
      `${this.#options.dir}/${CHECKPOINTS_FILE} has a checkpoint of ${this.#tree.size} records, but ${found}. ` +
        'No checkpoint is signed until you restore the log with `bourse restore`, or remove the file, ' +
        'which gives the log a new name and key.',
    );
  }

  #signerOf(generation: number): CheckpointSigner {
    const { origin } = this.#origin;
    return (this.#signers[generation] ??= signerOf(this.#options.secrets, origin, generation));
  }

  /** The signer of the newest checkpoint if the venue's secret was rotated since: it also signs the next one. */
  #formerSigner(): CheckpointSigner | undefined {
    const { generation = 0 } = this.#taken.at(-1) ?? this.#options.secrets;
    return generation === this.#options.secrets.generation ? undefined : this.#signerOf(generation);
  }

  /**
   * Throws if the last checkpoint was signed with another secret or does not match the stored tree: later checkpoints
   * would not continue it.
   */
  #checkLast(path: string): void {
    const last = this.#taken.at(-1);
    if (!last) return;
    const { generation = 0, note } = last;
    const isKnown = generation <= this.#options.secrets.generation;
    const signed = isKnown && openedBy(this.#signerOf(generation).verifierKey, note);
    if (!signed) {
      throw new FileUnfit(
        `The checkpoints in ${path} were signed with a different secret than that of secretKey or secretKeyFile. ` +
          'Start with the secret that was used before.',
      );
    }
    if (signed.size === this.#tree.size && Buffer.from(signed.root).equals(this.#tree.root())) return;
    throw damaged(path, 'its last checkpoint does not match the tree stored with it');
  }

  async #sign(more: readonly string[]): Promise<SignedCheckpoint> {
    const { dir, clock, secrets } = this.#options;
    const { before } = this.#origin;
    const { size, roots } = this.#tree;
    const time = clock.now();
    const lines = [`time ${new Date(time).toISOString()}`, ...more];
    if (before) lines.push(`restored-from ${before.origin} ${before.size}`);
    const former = this.#formerSigner();
    if (former) lines.push(`next-key ${this.key}`);
    const { generation } = secrets;
    let note = this.#signerOf(generation).sign(size, this.#tree.root(), lines);
    if (former) note = former.cosign(note);
    // Also sign with the key of the original log, so that nobody else can claim to continue it.
    if (before) note = signerOf(secrets, before.origin, generation).cosign(note);
    const taken: SignedCheckpoint = { size, time, note, ...(generation > 0 && { generation }) };
    const row: Row = {
      ...taken,
      roots: roots.map(textOf),
      hash: this.#hash ? textOf(this.#hash) : '',
    };
    // Start with a line feed: a full disk or a kill may have left a partial line.
    await appendDurableText(`${dir}/${CHECKPOINTS_FILE}`, `\n${JSON.stringify(row)}\n`).catch(
      (error: unknown) => {
        if (!isFull(error)) throw error;
        throw new Unavailable('disk-full', 'The disk is full: no checkpoint was taken.');
      },
    );
    this.#taken.push(taken);
    this.#takenAt = clock.machine.elapsed();
    return taken;
  }
}

const signerOf = (secrets: SecretBox, origin: string, generation: number): CheckpointSigner =>
  new CheckpointSigner(origin, secrets.derive(`checkpoints ${origin}`, generation));

/** Returns null if that key did not sign the note. */
function openedBy(key: string, note: string): Checkpoint | null {
  try {
    return openCheckpoint(note, key);
  } catch (error) {
    if (error instanceof NoteUnfit) return null;
    throw error;
  }
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Creates the file with a unique name for the log. */
async function begin(path: string, before?: Before): Promise<Origin> {
  const origin: Origin = { origin: `bourse/${randomBytes(8).toString('hex')}`, ...(before && { before }) };
  await writeDurableText(path, `${JSON.stringify(origin)}\n`);
  return origin;
}

interface ReadFile {
  /** Absent for a restored directory that was never opened. */
  readonly origin?: Origin;
  readonly before?: Before;
  readonly rows: readonly Row[];
}

/** Skips partially written lines: their checkpoints were never published. */
async function readFile(path: string): Promise<ReadFile> {
  const lines: object[] = [];
  for await (const some of readLines(path)) lines.push(...some.flatMap(parseLine));
  const [first, ...rows] = lines;
  if (first && 'origin' in first) return { origin: first as Origin, rows: rows as Row[] };
  if (first && 'before' in first) return { before: first.before as Before, rows: [] };
  throw damaged(path, 'its first line does not name the log');
}

const damaged = (path: string, what: string): FileUnfit =>
  new FileUnfit(
    `${path} is damaged: ${what}. Restore it from a backup, or remove it, which gives the log a new name and key.`,
  );

function parseLine(line: string): object[] {
  try {
    const parsed = JSON.parse(line) as unknown;
    return typeof parsed === 'object' && parsed !== null ? [parsed] : [];
  } catch {
    return [];
  }
}

/** Marks a restored log in `dir`: opening it gives it a name of its own, and its checkpoints name the original log. */
export async function beginAgain(dir: string, from: string, size: number): Promise<void> {
  const path = `${from}/${CHECKPOINTS_FILE}`;
  if (!(await isFile(path))) return;
  const { origin, before } = await readFile(path);
  const mark = { before: { origin: origin?.origin ?? before!.origin, size } };
  await writeDurableText(`${dir}/${CHECKPOINTS_FILE}`, `${JSON.stringify(mark)}\n`);
}
