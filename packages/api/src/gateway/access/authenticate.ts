/**
 * Authentication. The checks follow the interface's order: headers present, key known, version, timestamp, address,
 * passphrase, signature, permission. Unknown key, wrong passphrase and wrong signature take the same time: all three
 * compute the signature, for an unknown key with a dummy secret.
 */

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Key, Permission } from '@bourse/core';
import { shortened, Unavailable } from '@bourse/engine';
import type { Dialect } from '../dialects.ts';
import { Refusal } from '../errors/refusal.ts';
import { DOCUMENTED_NAMES } from './permissions.ts';
import { canonicalIp } from './ip-addresses.ts';
import { digestPassphrase, type SecretBox } from './secrets.ts';
import { equalDigests, HmacKey, signedSpellings } from './signature.ts';

export const DEFAULT_SKEW_MS_MAX = 5000;
/** The largest configurable value. */
export const SKEW_MS_LIMIT = 15_000;

/** Computed from the secret and checked before the signature, so a wrong secret fails here first. */
const PASSPHRASE_DETAIL =
  'Send base64(HMAC-SHA256(API secret, passphrase)). The passphrase is not that of the key, or the API secret is not.';

/** Clients of version 1 send no version or 1, and the passphrase in clear text. */
const VERSION_1 =
  'Keys of version 1 are not taken: make a key of version 2 or 3, send its version, and for the passphrase send ' +
  'base64(HMAC-SHA256(API secret, passphrase)).';

const TIMESTAMP = /^[1-9]\d{0,14}$/;

export interface Signed {
  readonly dialect: Dialect;
  readonly method: string;
  /** Path and query as sent, without the mount. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
  readonly ip: string;
  /** Exchange time, milliseconds. */
  readonly time: number;
  /** The machine's time, which may be far from a sandbox's exchange time. */
  readonly wallTime: number;
}

export interface Caller {
  readonly key: Key;
  /** The presented key, after successful authentication. */
  readonly signature: string;
  /** The presented timestamp in milliseconds; converted to exchange time if it was signed with the wall clock. */
  readonly timestamp: number;
  /** Signed with the machine's wall clock, which differs from exchange time. */
  readonly isWallTime: boolean;
}

export interface SessionRequest {
  /** Permissions of the key. */
  readonly name: string;
  readonly sign: string;
  readonly timestamp: string;
  readonly passphrase: string;
  readonly ip: string;
  /** Exchange time, milliseconds. */
  readonly time: number;
  readonly wallTime: number;
}

export interface OpenedSession {
  readonly key: Key;
  readonly signing: HmacKey;
}

interface OpenedKey {
  readonly sealed: string;
  readonly signing: HmacKey;
  readonly passphraseDigest: string;
}

export interface KeyBook {
  key(name: string): Key | undefined;
}

interface HeaderNames {
  readonly key: string;
  readonly sign: string;
  readonly timestamp: string;
  readonly passphrase: string;
  readonly version: string;
}

export interface AuthenticationOptions {
  readonly keys: KeyBook;
  readonly secrets: SecretBox;
  readonly skewMsMax: number;
  /** The server's own clock is known to be wrong, so it cannot judge timestamps. */
  readonly isClockOff: () => boolean;
  /** A wrong signature is answered with the text that the server expected to be signed. */
  readonly isSandbox: boolean;
}

/**
 * A key is used with its own version. Clients of the family dialect send a fixed version, whatever the key has (ccxt
 * sends 2, the vendor's SDK 3), so that dialect accepts both.
 */
const isVersionOf = (key: Key, version: string, { isLiteral }: Dialect): boolean =>
  isLiteral ? version === String(key.version) : version === '2' || version === '3';

const SIGNED = 'The server signed: ';
const CLOCK_OFF =
  "this server's clock is wrong, so it cannot check timestamps: nothing was done; ask another node, or try again later";

