/**
 * An API key's secret and passphrase as stored: sealed with a key that is not in the data directory, so
 * that a stolen log, snapshot or backup cannot sign anything. Of the passphrase only its HMAC is kept, which clients send.
 *
 * Sealed: `1.` and base64url of nonce (12 bytes), tag (16 bytes) and the encrypted `secret \0 passphrase HMAC`.
 */

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = '1.';

export interface OpenedSecret {
  readonly secret: string;
  /** Base64 of HMAC-SHA256(secret, passphrase): the value of the passphrase header. */
  readonly passphraseDigest: string;
}

export class SecretBox {
  readonly #key: Buffer;
  readonly #isDeterministic: boolean;

  /** `key`: 32 bytes. `isDeterministic`: the same secret is sealed to the same text, so that a sandbox's log is the same every time. */
  constructor(key: Uint8Array, { isDeterministic = false } = {}) {
    if (key.length !== KEY_BYTES)
      throw new RangeError(`the key of API secrets has ${KEY_BYTES} bytes, not ${key.length}`);
    this.#key = Buffer.from(key);
    this.#isDeterministic = isDeterministic;
  }

  seal(secret: string, passphrase: string): string {
    const text = `${secret}\0${digestPassphrase(secret, passphrase)}`;
    const nonce = this.#isDeterministic ? this.#nonceOf(text) : randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** A key for another purpose, from which this one cannot be computed. */
  derive(purpose: string): Buffer {
    return createHmac('sha256', this.#key).update(purpose).digest();
  }

  /** Computed from the text, so that no two texts share one. */
  #nonceOf(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest().subarray(0, NONCE_BYTES);
  }

  /** Throws where the text was sealed with another key, or changed. */
  open(sealed: string): OpenedSecret {
    if (!sealed.startsWith(VERSION))
      throw new Error('an API secret was sealed in a way this version does not know');
    const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    const text = Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    const end = text.lastIndexOf('\0');
    return { secret: text.slice(0, end), passphraseDigest: text.slice(end + 1) };
  }
}

export function digestPassphrase(secret: string, passphrase: string): string {
  return createHmac('sha256', secret).update(passphrase).digest('base64');
}
