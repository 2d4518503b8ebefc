/** A sandbox with a stopped clock, and people who sign in to it as pages and programs do. */

import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Mail } from '../../api/src/identity/mail/mail.ts';
import type { Settings } from '../../bourse/src/config/settings.ts';
import type { RunningExchange } from '../../bourse/src/startup/running-exchange.ts';
import { Client, type Credentials, startWhole } from './server.ts';

export const PASSWORD = 'four unrelated words here';
export const EMAIL = 'ada@example.test';

/** The union of the fields of all responses; each has some of them. */
export interface Answer extends SignedInAs {
  readonly code: string;
  readonly msg: string;
  readonly reason: string;
  readonly factors: readonly string[] & { readonly totp?: boolean; readonly passkeys?: number };
  readonly person: { readonly id: string; readonly email: string; readonly name: string };
  readonly user: { readonly userId: string; readonly name: string };
  readonly roles: readonly string[];
  readonly lock: { readonly until: number } | null;
  readonly withdrawalsLockedUntil: number | null;
  readonly until: number;
  readonly secret: string;
  readonly uri: string;
  readonly recoveryCodes: string[];
  readonly id: string;
  readonly usableFrom: number;
  readonly challenge: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
  readonly permissions: readonly string[];
  readonly expires: number;
}

export interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Answer;
}

export interface SignedInAs {
  readonly sessionToken: string;
  readonly session: { readonly id: string; readonly created: number; readonly expires: number };
  readonly key: Credentials & { readonly permissions: readonly string[]; readonly expires: number };
}

export class IdentitySandbox {
  readonly running: RunningExchange;
  #addresses = 0;

  constructor(running: RunningExchange) {
    this.running = running;
  }

  /** On a directory that the caller removes. */
  static async start(dir: string, changes: Partial<Settings> = {}): Promise<IdentitySandbox> {
    return new IdentitySandbox(
      await startWhole(dir, { clock: 'manual', trustedProxies: ['127.0.0.1'], ...changes }),
    );
  }

  get url(): string {
    return this.running.connection.baseUrl;
  }

  get identityUrl(): string {
    return this.running.connection.identityUrl ?? '';
  }

  close(): Promise<void> {
    return this.running.close();
  }

  /** `headers` may bring a session, an origin or an address (x-forwarded-for). */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Said> {
    const response = await fetch(this.identityUrl + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      json: text === '' ? undefined : JSON.parse(text),
    };
  }

  post(path: string, body?: unknown, as?: SignedInAs): Promise<Said> {
    return this.send('POST', path, body ?? {}, bearer(as));
  }

  get(path: string, as?: SignedInAs): Promise<Said> {
    return this.send('GET', path, undefined, bearer(as));
  }

  delete(path: string, as?: SignedInAs): Promise<Said> {
    return this.send('DELETE', path, undefined, bearer(as));
  }

  /** The response of the sandbox's control API. */
  async control<T>(method: string, path: string, body?: object): Promise<T> {
    const { sandboxUrl, operatorToken } = this.running.connection;
    return callWithToken(method, `${sandboxUrl}${path}`, operatorToken, body);
  }

  async operator<T>(method: string, path: string, body?: object): Promise<T> {
    const { operatorUrl, operatorToken } = this.running.connection;
    return callWithToken(method, `${operatorUrl}${path}`, operatorToken, body);
  }

  async advance(ms: number): Promise<void> {
    await this.control('POST', '/clock/advance', { ms });
  }

  mails(to = EMAIL): Promise<Mail[]> {
    return this.control('GET', `/mail?to=${encodeURIComponent(to)}`);
  }

  /** The token of the newest mail's link to the page. */
  async tokenOf(page: 'verify' | 'reset' | 'email' | 'freeze', to = EMAIL): Promise<string> {
    for (const { links } of await this.mails(to)) {
      const link = links.find((each) => new URL(each).pathname === `/${page}`);
      if (link) return new URL(link).searchParams.get('token') ?? '';
    }
    throw new Error(`no mail to ${to} has a link to /${page}`);
  }

