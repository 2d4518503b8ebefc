/**
 * Authenticates operators: by token and, unless configured otherwise, only from this machine. A proxied request does not
 * count as local, whatever the proxy's address. The start-up token is root's; named operators have their own tokens, of
 * which the exchange stores only the hashes.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Operator as Named, ROLES, type Role, type Exchange } from '@bourse/core';
import type { Clock, ExchangePort } from '@bourse/engine';
import { UNIX_ADDRESS } from '../access/ip-addresses.ts';
import type { Who } from '../admission.ts';
import { Refusal } from '../errors/refusal.ts';
import { isLoopbackHost, type OwnOrigins } from '../http/origin.ts';
import { operatorId } from '../ids.ts';
import { operatorRefusal } from './operator-errors.ts';

export interface OperatorAccess {
  readonly token: string;
  /** A read-only token; '' for none. */
  readonly readToken: string;
  readonly isRemoteAllowed: boolean;
  /** Origins whose pages may call the API. */
  readonly origins: OwnOrigins;
  /** Named operators; absent if only the two shared tokens are valid. */
  readonly book?: OperatorBook;
  /** The person signed in by cookie: undefined without a cookie, null if the session has ended. */
  readonly personOf?: (
    headers: IncomingHttpHeaders,
  ) => Promise<{ readonly login: string } | null | undefined>;
}

export interface Operator extends Who {
  /** `reader`: uses the read-only token. */
  readonly kind: 'root' | 'closed-root' | 'reader' | 'program' | 'person';
  /** The number of a named operator. */
  readonly number?: number;
  readonly id: string;
  /** The name in the audit trail. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** The client address of the request. */
  readonly ip: string;
}

const LOOPBACK = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const FORWARDED: readonly string[] = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

export const bearerToken = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  BEARER.exec(authorization)?.[1];

const OPERATOR_NAME = /^[\x21-\x7e]{1,64}$/;
const NAME_HEADER = 'x-operator';
const DEFAULT_NAME = 'operator';
const NONE: Buffer = Buffer.alloc(0);

export class OperatorAuthentication {
  readonly #isRemoteAllowed: boolean;
  readonly #origins: OwnOrigins;
  readonly #access: OperatorAccess;
  #known = { token: '', readToken: '', digest: NONE, readDigest: NONE };

  constructor(access: OperatorAccess) {
    const { token, isRemoteAllowed, origins } = access;
    this.#access = access;
    if (token === '') throw new RangeError('the operator API needs a token');
    this.#isRemoteAllowed = isRemoteAllowed;
    this.#origins = origins;
  }