/** The text that should have been signed, if a sandbox rejected a signature. */
export function signedTextOf({ error, detail }: Refusal): string | undefined {
  return error === 'signature-wrong' && detail.startsWith(SIGNED) ? detail.slice(SIGNED.length) : undefined;
}

export class Authentication {
  readonly #options: AuthenticationOptions;
  /** A WeakMap by key object, so that a removed key's decrypted secret becomes garbage with it. */
  readonly #opened = new WeakMap<Key, OpenedKey>();
  readonly #names = new Map<Dialect, HeaderNames>();
  readonly #nobody: OpenedKey;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    const secret = randomBytes(24).toString('base64');
    const passphraseDigest = digestPassphrase(secret, secret);
    this.#nobody = { sealed: '', signing: new HmacKey(secret), passphraseDigest };
  }

  /** For a request that need not be signed: the user of its valid signature, or -1. */
  userOf(request: Signed): number {
    if (request.headers[this.#namesOf(request.dialect).key] === undefined) return -1;
    try {
      return this.authenticate(request).key.user;
    } catch (error) {
      if (error instanceof Refusal) return -1;
      throw error;
    }
  }

  /** Without `access`, any permission suffices. */
  authenticate(request: Signed, access?: Permission): Caller {
    const { headers, dialect } = request;
    const names = this.#namesOf(dialect);
    const name = headers[names.key];
    const sign = headers[names.sign];
    const timestamp = headers[names.timestamp];
    const passphrase = headers[names.passphrase];
    const version = headers[names.version];
    if (!isText(name) || !isText(sign) || !isText(timestamp) || !isText(passphrase) || !isText(version)) {
      throw missingHeaders(headers, names);
    }

    const key = this.#options.keys.key(name);
    const opened = key === undefined ? this.#nobody : this.#open(key);
    const head = timestamp + request.method;
    const isSigned = verify(opened.signing, request, head, sign);
    if (key === undefined) throw unknownKey(name);
    if (!isVersionOf(key, version, dialect)) {
      const said = `${names.version.toUpperCase()} is ${shortened(version)}; this key has version ${key.version}.`;
      throw new Refusal('key-version-invalid', version === '1' ? `${said} ${VERSION_1}` : said);
    }
    const sentAt = this.#check(request, timestamp, passphrase, key, opened);
    if (!isSigned) throw this.#wrongSignature(request, head);
    if (access !== undefined) checkPermission(key, access);
    const isWallTime = !this.#isNear(request.time, sentAt);
    const inExchangeTime = isWallTime ? request.time + sentAt - request.wallTime : sentAt;
    return { key, signature: sign, timestamp: inExchangeTime, isWallTime };
  }

  /** The same checks for a session, which signs its key and the time; permissions are checked per message. */
  openSession(request: SessionRequest): OpenedSession {
    const { name, sign, timestamp } = request;
    const key = this.#options.keys.key(name);
    const opened = key === undefined ? this.#nobody : this.#open(key);
    const isSigned = equalDigests(sign, opened.signing.sign(name + timestamp, undefined));
    if (key === undefined) throw unknownKey(name);
    this.#check(request, timestamp, request.passphrase, key, opened);
    if (!isSigned) throw this.#wrongText(name + timestamp, "Sign the key's name and the timestamp.");
    return { key, signing: opened.signing };
  }

  /** Checks time, address and passphrase. Returns the signed time. */
  #check(
    { time, wallTime, ip }: Pick<Signed, 'time' | 'wallTime' | 'ip'>,
    timestamp: string,
    passphrase: string,
    key: Key,
    opened: OpenedKey,
  ): number {
    const sentAt = TIMESTAMP.test(timestamp) ? Number(timestamp) : Number.NaN;
    if (!this.#isNear(time, sentAt) && !this.#isNear(wallTime, sentAt)) {
      if (this.#options.isClockOff()) throw new Unavailable('clock', CLOCK_OFF);
      throw new Refusal('timestamp-invalid', explainTimestamp(sentAt, time, this.#options.skewMsMax));
    }
    checkIpAllowed(key, ip);
    if (!equalDigests(passphrase, opened.passphraseDigest)) {
      throw new Refusal('passphrase-wrong', PASSPHRASE_DETAIL);
    }
    return sentAt;
  }

  #isNear(now: number, sentAt: number): boolean {
    return Math.abs(now - sentAt) <= this.#options.skewMsMax;
  }

  #open(key: Key): OpenedKey {
    const known = this.#opened.get(key);
    if (known !== undefined && known.sealed === key.secret) return known;
    const { secret, passphraseDigest } = this.#options.secrets.open(key.secret);
    const opened = { sealed: key.secret, signing: new HmacKey(secret), passphraseDigest };
    this.#opened.set(key, opened);
    return opened;
  }

  #wrongSignature({ url, body }: Signed, head: string): Refusal {
    const advice = 'Sign timestamp, method, path with query, and body, exactly as sent.';
    return this.#wrongText(`${head}${url}${body?.toString('utf8') ?? ''}`, advice);
  }

  #wrongText(text: string, advice: string): Refusal {
    return new Refusal('signature-wrong', this.#options.isSandbox ? SIGNED + text : advice);
  }

  #namesOf(dialect: Dialect): HeaderNames {
    let names = this.#names.get(dialect);
    if (names === undefined) {
      const prefix = `${dialect.prefix.toLowerCase()}-api-`;
      names = {
        key: `${prefix}key`,
        sign: `${prefix}sign`,
        timestamp: `${prefix}timestamp`,
        passphrase: `${prefix}passphrase`,
        version: `${prefix}key-version`,
      };
      this.#names.set(dialect, names);
    }
    return names;
  }
}

