/**
 * The keyring of a single machine: one row per person. A new key is appended; a deletion rewrites the file, so that no
 * trace of the row remains.
 */

import { appendDurableText, isFile, nodeClock, readLines, writeDurableText } from '@bourse/engine';
import type { KeyStore } from './keyring.ts';

/** The name of the file in the data directory. */
export const KEYRING_FILE = 'keyring';

/** Keys per turn of the event loop: a few milliseconds. */
const REWRAPPED_PER_TURN = 256;

export class KeyFile implements KeyStore {
  /** '' keeps them in memory only. */
  readonly #path: string;
  readonly #wrapped = new Map<string, string>();
  #written: Promise<void> = Promise.resolve();
  /** Rows that are not in the file yet. */
  #added: string[] = [];
  /** The file is missing, has extra rows, or may end with part of a row, so it cannot be appended to. */
  #needsRewrite = true;

  private constructor(path: string) {
    this.#path = path;
  }

  /** `isKnown`: whether the person exists. Rows of unknown people are leftovers of a crash and are removed. */
  static async open(path: string, isKnown: (person: string) => boolean): Promise<KeyFile> {
    const file = new KeyFile(path);
    if (path === '' || !(await isFile(path))) return file;
    file.#needsRewrite = false;
    for await (const lines of readLines(path)) {
      for (const line of lines) {
        const [person, wrapped] = line.trimEnd().split(' ');
        // A crash truncated a row without a line end: its person was never added.
        const isWhole = line.endsWith('\n') && person !== undefined && wrapped !== undefined;
        if (isWhole && isKnown(person)) file.#wrapped.set(person, wrapped);
        else file.#needsRewrite = true;
      }
    }
    if (file.#needsRewrite) await file.#write();
    return file;
  }

  get size(): number {
    return this.#wrapped.size;
  }

  find(person: string): Promise<string | null> {
    return Promise.resolve(this.#wrapped.get(person) ?? null);
  }

  add(person: string, wrapped: string): Promise<void> {
    this.#wrapped.set(person, wrapped);
    this.#added.push(rowOf(person, wrapped));
    return this.#write();
  }

  async remove(person: string): Promise<void> {
    // A concurrent removal of the same row may still be in flight.
    if (!this.#wrapped.delete(person)) return this.#written;
    this.#needsRewrite = true;
    await this.#write();
  }

  async rewrap(anew: (wrapped: string, person: string) => string | null): Promise<void> {
    let count = 0;
    for (const [person, wrapped] of this.#wrapped) {
      if (++count % REWRAPPED_PER_TURN === 0)
        await new Promise<void>((resolve) => void nodeClock.soon(resolve));
      // A removed person stays removed.
      if (this.#wrapped.get(person) !== wrapped) continue;
      const next = anew(wrapped, person);
      if (next === null) continue;
      this.#wrapped.set(person, next);
      this.#needsRewrite = true;
    }
    await this.#write();
  }

  /** Writes are serialised; each writes the current rows. */
  #write(): Promise<void> {
    if (this.#path === '') return Promise.resolve();
    const writing = this.#written.then(() => this.#flush());
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  async #flush(): Promise<void> {
    const [added, isWhole] = [this.#added, this.#needsRewrite];
    if (!isWhole && added.length === 0) return;
    this.#added = [];
    // Reset before the write: a removal during the write sets it again.
    this.#needsRewrite = false;
    try {
      if (isWhole)
        await writeDurableText(this.#path, Array.from(this.#wrapped, (row) => rowOf(...row)).join(''));
      else await appendDurableText(this.#path, added.join(''));
    } catch (error) {
      this.#needsRewrite = true;
      throw error;
    }
  }
}

const rowOf = (person: string, wrapped: string): string => `${person} ${wrapped}\n`;
