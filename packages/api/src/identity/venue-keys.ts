/**
 * Keys derived from the venue's secret, one per purpose: looking people up by address, wrapping their keys, mail tokens,
 * challenges, recovery codes.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { SecretBox } from '../gateway/access/secrets.ts';

const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CHALLENGE_NONCE_BYTES = 16;
const CHALLENGE_TIME_BYTES = 6;
const CHALLENGE_MAC_BYTES = 16;
export const CHALLENGE_MS = 5 * 60_000;
/** Longer than any token that we issue. */
const TOKEN_LENGTH_MAX = 4096;

/** `about` is the additional authenticated data: a sealed text cannot be moved to another field. */
export function seal(key: Buffer, text: string, about: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** null if it was sealed with another key or for another field, or was modified. */
export function open(key: Buffer, sealed: string, about: string): string | null {
  const bytes = decode(sealed);
  if (bytes === null || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * null unless it is spelled as we spell it. Node also decodes padding, spaces, the other base64 alphabet and extra bits at
 * the end, and what was used is remembered by its text: each spelling would work once.
 */
function decode(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** In a cluster a session's token names the record that opened the session: a lagging node waits for that record. */
export const withPosition = (token: string, position: { readonly seq: number } | undefined): string =>
  position ? `${token}.${position.seq}` : token;

export function readPosition(text: string): { readonly token: string; readonly seq: number } {
  const [, token, seq] = /^([\w-]+)\.([0-9]{1,15})$/.exec(text) ?? [];
  return { token: token ?? text, seq: Number(seq ?? 0) };
}

/** Contents of a mail token. `until` and `at` are milliseconds of exchange time. */
export type Token =
  | {
      readonly kind: 'sign-up';
      readonly email: string;
      readonly verifier: string;
      readonly invitation?: string;
      readonly until: number;
    }
  | { readonly kind: 'reset'; readonly person: string; readonly version: number; readonly until: number }
  | {
      readonly kind: 'email';
      readonly person: string;
      readonly version: number;
      readonly email: string;
      readonly until: number;
    }
  | {
      readonly kind: 'freeze';
      readonly person?: string;
      readonly login: string;
      readonly at: number;
      readonly until: number;
    }
  | { readonly kind: 'invitation'; readonly email?: string; readonly until: number };

export class VenueKeys {
  readonly #secrets: SecretBox;

  constructor(secrets: SecretBox) {
    this.#secrets = secrets;
  }

  /** `email`: normalised. */
  loginOf(email: string): string {
    return mac(this.#secrets.derive('people: login'), email);
  }

  recoveryCode(code: string): string {
    return mac(this.#secrets.derive('people: recovery'), code);
  }

  wrap(key: Buffer, person: string): string {
    return seal(this.#newest('people: wrap'), key.toString('base64url'), person);
  }

  unwrap(wrapped: string, person: string): Buffer | null {
    const key = this.#openWithAny('people: wrap', wrapped, person);
    return key === null ? null : Buffer.from(key, 'base64url');
  }

  /** Wraps the key with the newest secret; null if it already is, or if no secret of this venue decrypts it. */
  rewrapped(wrapped: string, person: string): string | null {
    if (open(this.#newest('people: wrap'), wrapped, person) !== null) return null;
    const key = this.unwrap(wrapped, person);
    return key && this.wrap(key, person);
  }

  sealMail(text: string): string {
    return seal(this.#newest('people: outbox'), text, 'mail');
  }

  openMail(sealed: string): string | null {
    return this.#openWithAny('people: outbox', sealed, 'mail');
  }

  issue(token: Token): string {
    return seal(this.#newest('people: token'), JSON.stringify(token), token.kind);
  }

  /** null if this venue did not issue it for this purpose, or it has expired. */
  read<K extends Token['kind']>(kind: K, text: string, time: number): Extract<Token, { kind: K }> | null {
    const opened = text.length > TOKEN_LENGTH_MAX ? null : open(this.#newest('people: token'), text, kind);
    if (opened === null) return null;
    const token = JSON.parse(opened) as Extract<Token, { kind: K }>;
    return token.until >= time ? token : null;
  }

  /** For WebAuthn: signed, not stored. Valid only for `purpose`. */
  challenge(purpose: string, time: number): string {
    const head = Buffer.alloc(CHALLENGE_NONCE_BYTES + CHALLENGE_TIME_BYTES);
    randomBytes(CHALLENGE_NONCE_BYTES).copy(head);
    head.writeUIntBE(time + CHALLENGE_MS, CHALLENGE_NONCE_BYTES, CHALLENGE_TIME_BYTES);
    return Buffer.concat([head, this.#sign(head, purpose)]).toString('base64url');
  }

  /** Its expiry; null if it is not ours or has expired. */
  challengeUntil(purpose: string, challenge: string, time: number): number | null {
    const bytes = decode(challenge);
    const length = CHALLENGE_NONCE_BYTES + CHALLENGE_TIME_BYTES;
    if (bytes?.length !== length + CHALLENGE_MAC_BYTES) return null;
    const head = bytes.subarray(0, length);
    if (!timingSafeEqual(bytes.subarray(length), this.#sign(head, purpose))) return null;
    const until = head.readUIntBE(CHALLENGE_NONCE_BYTES, CHALLENGE_TIME_BYTES);
    return until >= time ? until : null;
  }

  /** Derived from the newest secret, so that nobody can forge one with an older secret. */
  #newest(purpose: string): Buffer {
    return this.#secrets.derive(purpose, this.#secrets.generation);
  }

  #openWithAny(purpose: string, sealed: string, about: string): string | null {
    for (let generation = this.#secrets.generation; generation >= 0; generation--) {
      const text = open(this.#secrets.derive(purpose, generation), sealed, about);
      if (text !== null) return text;
    }
    return null;
  }

  #sign(head: Buffer, purpose: string): Buffer {
    const whole = createHmac('sha256', this.#newest('people: challenge'))
      .update(head)
      .update(purpose)
      .digest();
    return whole.subarray(0, CHALLENGE_MAC_BYTES);
  }
}

export function mac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
