/**
 * One key for each person, wrapped by the venue's secret, in a file of its own beside the log. Everything personal in the
 * log and in snapshots is sealed with it, so deleting the row erases the person from every copy of them. A key is durable
 * before the first command that needs it, and deleted after the command that closes the account. A new key is appended;
 * only a deletion writes the file anew, because nothing of the row may stay.
 */

import { randomBytes } from 'node:crypto';
import { appendDurableText, isFile, readLines, writeDurableText } from '@bourse/engine';
import { KEY_BYTES, mac, open, seal, type VenueKeys } from './venue-keys.ts';

/** The name of the file in the data directory. */
export const KEYRING_FILE = 'keyring';

/** Seals and opens what belongs to one person. */
export class PersonBox {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  seal(what: string, text: string): string {
    return seal(this.#key, text, what);
  }

  open(what: string, sealed: string): string {
    const text = open(this.#key, sealed, what);
    if (text === null) throw new Error(`a person's ${what} was sealed with another key`);
    return text;
  }

  /** Of a network address. */
  addressOf(address: string): string {
    return mac(this.#key, address);
  }
}

export class Keyring {
  readonly #keys: VenueKeys;
  /** '' keeps them in memory only. */
  readonly #path: string;
  readonly #wrapped = new Map<string, string>();
  readonly #boxes = new Map<string, PersonBox>();
  #written: Promise<void> = Promise.resolve();
  /** Rows that are not in the file yet. */
  #added: string[] = [];
  /** The file lacks, has more than it should, or may end with a part of a row: it cannot be appended to. */
  #needsRewrite = true;

  private constructor(keys: VenueKeys, path: string) {
    this.#keys = keys;
    this.#path = path;
  }

  /** `isKnown`: whether the exchange has the person; other rows are left over from a crash, and removed. */
  static async open(keys: VenueKeys, path: string, isKnown: (person: string) => boolean): Promise<Keyring> {
    const keyring = new Keyring(keys, path);
    if (path === '' || !(await isFile(path))) return keyring;
    keyring.#needsRewrite = false;
    for await (const lines of readLines(path)) {
      for (const line of lines) {
        const [person, wrapped] = line.trimEnd().split(' ');
        // One without its line end was cut off by a crash: its person was never added.
        const isWhole = line.endsWith('\n') && person !== undefined && wrapped !== undefined;
        if (isWhole && isKnown(person)) keyring.#take(person, wrapped);
        else keyring.#needsRewrite = true;
      }
    }
    if (keyring.#needsRewrite) await keyring.#write();
    return keyring;
  }

  get size(): number {
    return this.#wrapped.size;
  }

  find(person: string): PersonBox | null {
    return this.#boxes.get(person) ?? null;
  }

  of(person: string): PersonBox {
    const box = this.find(person);
    if (!box) throw new Error(`the keyring has no key of person ${person}`);
    return box;
  }

  /** Resolves when it is durable. */
  async add(person: string): Promise<PersonBox> {
    const wrapped = this.#keys.wrap(randomBytes(KEY_BYTES), person);
    this.#take(person, wrapped);
    this.#added.push(rowOf(person, wrapped));
    await this.#write();
    return this.of(person);
  }

  async remove(person: string): Promise<void> {
    this.#wrapped.delete(person);
    this.#boxes.delete(person);
    this.#needsRewrite = true;
    await this.#write();
  }

  #take(person: string, wrapped: string): void {
    const key = this.#keys.unwrap(wrapped, person);
    if (key === null) throw new Error('the keyring was written with another secretKey');
    this.#wrapped.set(person, wrapped);
    this.#boxes.set(person, new PersonBox(key));
  }

  /** One after the other; each writes what there is by then. */
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
    // Before the write, because somebody may be removed during it.
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
