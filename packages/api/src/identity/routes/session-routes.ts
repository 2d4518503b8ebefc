/** Sign-up, sign-in, sign-out and sessions. */

import { Type } from '../../gateway/schema.ts';
import { userId } from '../../gateway/ids.ts';
import type { Origin } from '../slow-down.ts';
import type { Identity } from '../identity.ts';
import { identityRefusal } from '../identity-errors.ts';
import { signIn, signUp, verify } from '../sign-in.ts';
import {
  Email,
  FACTORS,
  identityRoute,
  type IdentityRoute,
  normaliseEmail,
  Password,
  type SignedIn,
  Text,
  WithCookie,
} from './route.ts';
import { FOREVER } from '@bourse/core';

export const SESSION_ROUTES: readonly IdentityRoute[] = [
  identityRoute({
    id: 'sign-up',
    method: 'POST',
    path: '/sign-up',
    summary: 'Sends a mail with a link that creates the account, or a mail that the account already exists.',
    access: 'public',
    status: 202,
    body: { email: Email, password: Password, invitation: Type.Optional(Text) },
    handle: ({ identity, body: { email, password, invitation }, origin }) =>
      signUp(identity, { email: normaliseEmail(email), password, invitation }, origin),
  }),
  identityRoute({
    id: 'verify',
    method: 'POST',
    path: '/verify',
    summary: 'Creates the person and its user with the mail’s token, and signs in.',
    access: 'public',
    status: 201,
    body: { token: Text },
    handle: ({ identity, body, origin }) => verify(identity, body.token, origin),
  }),
  identityRoute({
    id: 'sign-in',
    method: 'POST',
    path: '/sessions',
    summary:
      'Signs in with address and password and, where there is one, a second factor; or with a passkey alone.',
    access: 'public',
    status: 201,
    body: { email: Type.Optional(Email), password: Type.Optional(Password), ...FACTORS },
    handle: ({ identity, body, origin }) =>
      signIn(
        identity,
        { ...body, email: body.email === undefined ? undefined : normaliseEmail(body.email) },
        origin,
      ),
  }),
  identityRoute({
    id: 'get-session',
    method: 'GET',
    path: '/session',
    summary: 'The signed-in person, with factors and locks.',
    access: 'session',
    status: 200,
    async handle({ identity, me }) {
      const { person, box, profile, session } = me;
      const { catalogue, port } = identity.services;
      const operator = await port.read(({ reference }) => reference.operators.ofLogin(person.login));
      const { now } = identity;
      return {
        person: { id: person.id, email: profile.email, name: profile.name },
        user: { userId: userId(person.user), name: catalogue.user(person.user)?.name ?? '' },
        roles: operator?.roles ?? [],
        session: identity.showSession(box, session),
        factors: {
          totp: person.totp !== '',
          passkeys: person.passkeys.length,
          recoveryCodes: person.recoveryCodes.length,
        },
        lock: person.lockedUntil > now ? { until: person.lockedUntil } : null,
        withdrawalsLockedUntil: person.withdrawalsLockedUntil > now ? person.withdrawalsLockedUntil : null,
        addressesOnly: onlyOf(person.onlyUntil, now),
      };
    },
  }),
  identityRoute({
    id: 'renew-session-key',
    method: 'POST',
    path: '/session/key',
    summary: 'Creates a signing key for this session; the previous one stops working.',
    access: 'session',
    status: 201,
    async handle({ identity, me: { person, session } }) {
      const { key, shown } = identity.makeKey(session.expires);
      await identity.act(
        { kind: 'set-session-key', person: person.id, session: session.id, key },
        person.user,
      );
      return shown;
    },
  }),
  identityRoute({
    id: 'sign-out',
    method: 'DELETE',
    path: '/session',
    summary: 'Ends this session with its signing key, feeds and order entry.',
    access: 'session',
    status: 204,
    async handle(call) {
      await endSession(call, call.me.session.id);
      return new WithCookie(undefined, '');
    },
  }),
  identityRoute({
    id: 'list-sessions',
    method: 'GET',
    path: '/sessions',
    summary: 'The person’s sessions, newest first.',
    access: 'session',
    status: 200,
    async handle({ identity, me: { person, box, session } }) {
      const { port, sessionKeys } = identity.services;
      const all = await port.read(({ reference: { people } }) => people.sessionsOf(person.id));
      const open = all.filter(({ expires }) => expires > identity.now).toReversed();
      return open.map((each) => ({
        ...identity.showSession(box, each),
        lastSeen: Math.max(each.createdAt, sessionKeys.usedAt(each.id)),
        ...(each.id === session.id && { current: true }),
      }));
    },
  }),
  identityRoute({
    id: 'end-session',
    method: 'DELETE',
    path: '/sessions/:id',
    summary: 'Ends one session.',
    access: 'session',
    status: 204,
    params: { id: Text },
    async handle(call) {
      const { identity, me, params } = call;
      const found = await identity.services.port.read(({ reference: { people } }) =>
        people.session(params.id),
      );
      if (found?.person !== me.person.id) {
        throw identityRefusal('unknown', 'Unknown session. GET /sessions lists yours.');
      }
      await endSession(call, params.id);
      return params.id === me.session.id ? new WithCookie(undefined, '') : undefined;
    },
  }),
  identityRoute({
    id: 'end-other-sessions',
    method: 'DELETE',
    path: '/sessions',
    summary: 'Ends all sessions but this one.',
    access: 'session',
    status: 204,
    async handle({ identity, me: { person, box, session }, origin }) {
      const from = identity.from(box, origin);
      await identity.act({ kind: 'end-sessions', person: person.id, except: session.id, from }, person.user);
    },
  }),
];

/** `until` is set from switching it off until that takes effect. */
const onlyOf = (onlyUntil: number, now: number) => ({
  on: onlyUntil > now,
  ...(onlyUntil > now && onlyUntil < FOREVER && { until: onlyUntil }),
});

async function endSession(
  { identity, me: { person, box }, origin }: { identity: Identity; me: SignedIn; origin: Origin },
  session: string,
): Promise<void> {
  const from = identity.from(box, origin);
  await identity.act({ kind: 'end-sessions', person: person.id, session, from }, person.user);
  identity.services.sessionKeys.forget(session);
}
