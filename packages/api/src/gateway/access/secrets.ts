/**
 * An API key's secret and passphrase as stored: sealed with a key that is not in the data directory, so that a stolen
 * log, snapshot or backup cannot sign anything. Only the HMAC of the passphrase is stored, which is what clients
 * send.
 *
 * Sealed: `1.` and base64url of nonce (12 bytes), tag (16 bytes) and the encrypted `secret \0 passphrase HMAC`. After
 * a rotation of the venue's secret, the prefix is `2.`, the number of the key, and a dot.
 */

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FIRST = '1.';
const LATER = /^2\.([1-9]\d{0,5})\.(.*)$/s;
const WRAPPED = '1.';

export interface OpenedSecret {
  readonly secret: string;
  /** Base64 of HMAC-SHA256(secret, passphrase): the value of the passphrase header. */
  readonly passphraseDigest: string;
}

export class SecretBox {
  /** The first is the venue's original secret. Each rotation adds a key, which seals everything from then on. */
  readonly #keys: Buffer[];
  readonly #isDeterministic: boolean;

  /**
   * `keys`: 32 bytes each. `isDeterministic`: sealing the same secret always gives the same text, so that a sandbox's log is
   * reproducible.
   */
  constructor(keys: Uint8Array | readonly Uint8Array[], { isDeterministic = false } = {}) {
    this.#keys = (keys instanceof Uint8Array ? [keys] : keys).map(checked);
    this.#isDeterministic = isDeterministic;
  }

  /** Number of the newest key. */
  get generation(): number {
    return this.#keys.length - 1;
  }

  seal(secret: string, passphrase: string): string {
    const text = `${secret}\0${digestPassphrase(secret, passphrase)}`;
    const key = this.#keys[this.generation];
    const nonce = this.#isDeterministic ? nonceOf(key, text) : randomBytes(NONCE_BYTES);
    return (this.generation === 0 ? FIRST : `2.${this.generation}.`) + encrypt(key, text, nonce);
  }

  /**
   * Derives a key for another purpose; the original cannot be computed from it. Generation 0 never changes. Use the newest
   * generation wherever an older secret must not suffice.
   */
  derive(purpose: string, generation = 0): Buffer {
    return createHmac('sha256', this.#keys[generation]).update(purpose).digest();
  }

  /** Throws if the text was sealed with another key or modified. */
  open(sealed: string): OpenedSecret {
    const [, number, body] = LATER.exec(sealed) ?? [];
    const key = this.#keys[Number(number ?? 0)];
    if (body === undefined && !sealed.startsWith(FIRST))
      throw new Error('an API secret was sealed in a way this version does not know');
    if (key === undefined) throw new Error('an API secret was sealed with a key that is missing');
    const text = decrypt(key, body ?? sealed.slice(FIRST.length));
    const end = text.lastIndexOf('\0');
    return { secret: text.slice(0, end), passphraseDigest: text.slice(end + 1) };
  }

  /** Encrypts all keys and the added one with the venue's new secret, for the file beside the log. */
  wrapWith(secret: Uint8Array, added: Uint8Array): string {
    const keys = [...this.#keys, checked(added)].map((key) => key.toString('hex'));
    return WRAPPED + encrypt(wrapping(secret), keys.join(' '), randomBytes(NONCE_BYTES));
  }

  /** Seals with this key from now on. */
  add(key: Uint8Array): void {
    this.#keys.push(checked(key));
  }
}

/** Decrypts the keys in the file; null if they were encrypted with another secret or modified. */
export function unwrapKeys(text: string, secret: Uint8Array): Buffer[] | null {
  if (!text.startsWith(WRAPPED)) return null;
  try {
    const keys = decrypt(wrapping(secret), text.slice(WRAPPED.length));
    return keys.split(' ').map((key) => checked(Buffer.from(key, 'hex')));
  } catch {
    return null;
  }
}

const wrapping = (secret: Uint8Array): Buffer =>
  createHmac('sha256', checked(secret)).update('keys of the venue').digest();

function checked(key: Uint8Array): Buffer {
  if (key.length === KEY_BYTES) return Buffer.from(key);
  throw new RangeError(`the key of API secrets has ${KEY_BYTES} bytes, not ${key.length}`);
}

/** Derived from the text, so that two texts never share a nonce. */
const nonceOf = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, NONCE_BYTES);

function encrypt(key: Buffer, text: string, nonce: Buffer): string {
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

function decrypt(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

export function digestPassphrase(secret: string, passphrase: string): string {
  return createHmac('sha256', secret).update(passphrase).digest('base64');
}
