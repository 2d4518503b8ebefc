/**
 * One key per person, wrapped with the venue's secret, in a store separate from the log. All personal data in the log
 * and in snapshots is sealed with it, so deleting the row erases the person from every copy of them. A key is durable
 * before the first command that needs it, and deleted after the command that closes the account.
 */

import { randomBytes } from 'node:crypto';
import { appendDurableText, isFile, nodeClock, readLines, writeDurableText } from '@bourse/engine';
import { networkOf } from '../gateway/access/ip-addresses.ts';
import { KEY_BYTES, mac, open, seal, type VenueKeys } from './venue-keys.ts';

const LOADED_AT_ONCE = 64;

/** The store of wrapped keys: a file on a single machine, or a stream shared by all nodes of a cluster. */
export interface KeyStore {
  /** null if there is none. */
  find(person: string): Promise<string | null>;
  /** Resolves when it is durable. */
  add(person: string, wrapped: string): Promise<void>;
  /** Overwrites the key; no error if there is none. */
  remove(person: string): Promise<void>;
  /** Replaces each key for which `anew` returns a new one. Absent if the venue's secret cannot be rotated. */
  rewrap?(anew: (wrapped: string, person: string) => string | null): Promise<void>;
}

/** Encrypts and decrypts the data of one person. */
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

  /** Keyed hash of a network address; for IPv6, of its /64, because hosts change their address daily. */
  addressOf(address: string): string {
    return mac(this.#key, networkOf(address));
  }

  /** Key derivation: the same bytes for the same person and purpose. */
  derive(purpose: string): Buffer {
    return Buffer.from(mac(this.#key, purpose), 'base64url');
  }
}

export class Keyring {
  readonly #keys: VenueKeys;
  readonly #store: KeyStore;
  readonly #boxes = new Map<string, PersonBox>();

  constructor(keys: VenueKeys, store: KeyStore) {
    this.#keys = keys;
    this.#store = store;
  }

  /** null for a person who was erased. */
  async find(person: string): Promise<PersonBox | null> {
    const known = this.#boxes.get(person);
    if (known) return known;
    const wrapped = await this.#store.find(person);
    return wrapped === null ? null : this.#unwrap(person, wrapped);
  }

  /** Fetches these people's keys; returns the people without one. */
  async load(people: readonly string[]): Promise<string[]> {
    const lost: string[] = [];
    for (let at = 0; at < people.length; at += LOADED_AT_ONCE) {
      const some = people.slice(at, at + LOADED_AT_ONCE);
      const found = await Promise.all(some.map((person) => this.find(person)));
      lost.push(...some.filter((_, i) => found[i] === null));
    }
    return lost;
  }

  /** Resolves when it is durable. */
  async add(person: string): Promise<PersonBox> {
    const wrapped = this.#keys.wrap(randomBytes(KEY_BYTES), person);
    await this.#store.add(person, wrapped);
    return this.#unwrap(person, wrapped);
  }

  async remove(person: string): Promise<void> {
    this.#boxes.delete(person);
    await this.#store.remove(person);
  }

  /** Wraps all keys with the venue's newest secret, except those that already are. */
  async rewrap(): Promise<void> {
    await this.#store.rewrap?.((wrapped, person) => this.#keys.rewrapped(wrapped, person));
  }

  #unwrap(person: string, wrapped: string): PersonBox {
    const key = this.#keys.unwrap(wrapped, person);
    if (key === null) throw new Error('the keyring was written with another secretKey');
    const box = new PersonBox(key);
    this.#boxes.set(person, box);
    return box;
  }
}

/** The name of the file in the data directory. */
export const KEYRING_FILE = 'keyring';

/** Keys per turn of the event loop: a few milliseconds. */
const REWRAPPED_PER_TURN = 256;

/**
 * The keyring of a single machine: one row per person. A new key is appended; a deletion rewrites the file, so that no
 * trace of the row remains.
 */
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