  async signUp(email = EMAIL, password = PASSWORD): Promise<SignedInAs> {
    const asked = await this.post('/sign-up', { email, password });
    if (asked.status !== 202) throw new Error(`sign-up: ${JSON.stringify(asked.json)}`);
    const verified = await this.post('/verify', { token: await this.tokenOf('verify', email) });
    if (verified.status !== 201) throw new Error(`verify: ${JSON.stringify(verified.json)}`);
    return verified.json as SignedInAs;
  }

  signIn(more: object = {}, ip?: string): Promise<Said> {
    const body = { email: EMAIL, password: PASSWORD, ...more };
    return this.send('POST', '/sessions', body, ip === undefined ? {} : { 'x-forwarded-for': ip });
  }

  /** Another address for each call, so that one test's failures do not slow down another's. */
  freshAddress(): string {
    this.#addresses++;
    return `198.51.100.${this.#addresses}`;
  }

  client({ key }: SignedInAs): Client {
    return new Client(this.url, key);
  }

  now(): Promise<number> {
    return this.control<{ time: number }>('GET', '/clock').then(({ time }) => time);
  }
}

const bearer = (as?: SignedInAs): Record<string, string> =>
  as === undefined ? {} : { authorization: `Bearer ${as.sessionToken}` };

async function callWithToken<T>(method: string, url: string, token: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const json = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return json as T;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A second implementation of RFC 6238, as an authenticator app has it. */
export function appCode(secret: string, time: number): string {
  let bits = '';
  for (const letter of secret) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(Math.floor(time / 30_000), 4);
  const mac = createHmac('sha1', bytes).update(counter).digest();
  const at = mac[19] & 15;
  const code = ((mac[at] & 127) << 24) | (mac[at + 1] << 16) | (mac[at + 2] << 8) | mac[at + 3];
  return String(code % 1_000_000).padStart(6, '0');
}

// One sandbox for the tests of a file.

/** Filled before the first test of the file. */
export function sandboxOfFile(): { readonly dir: string; sandbox: IdentitySandbox } {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-people-'));
  const held = { dir, sandbox: undefined as unknown as IdentitySandbox };
  before(async () => {
    held.sandbox = await IdentitySandbox.start(dir);
  });
  after(async () => {
    await held.sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return held;
}

// A software passkey: one key pair that signs like an authenticator with user verification.

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

export interface AuthenticatorTerms {
  readonly origin: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
}

export class Authenticator {
  readonly id: string = randomBytes(16).toString('base64url');
  readonly #origin: string;
  readonly #rpId: string;
  readonly #flags: number;
  readonly #privateKey: KeyObject;
  readonly #publicKey: Buffer;
  #userHandle = '';

  constructor({ origin, rpId = 'localhost', isVerified = true }: AuthenticatorTerms) {
    this.#origin = origin;
    this.#rpId = rpId;
    this.#flags = PRESENT | (isVerified ? VERIFIED : 0);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // COSE: EC2, ES256, P-256.
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** The response to registration options. */
  register(options: { readonly challenge: string; readonly user?: { readonly id: string } }): object {
    this.#userHandle = options.user?.id ?? '';
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#publicKey]);
    const data = Buffer.concat([this.#head(this.#flags | ATTESTED), attested]);
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ]);
    return this.#response({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The response to request options. */
  assert({ challenge }: { readonly challenge: string }): object {
    const data = this.#head(this.#flags);
    const clientDataJSON = this.#clientData('webauthn.get', challenge);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([data, hash]), this.#privateKey);
    return this.#response({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.#userHandle,
    });
  }

  /** Synced passkeys do not count signatures: the counter stays 0. */
  #head(flags: number): Buffer {
    const rpIdHash = createHash('sha256').update(this.#rpId).digest();
    return Buffer.concat([rpIdHash, Buffer.from([flags]), Buffer.alloc(4)]);
  }

  #clientData(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin })).toString('base64url');
  }

  #response(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
