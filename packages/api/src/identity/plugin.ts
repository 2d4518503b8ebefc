/** Mounts the identity API: sessions by cookie or bearer token, closed schemas, errors as `{ code, msg }`. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { STEP_UP_MS } from '@bourse/core';
import { shortened } from '@bourse/engine';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../gateway/errors/refusal.ts';
import type { RequestLog } from '../gateway/http/log.ts';
import type { OwnOrigins } from '../gateway/http/origin.ts';
import { reachWanted, SEQ_HEADER } from '../gateway/http/position-headers.ts';
import { serveInterface } from '../gateway/json-interface.ts';
import { bearerToken } from '../gateway/operator/access.ts';
import type { Problem } from '../gateway/schema.ts';
import { stepUpNeeded } from './factors.ts';
import { IDENTITY_STATUSES, type IdentityRefusal, identityRefusal, noSession } from './identity-errors.ts';
import type { Identity } from './identity.ts';
import { ACCOUNT_ROUTES } from './routes/account-routes.ts';
import { FACTOR_ROUTES } from './routes/factor-routes.ts';
import { KEY_ROUTES } from './routes/key-routes.ts';
import {
  type IdentityContext,
  type IdentityRoute,
  type IdentityTerms,
  type SignedIn,
  WithCookie,
} from './routes/route.ts';
import { SESSION_ROUTES } from './routes/session-routes.ts';
import { digest, readPosition } from './venue-keys.ts';

export const IDENTITY_MOUNT = '/identity/v1';

export const IDENTITY_ROUTES: readonly IdentityRoute[] = [
  ...SESSION_ROUTES,
  ...FACTOR_ROUTES,
  ...KEY_ROUTES,
  ...ACCOUNT_ROUTES,
];

export interface IdentityOptions {
  readonly identity: Identity;
  readonly origins: OwnOrigins;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly bodyBytesMax: number;
  /** Cookies are for HTTPS only. */
  readonly isSecure: boolean;
  readonly log: RequestLog;
}

const COOKIE = 'bourse-session';
/** Sent by a page that refreshes itself while nobody uses it: the request does not reset the session's idle time. */
const UNATTENDED_HEADER = 'x-bourse-unattended';

export function identityPlugin(options: IdentityOptions) {
  const { identity, bodyBytesMax, log, isSecure, addressOf } = options;
  return async (app: FastifyInstance): Promise<void> => {
    serveInterface<IdentityTerms, IdentityContext>(app, {
      name: 'identity',
      listedAt: 'docs/api/identity.md',
      routes: IDENTITY_ROUTES,
      statuses: IDENTITY_STATUSES,
      bodyBytesMax,
      log,
      isBodyRequired: false,
      refuseValue,
      async enter({ raw: { headers } }, route) {
        checkOrigin(headers, route, options);
        const { position } = identity.services;
        if (position) await reachWanted(position, headers);
      },
      async handle({ raw }, reply, route, read) {
        const { headers } = raw;
        const origin = { ip: addressOf(raw), device: deviceName(headers['user-agent']) };
        const me = route.access === 'public' ? undefined : await signedIn(identity, headers, isSecure);
        const parts = read();
        if (me && route.access === 'step-up' && me.session.steppedUpAt + STEP_UP_MS <= identity.now) {
          throw stepUpNeeded(me);
        }
        // Handlers of public routes do not read `me`.
        const given = await route.handle({ identity, origin, me: me as SignedIn, ...parts });
        const { position } = identity.services;
        if (position) void reply.header(SEQ_HEADER, String(position.seq));
        if (!(given instanceof WithCookie)) return given;
        void reply.header('set-cookie', cookie(given.token, isSecure, identity.settings.sessionMaxMs));
        return given.body;
      },
    });
  };
}

const cookieName = (isSecure: boolean): string => (isSecure ? `__Host-${COOKIE}` : COOKIE);

function cookie(token: string, isSecure: boolean, maxMs: number): string {
  const age = token === '' ? 0 : Math.floor(maxMs / 1000);
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName(isSecure)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`;
}

function cookieToken({ cookie: text = '' }: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const wanted = `${cookieName(isSecure)}=`;
  const found = text.split(';').find((part) => part.trim().startsWith(wanted));
  return found?.trim().slice(wanted.length);
}

/**
 * A call with the cookie, and a public one from a page, must come from a page of this exchange. Browsers set these headers,
 * and pages cannot change them.
 */
function checkOrigin(
  headers: IncomingHttpHeaders,
  { access, method }: IdentityRoute,
  options: IdentityOptions,
): void {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site === 'same-origin' || (origin !== undefined && options.origins.includes(headers))) return;
  const isForeign =
    access === 'public'
      ? method === 'POST' && (origin !== undefined || (site !== undefined && site !== 'none'))
      : bearerToken(headers) === undefined && cookieToken(headers, options.isSecure) !== undefined;
  if (!isForeign) return;
  throw identityRefusal(
    'foreign-origin',
    'Only pages of this exchange may do this (Sec-Fetch-Site or Origin).',
  );
}

async function signedIn(
  identity: Identity,
  headers: IncomingHttpHeaders,
  isSecure: boolean,
): Promise<SignedIn> {
  const token = bearerToken(headers) ?? cookieToken(headers, isSecure);
  if (token === undefined || token === '') throw noSession();
  return bySession(identity, token, headers);
}

/** The person signed in by cookie: undefined without a cookie, null if the session has ended. */
export async function signedInByCookie(
  identity: Identity,
  headers: IncomingHttpHeaders,
  isSecure: boolean,
): Promise<SignedIn | null | undefined> {
  const token = cookieToken(headers, isSecure);
  if (token === undefined) return undefined;
  try {
    return await bySession(identity, token, headers);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function bySession(identity: Identity, text: string, headers: IncomingHttpHeaders): Promise<SignedIn> {
  const { services } = identity;
  const { sessionKeys } = services;
  const { token, seq } = readPosition(text);
  // If this node does not reach that record in time, it rejects the session as unknown.
  await services.position?.reach(seq);
  const hash = digest(token);
  const found = await services.port.read(({ reference: { people } }) => {
    const open = people.sessionOfToken(hash);
    const owner = open && people.get(open.person);
    return owner ? { session: open, person: owner } : null;
  });
  if (!found) throw noSession();
  const { session, person } = found;
  const isOpen =
    headers[UNATTENDED_HEADER] === undefined
      ? sessionKeys.use(session, person.user)
      : sessionKeys.isOpen(session, person.user);
  if (!isOpen) throw noSession();
  const open = await identity.openPerson(person);
  if (!open) throw noSession();
  return { ...open, session };
}

/** Does not repeat the value: it may be a password. */
function refuseValue({ path, missing, expected, isUnknown }: Problem, place: string): IdentityRefusal {
  if (missing) return identityRefusal('field-missing', `Missing in the ${place}: ${missing.join(', ')}.`);
  const name = path.map((part) => shortened(String(part))).join('.');
  return identityRefusal(
    isUnknown ? 'field-unknown' : 'value-invalid',
    `${name || `The ${place}`} ${expected}.`,
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const LENGTH_MAX = 120;

/** A User-Agent header as "Firefox on Windows". Unknown agents stay as they are. */
export function deviceName(header = ''): string {
  // Printable ASCII only, because it appears in mails.
  const agent = header.replaceAll(/[^\x20-\x7e]/g, '').slice(0, LENGTH_MAX * 4);
  const nameIn = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser === undefined) return agent.slice(0, LENGTH_MAX);
  return system === undefined ? browser : `${browser} on ${system}`;
}
