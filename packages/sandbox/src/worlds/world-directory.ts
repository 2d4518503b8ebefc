/**
 * The directory of a sandbox's current world, and the file in it with the time.
 *
 * A sandbox starts in its data directory; a restore opens a copy of the snapshot in a new directory below
 * it, and makes that the current one atomically, so that a crash leaves either the old world or the new one.
 * The next start moves the current world to the data directory; until then tools find it with
 * `presentDirectory`.
 */

import type { TickerMark } from '@bourse/api';
import { HISTORY, moveDurably, nodeDisk, readText, removeDirectory, writeDurableText } from '@bourse/engine';

export const SANDBOX_DIR = 'sandbox';
const WORLDS = 'worlds';
const PRESENT = 'present.json';
const CLOCK_FILE = 'clock.json';
const LOG = 'log';
/** Every world has these, or may have them. */
const FILES = [LOG, 'snapshots', HISTORY, CLOCK_FILE];
/** SQLite may have files beside a database, which would corrupt another one of the same name. */
const PARTS = ['-wal', '-shm', ''];

export class WorldDirectories {
  readonly #root: string;
  readonly #dir: string;
  readonly #files: readonly string[];
  #last = 0;

  /** `root`: the data directory of the sandbox. `others`: what an exchange has in its directory besides FILES. */
  constructor(root: string, others: readonly string[]) {
    this.#root = root;
    this.#dir = `${root}/${SANDBOX_DIR}/${WORLDS}`;
    this.#files = [...FILES, ...others];
  }

  /** The path of a new one, which does not exist yet. */
  next(): string {
    return `${this.#dir}/${++this.#last}`;
  }

  /** Durable when it resolves: the next start uses it. */
  async makePresent(dir: string): Promise<void> {
    await writeDurableText(
      `${this.#dir}/${PRESENT}`,
      JSON.stringify({ world: dir.slice(this.#dir.length + 1) }),
    );
  }

  /** Removes the directory of a replaced world; the data directory itself stays until the next start. */
  async remove(dir: string): Promise<void> {
    if (dir !== this.#root) await removeDirectory(dir);
  }

  /**
   * At start, before anything is opened, and at the end. May be interrupted at any point, and is then repeated. `close`
   * checkpoints a history database into a single file.
   */
  async settle(close: (historyPath: string) => void): Promise<void> {
    const present = await presentDirectory(this.#root);
    if (present !== this.#root) {
      const there = await nodeDisk.list(present);
      if (there.includes(HISTORY)) close(`${present}/${HISTORY}`);
      // The log moves first, and after everything that the world lacks was removed: a file that is missing beside the
      // log belongs to the replaced world, while one that is missing without the log was moved before an interruption.
      if (there.includes(LOG)) {
        for (const name of this.#files) if (!there.includes(name)) await this.#removeFile(name);
      }
      for (const name of this.#files) {
        if (!there.includes(name)) continue;
        await this.#removeFile(name);
        await moveDurably(`${present}/${name}`, `${this.#root}/${name}`);
      }
      await removeDirectory(`${this.#dir}/${PRESENT}`);
    }
    await removeDirectory(this.#dir);
  }

  /** Removes a file or folder of the data directory. */
  async #removeFile(name: string): Promise<void> {
    for (const part of PARTS) await removeDirectory(`${this.#root}/${name}${part}`);
  }
}

/** The directory of the current world: the data directory itself, except after a restore. */
export async function presentDirectory(root: string): Promise<string> {
  const dir = `${root}/${SANDBOX_DIR}/${WORLDS}`;
  if (!(await nodeDisk.list(dir)).includes(PRESENT)) return root;
  const { world } = JSON.parse(await readText(`${dir}/${PRESENT}`)) as { readonly world: string };
  return `${dir}/${world}`;
}

/** The largest valid date in milliseconds. */
const TIME_MAX = 8.64e15;

/**
 * Exchange time and ticker times, stored in the data directory of a sandbox. The log has the time of its last record,
 * but a standing clock may have been advanced since without any record, and most tickers changed earlier.
 */
export interface ClockFile {
  /** 0 if the clock was never moved, or the file is damaged: then time continues from the log's last record. */
  readonly time: number;
  readonly tickers: readonly TickerMark[];
}

const NONE: ClockFile = { time: 0, tickers: [] };

export async function readClockFile(dir: string, onDamage: (warning: string) => void): Promise<ClockFile> {
  if (!(await nodeDisk.list(dir)).includes(CLOCK_FILE)) return NONE;
  const path = `${dir}/${CLOCK_FILE}`;
  const found = parse(await readText(path));
  if (found === undefined) {
    onDamage(`${path} is damaged. Exchange time continues from the last record of the log, or from --time.`);
  }
  return found ?? NONE;
}

function parse(text: string): ClockFile | undefined {
  try {
    const { time, tickers } = JSON.parse(text) as Partial<Record<keyof ClockFile, unknown>>;
    if (typeof time !== 'number' || !(time >= 0 && time <= TIME_MAX)) return undefined;
    return { time, tickers: Array.isArray(tickers) && tickers.every(isMark) ? tickers : [] };
  } catch {
    return undefined;
  }
}

const isMark = (mark: unknown): mark is TickerMark =>
  typeof mark === 'number' || (Array.isArray(mark) && mark.length === 2 && mark.every(Number.isFinite));

/** Durable when it resolves. */
export function writeClockFile(dir: string, file: ClockFile): Promise<void> {
  return writeDurableText(`${dir}/${CLOCK_FILE}`, JSON.stringify(file));
}
