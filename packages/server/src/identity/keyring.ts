/**
 * One key for each person, wrapped by the venue's secret, in a file of its own beside the log. Everything personal in the
 * log and in snapshots is sealed with it, so deleting the row erases the person from every copy of them. A key is durable
 * before the first command that needs it, and deleted after the command that closes the account.
 */

import { randomBytes } from 'node:crypto';
import { isFile, readText, writeDurableText } from '../io/text-file.ts';
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

  private constructor(keys: VenueKeys, path: string) {
    this.#keys = keys;
    this.#path = path;
  }

  /** `isKnown`: whether the exchange has the person; other rows are left over from a crash, and removed. */
  static async open(keys: VenueKeys, path: string, isKnown: (person: string) => boolean): Promise<Keyring> {
    const keyring = new Keyring(keys, path);
    if (path === '' || !(await isFile(path))) return keyring;
    let left = false;
    for (const line of (await readText(path)).split('\n')) {
      const [person, wrapped] = line.split(' ');
      if (person === undefined || wrapped === undefined) continue;
      if (isKnown(person)) keyring.#take(person, wrapped);
      else left = true;
    }
    if (left) await keyring.#write();
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
    const key = randomBytes(KEY_BYTES);
    this.#take(person, this.#keys.wrap(key, person));
    await this.#write();
    return this.of(person);
  }

  async remove(person: string): Promise<void> {
    this.#wrapped.delete(person);
    this.#boxes.delete(person);
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
    const writing = this.#written.then(() => {
      const lines = Array.from(this.#wrapped, ([person, wrapped]) => `${person} ${wrapped}\n`);
      return writeDurableText(this.#path, lines.join(''));
    });
    this.#written = writing.catch(() => undefined);
    return writing;
  }
}