  /** Tokens may be replaced while the exchange runs. */
  #digests(): { readonly digest: Buffer; readonly readDigest: Buffer } {
    const { token, readToken } = this.#access;
    if (token !== this.#known.token || readToken !== this.#known.readToken) {
      this.#known = { token, readToken, digest: digest(token), readDigest: digest(readToken) };
    }
    return this.#known;
  }

  /** The valid token of a request that does not require one; undefined without. */
  tokenOf(headers: IncomingHttpHeaders, address: string): string | undefined {
    try {
      return this.identify(headers, address, false).token;
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  /** Authenticates and authorises the request; throws a refusal otherwise. */
  identify(headers: IncomingHttpHeaders, address: string, isChange: boolean): Operator {
    this.checkPlace(headers, address);
    this.#origins.check(headers);
    const given = bearerToken(headers);
    if (given === undefined) {
      throw operatorRefusal('token-missing', 'Send the header `Authorization: Bearer <operator token>`.');
    }
    // Compares digests, which have equal length, so that the time does not depend on what was sent.
    const sent = digest(given);
    const wanted = this.#digests();
    const isOperator = timingSafeEqual(sent, wanted.digest);
    const isReader = this.#access.readToken !== '' && timingSafeEqual(sent, wanted.readDigest);
    const { book } = this.#access;
    const named = isOperator || isReader ? undefined : book?.ofToken(sent.toString('hex'));
    if (named) return operatorOf(named, 'program', address);
    if (!isOperator && !isReader) throw operatorRefusal('token-wrong', 'This is not the operator token.');
    if (!isOperator && isChange) {
      throw operatorRefusal('read-only', 'This token is read-only.');
    }
    const who = { user: -1, proof: undefined, name: nameOf(headers), ip: address };
    if (isReader) return { ...who, token: 'read token', kind: 'reader', id: 'reader', roles: ['viewer'] };
    const isClosed = book?.isRootClosed ?? false;
    if (isClosed) checkLocal(headers, address);
    const kind = isClosed ? 'closed-root' : 'root';
    return { ...who, token: 'operator token', kind, id: 'root', roles: isClosed ? [] : ROLES };
  }

  /** Like `identify`, but also accepts a person's cookie, only from a page of this exchange. */
  async identifyAny(headers: IncomingHttpHeaders, address: string, isChange: boolean): Promise<Operator> {
    const { personOf, book } = this.#access;
    const { authorization, cookie } = headers;
    const mayBePerson = authorization === undefined && cookie !== undefined && personOf && book;
    const person = mayBePerson ? await personOf(headers) : undefined;
    if (person === undefined) return this.identify(headers, address, isChange);
    this.checkPlace(headers, address);
    this.#checkPage(headers);
    if (person === null) throw operatorRefusal('no-session', 'The session has ended. Sign in again.');
    const operator = book?.ofLogin(person.login);
    if (operator) return operatorOf(operator, 'person', address);
    throw operatorRefusal('role', 'You are signed in, but not as an operator: an admin can make you one.');
  }

  /** Browsers send cookies with requests from any page, but report the origin of the request. */
  #checkPage(headers: IncomingHttpHeaders): void {
    const { origin, 'sec-fetch-site': site } = headers;
    if (site === 'same-origin' || (origin !== undefined && this.#origins.includes(headers))) return;
    const msg = 'Only pages of this exchange may do this (Sec-Fetch-Site or Origin).';
    throw operatorRefusal('foreign-origin', msg);
  }

  /** Rejects foreign domain names that resolve to this machine: DNS rebinding uses them to reach local servers. */
  checkPlace(headers: IncomingHttpHeaders, address: string): void {
    if (!this.#isRemoteAllowed) checkLocal(headers, address);
  }
}

function operatorOf({ id: number, name, roles }: Named, kind: 'program' | 'person', ip: string): Operator {
  const id = operatorId(number);
  return { user: -1, proof: undefined, token: `operator ${id}`, kind, number, id, name, roles, ip };
}

function checkLocal(headers: IncomingHttpHeaders, address: string): void {
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  if (isForwarded || !(LOOPBACK.test(address) || address === UNIX_ADDRESS)) {
    const msg = 'The operator API is open only to this machine (setting operatorRemote).';
    throw operatorRefusal('remote-denied', msg);
  }
  if (!isLoopbackHost(headers.host)) {
    const msg =
      'The operator API is open only to this machine, by its own names: localhost, 127.0.0.1 or [::1] in the ' +
      'Host header (setting operatorRemote).';
    throw operatorRefusal('remote-denied', msg);
  }
}

/** Holders of a shared token give the name for the audit trail themselves. */
function nameOf(headers: IncomingHttpHeaders): string {
  const name = headers[NAME_HEADER] ?? DEFAULT_NAME;
  if (typeof name === 'string' && OPERATOR_NAME.test(name)) return name;
  throw operatorRefusal('name-invalid', `${NAME_HEADER}: 1 to 64 printable ASCII characters without spaces.`);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Named operators by token hash, in a synchronous view, because every request needs it. */
export class OperatorBook {
  readonly #clock: Clock;
  #byToken: ReadonlyMap<string, Named> = new Map();
  #byLogin: ReadonlyMap<string, Named> = new Map();
  #isRootClosed = false;

  private constructor(clock: Clock, exchange: Exchange) {
    this.#clock = clock;
    this.#read(exchange);
  }

  /** Reads the current state, then follows every record. */
  static follow(port: ExchangePort, clock: Clock): Promise<OperatorBook> {
    return port.read((exchange) => {
      const book = new OperatorBook(clock, exchange);
      port.subscribe(({ marketEvents }, now) => {
        for (let at = 0; at < marketEvents.length; at++) {
          if (marketEvents[at].kind === 'operators-changed') book.#read(now);
        }
      });
      return book;
    });
  }

  get isRootClosed(): boolean {
    return this.#isRootClosed;
  }

  /** `token`: its SHA-256 in hex. */
  ofToken(token: string): Named | undefined {
    return this.#usable(this.#byToken.get(token));
  }

  /** `login`: that of the signed-in person. */
  ofLogin(login: string): Named | undefined {
    return this.#usable(this.#byLogin.get(login));
  }

  #usable(found: Named | undefined): Named | undefined {
    return found && found.usableFrom <= this.#clock.now() ? found : undefined;
  }

  #read({ reference: { operators } }: Exchange): void {
    const all = operators.list();
    this.#byToken = new Map(all.map((each) => [each.token, each]));
    this.#byLogin = new Map(all.filter(({ login }) => login !== '').map((each) => [each.login, each]));
    this.#isRootClosed = operators.isRootClosed;
  }
}
