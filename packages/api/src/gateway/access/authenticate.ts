/**
 * Authentication. The checks follow the interface's order: headers present, key known, version, timestamp, address,
 * passphrase, signature, permission. Unknown key, wrong passphrase and wrong signature take the same time: all three
 * compute the signature, for an unknown key with a dummy secret.
 */

import { createHash, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Key, Permission } from '@bourse/core';
import { shortened, Unavailable } from '@bourse/engine';
import { Refusal } from '../errors/refusal.ts';
import type { Dialect } from '../route.ts';
import { canonicalIp } from './ip-addresses.ts';
import { DOCUMENTED_NAMES, type KeyBook } from './keys.ts';
import { digestPassphrase, type SecretBox } from './secrets.ts';

export const DEFAULT_SKEW_MS_MAX = 5000;
/** The largest configurable value. */
export const SKEW_MS_LIMIT = 15_000;

/** Computed from the secret and checked before the signature, so a wrong secret fails here first. */
const PASSPHRASE_DETAIL =
  'Send base64(HMAC-SHA256(API secret, passphrase)). The passphrase or the API secret is not that of the key.';

/** Clients of version 1 send no version or 1, and the passphrase in clear text. */
const VERSION_1 =
  'Keys of version 1 are not accepted: create a key of version 2 or 3, send its version, and for the passphrase send ' +
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
  /** As sent. */
  readonly signature: string;
  /** The presented timestamp in milliseconds; converted to exchange time if it was signed with the wall clock. */
  readonly timestamp: number;
  /** Signed with the machine's wall clock, which differs from exchange time. */
  readonly isWallTime: boolean;
}

export interface SessionRequest {
  /** The name of the key. */
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
  "this server's clock is wrong, so it cannot check timestamps; the request was not executed: use another node, or try again later";

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
      // A client with a wrong clock finds that out by the server's time, even from a node that cannot tell whose is wrong.
      if (error instanceof Refusal || error instanceof Unavailable) return -1;
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
      const text = `${names.version.toUpperCase()} is ${shortened(version)}; this key has version ${key.version}.`;
      throw new Refusal('key-version-invalid', version === '1' ? `${text} ${VERSION_1}` : text);
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
  const detail = "It is not on the key's IP allow-list. Call from a listed address, or add this one.";
  throw new Refusal('address-denied', detail, { ip });
}

const unknownKey = (name: string): Refusal =>
  new Refusal('api-key-unknown', `Unknown key '${shortened(name)}'.`);

const isText = (value: string | string[] | undefined): value is string =>
  typeof value === 'string' && value !== '';

function missingHeaders(headers: IncomingHttpHeaders, names: HeaderNames): Refusal {
  const missing = Object.values(names).filter((name: string) => !isText(headers[name]));
  const text = `Missing: ${missing.join(', ').toUpperCase()}.`;
  const isVersion1 = missing.length === 1 && missing[0] === names.version;
  return new Refusal('headers-missing', isVersion1 ? `${text} ${VERSION_1}` : text);
}

function explainTimestamp(sentAt: number, time: number, skewMsMax: number): string {
  if (Number.isNaN(sentAt)) return `It must be milliseconds since 1970 in digits; now it is ${time}.`;
  const distance = Math.abs(time - sentAt);
  const side = sentAt < time ? 'behind' : 'ahead of';
  return `It is ${distance} ms ${side} the server's ${time}; at most ${skewMsMax} ms are allowed.`;
}

// Signatures: HMAC-SHA256 over `timestamp + METHOD + path?query + body`, in base64. Short texts have a second path, 4 to
// 5 % of an HTTP order (docs/internals/speed.md): it caches the two blocks that depend only on the secret, and computes
// inner and outer hash with one call each, in half the time of a Hmac object.

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Characters of 32 bytes in base64. */
const SIGNATURE_LENGTH = 44;
const SCRATCH_BYTES = 16_384;

/** Shared by all keys: hashing is one synchronous step. */
const scratch = Buffer.alloc(SCRATCH_BYTES);
/**
 * Views of its first bytes, by length: at most SCRATCH_BYTES of them, because creating one costs as much as hashing a
 * block.
 */
const beginnings = new Map<number, Buffer>();
const presented = Buffer.alloc(SIGNATURE_LENGTH);
const computed = Buffer.alloc(SIGNATURE_LENGTH);

export class HmacKey {
  readonly #secret: string;
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  constructor(secret: string) {
    this.#secret = secret;
    const bytes = Buffer.from(secret, 'utf8');
    const key = bytes.length > BLOCK_BYTES ? createHash('sha256').update(bytes).digest() : bytes;
    this.#inner = Buffer.alloc(BLOCK_BYTES, 0x36);
    this.#outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
    for (let i = 0; i < key.length; i++) {
      this.#inner[i] ^= key[i];
      this.#outer[i] ^= key[i];
    }
  }

  /** `head` is the signed text before the body: ASCII, because Node accepts nothing else in a request line. */
  sign(head: string, body: Buffer | undefined): string {
    const bodyBytes = body === undefined ? 0 : body.length;
    const length = BLOCK_BYTES + head.length + bodyBytes;
    if (length > SCRATCH_BYTES) {
      const hmac = createHmac('sha256', this.#secret).update(head, 'latin1');
      return (body === undefined ? hmac : hmac.update(body)).digest('base64');
    }
    scratch.set(this.#inner, 0);
    scratch.write(head, BLOCK_BYTES, 'latin1');
    if (body !== undefined) scratch.set(body, BLOCK_BYTES + head.length);
    const digest = hash('sha256', beginningOf(length), 'binary');
    this.#outer.write(digest, BLOCK_BYTES, 'latin1');
    return hash('sha256', this.#outer, 'base64');
  }
}

function beginningOf(length: number): Buffer {
  let beginning = beginnings.get(length);
  if (beginning === undefined) beginnings.set(length, (beginning = scratch.subarray(0, length)));
  return beginning;
}

/** Compares two base64 digests in constant time, as text: another spelling of the same bytes is not equal. */
export function equalDigests(given: string, expected: string): boolean {
  const fits = given.length === SIGNATURE_LENGTH;
  presented.write(fits ? given : expected, 'latin1');
  computed.write(expected, 'latin1');
  const equal = timingSafeEqual(presented, computed);
  return fits && equal;
}

/**
 * Alternative spellings of path and query that a client of the family dialect may have signed: percent-decoded, and
 * without an empty `?`. A decoded spelling counts only if it parses as the same request; otherwise one signature
 * would fit two.
 */
export function signedSpellings(url: string): readonly string[] {
  const bare = url.endsWith('?') ? url.slice(0, -1) : url;
  const spellings = bare === url ? [] : [bare];
  if (bare.includes('%')) {
    const decoded = decodeUnambiguously(bare);
    if (decoded !== undefined) spellings.push(decoded);
  }
  return spellings;
}

function decodeUnambiguously(url: string): string | undefined {
  // Separators (`/ ? # & = +`), `%`, and anything that is not printable ASCII must stay encoded.
  if (/%(?:2[356BbFf]|3[DdFf]|[01]|7[Ff]|[89A-Fa-f])/.test(url)) return undefined;
  try {
    return decodeURIComponent(url);
  } catch {
    return undefined;
  }
}