function verify(signing: HmacKey, { url, dialect, body }: Signed, head: string, sign: string): boolean {
  if (equalDigests(sign, signing.sign(head + url, body))) return true;
  if (dialect.isLiteral) return false;
  for (const spelling of signedSpellings(url)) {
    if (equalDigests(sign, signing.sign(head + spelling, body))) return true;
  }
  return false;
}

export function checkPermission(key: Key, access: Permission): void {
  if (key.permissions.includes(access)) return;
  const has = key.permissions.map((each) => DOCUMENTED_NAMES[each]).join(', ') || 'none';
  const detail = `This needs ${DOCUMENTED_NAMES[access]}, the key has ${has}; use a key that has it.`;
  throw new Refusal('permission-denied', detail);
}

export function checkIpAllowed({ ipAllowList }: Key, ip: string): void {
  if (ipAllowList.length === 0 || ipAllowList.includes(ip)) return;
  // Logs of earlier versions contain other spellings of addresses.
  if (ipAllowList.some((each) => canonicalIp(each) === ip)) return;
  // Does not show the list, because the caller has not proved to own the key yet.
  const detail = "It is not on the key's list of addresses; call from one that is, or have this one added.";
  throw new Refusal('address-denied', detail, { ip });
}

const unknownKey = (name: string): Refusal =>
  new Refusal('api-key-unknown', `Unknown key '${shortened(name)}'.`);

const isText = (value: string | string[] | undefined): value is string =>
  typeof value === 'string' && value !== '';

function missingHeaders(headers: IncomingHttpHeaders, names: HeaderNames): Refusal {
  const missing = Object.values(names).filter((name: string) => !isText(headers[name]));
  const said = `Missing: ${missing.join(', ').toUpperCase()}.`;
  const isVersion1 = missing.length === 1 && missing[0] === names.version;
  return new Refusal('headers-missing', isVersion1 ? `${said} ${VERSION_1}` : said);
}

function explainTimestamp(sentAt: number, time: number, skewMsMax: number): string {
  if (Number.isNaN(sentAt)) return `It must be milliseconds since 1970 in digits; now it is ${time}.`;
  const distance = Math.abs(time - sentAt);
  const side = sentAt < time ? 'behind' : 'ahead of';
  return `It is ${distance} ms ${side} the server's ${time}; at most ${skewMsMax} ms are allowed.`;
}
