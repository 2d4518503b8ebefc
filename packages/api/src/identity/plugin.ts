/** The identity interface, mounted: sessions by cookie or bearer token, closed schemas, errors as `{ code, msg }`. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STEP_UP_MS } from '@bourse/core';
import { shortened, Unavailable } from '@bourse/engine';
import { ERRORS } from '../gateway/errors/errors.ts';
import { fromFramework } from '../gateway/errors/to-refusal.ts';
import type { RequestLog } from '../gateway/http/log.ts';
import type { OwnOrigins } from '../gateway/http/origin.ts';
import { parseBody } from '../gateway/http/reading/json-body.ts';
import { findProblem, type TObject } from '../gateway/schema.ts';
import { stepUpNeeded } from './factors.ts';
import { deviceOf, type Identity } from './identity.ts';
import { IdentityError, noSession } from './identity-error.ts';
import { type IdentityRoute, type SignedIn, WithCookie } from './routes/route.ts';
import { IDENTITY_ROUTES } from './routes/all.ts';
import { digest } from './venue-keys.ts';

export const IDENTITY_MOUNT = '/identity/v1';

export interface IdentityOptions {
  readonly identity: Identity;
  readonly origins: OwnOrigins;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly bodyBytesMax: number;
  /** Cookies are for HTTPS only. */
  readonly isSecure: boolean;
  readonly log: RequestLog;
}

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
/** Sessions of operators end sooner. */
const OPERATOR_IDLE_MS = 15 * 60_000;
const COOKIE = 'bourse-session';

export function identityPlugin(options: IdentityOptions) {
  const { bodyBytesMax, log } = options;
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, code, msg, fields, headers } = describe(
      error,
      bodyBytesMax,
      request.headers['content-type'],
    );
    if (status === 500) log.fault({ to: 'identity' }, error, 'identity request failed');
    return reply
      .code(status)
      .headers(headers)
      .type('application/json')
      .send(JSON.stringify({ code, msg, ...fields }));
  };
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    app.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?')[0] ?? '';
      const msg = `There is no ${request.method} ${shortened(path)}; docs/api/identity.md lists what there is.`;
      return answerError(new IdentityError(404, 'route-unknown', msg), request, reply);
    });
    for (const route of IDENTITY_ROUTES) mount(app, route, options);
  };
}

function mount(app: FastifyInstance, route: IdentityRoute, options: IdentityOptions): void {
  const { identity, addressOf } = options;
  app.route({
    method: route.method,
    url: route.path,
    // Before the body is read.
    onRequest: async ({ raw }) => checkOrigin(raw.headers, route, options),
    handler: async (request, reply) => {
      const { headers } = request.raw;
      const ip = addressOf(request.raw);
      const device = deviceOf(headers['user-agent']);
      const me = route.access === 'public' ? undefined : await signedIn(identity, headers, options.isSecure);
      const body = route.body && readBody(request.body);
      check(route.params, request.params, 'path');
      check(route.query, request.query, 'query');
      check(route.body, body, 'body');
      if (me && route.access === 'step-up' && me.session.steppedUpAt + STEP_UP_MS <= identity.now) {
        throw stepUpNeeded(me);
      }
      const { params, query } = request;
      const call = { identity, origin: { ip, device }, params, query, body, me } as never;
      const given = await route.handle(call);
      const answer = given instanceof WithCookie ? given.body : given;
      if (given instanceof WithCookie) {
        void reply.header(
          'set-cookie',
          cookie(given.token, options.isSecure, identity.settings.sessionMaxMs),
        );
      }
      reply.code(route.status);
      return answer === undefined
        ? reply.send()
        : reply.type('application/json').send(JSON.stringify(answer));
    },
  });
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

const bearerToken = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  BEARER.exec(authorization)?.[1];

/**
 * A call with the cookie, and a public one from a page, must come from a page of this exchange. Browsers say where a
 * request comes from, and pages cannot change what they say.
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
  throw new IdentityError(
    403,
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
  return bySession(identity, token);
}

/** Who is signed in by cookie: undefined without one, null where the session has ended. */
export async function signedInByCookie(
  identity: Identity,
  headers: IncomingHttpHeaders,
  isSecure: boolean,
): Promise<SignedIn | null | undefined> {
  const token = cookieToken(headers, isSecure);
  if (token === undefined) return undefined;
  try {
    return await bySession(identity, token);
  } catch (error) {
    if (error instanceof IdentityError) return null;
    throw error;
  }
}

async function bySession(identity: Identity, token: string): Promise<SignedIn> {
  const hash = digest(token);
  const { services } = identity;
  const found = await services.port.read(({ reference: { people, operators } }) => {
    const open = people.sessionOfToken(hash);
    const owner = open && people.get(open.person);
    return owner
      ? { session: open, person: owner, isOperator: operators.ofLogin(owner.login) !== null }
      : null;
  });
  if (!found || found.session.expires <= identity.now) throw noSession();
  const { session, person, isOperator } = found;
  const idleMsMax = isOperator ? OPERATOR_IDLE_MS : Infinity;
  if (!services.sessionKeys.use(session.id, session.createdAt, idleMsMax)) throw noSession();
  return { ...identity.openPerson(person), session };
}

function readBody(bytes: unknown): unknown {
  return Buffer.isBuffer(bytes) && bytes.length > 0 ? parseBody(bytes) : {};
}

/** Says what is wrong with a value without repeating it: it may be a password. */
function check(schema: TObject | undefined, value: unknown, place: string): void {
  const problem = schema && findProblem(schema as never, value ?? {});
  if (!problem) return;
  const { path, missing, expected } = problem;
  if (missing)
    throw new IdentityError(400, 'field-missing', `Missing in the ${place}: ${missing.join(', ')}.`);
  const name = path.map((part) => shortened(String(part))).join('.');
  const isUnknown = expected?.startsWith('is no field here') ?? false;
  throw new IdentityError(
    400,
    isUnknown ? 'field-unknown' : 'value-invalid',
    `${name || `The ${place}`} ${expected}.`,
  );
}

/** The same refusals as elsewhere, in this interface's own words for their kinds. */
function describe(error: unknown, bodyBytesMax: number, contentType: string | undefined) {
  if (error instanceof IdentityError) {
    const { status, code, message: msg, more } = error;
    return { status, code, msg, fields: more.fields ?? {}, headers: more.headers ?? {} };
  }
  const refusal = fromFramework(error, bodyBytesMax, contentType);
  const { status, text } = ERRORS[refusal.error];
  const code = error instanceof Unavailable ? error.reason : refusal.error;
  return { status, code, msg: refusal.detail || text, fields: {}, headers: {} };
}
