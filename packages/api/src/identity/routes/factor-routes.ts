/** Passwords, second factors and the e-mail address. */

import { randomBytes } from 'node:crypto';
import { type ChangePerson, DAY_MS, type Proof } from '@bourse/core';
import { base32nopad } from '@scure/base';
import { Type } from '../../gateway/schema.ts';
import {
  checkRegistration,
  factorsOf,
  normaliseCode,
  proveFactor,
  registrationOptions,
  requestOptions,
  stepOf,
  stepUpNeeded,
  totpUri,
} from '../factors.ts';
import type { Identity } from '../identity.ts';
import type { Origin } from '../slow-down.ts';
import { identityRefusal, wrongFactor, wrongPassword, wrongToken } from '../identity-errors.ts';
import { MAILS } from '../mail/mail.ts';
import { checkPassword, checkStrength, makeVerifier } from '../passwords.ts';
import { attemptCounters, countAttempt } from '../sign-in.ts';
import { digest } from '../venue-keys.ts';
import {
  Email,
  FACTORS,
  identityRoute,
  type IdentityRoute,
  normaliseEmail,
  PasskeyAnswer,
  Password,
  type SignedIn,
  Text,
} from './route.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 16;
const ISSUER = 'Bourse';

export const FACTOR_ROUTES: readonly IdentityRoute[] = [
  identityRoute({
    id: 'change-password',
    method: 'POST',
    path: '/password',
    summary: 'Changes the password. All other sessions end; withdrawals are locked for 24 hours.',
    access: 'step-up',
    status: 204,
    body: { current: Password, next: Password },
    async handle({ identity, me, body, origin }) {
      const { person, box, profile } = me;
      const attempt = identity.slowDown.begin(attemptCounters(person.login, me, origin));
      await countAttempt(identity, attempt, me, origin, async () => {
        const isRight = await checkPassword(body.current, box.open('verifier', person.verifier), origin.ip);
        if (!isRight) throw wrongPassword();
      });
      checkStrength(body.next, profile.email, factorsOf(me).length > 0);
      const verifier = box.seal('verifier', await makeVerifier(body.next, origin.ip));
      await change(identity, me, origin, { verifier }, 'your password was changed');
    },
  }),
  identityRoute({
    id: 'ask-reset',
    method: 'POST',
    path: '/password/reset',
    summary: 'Sends a link to set a new password, if the address is registered.',
    access: 'public',
    status: 202,
    body: { email: Email },
    async handle({ identity, body, origin }) {
      const email = normaliseEmail(body.email);
      const open = await identity.findPerson({ login: identity.keys.loginOf(email) });
      const { id: person = '', version = 0 } = open?.person ?? {};
      const token = identity.keys.issue({ kind: 'reset', person, version, until: identity.now + DAY_MS });
      identity.sendRequestedMail(
        MAILS.reset(identity.link('reset', token)),
        email,
        origin,
        open?.person,
        open !== undefined,
      );
      return {};
    },
  }),
  identityRoute({
    id: 'reset-password',
    method: 'POST',
    path: '/password/reset/confirm',
    summary: 'Sets a new password with the mail’s token and the second factor, if the person has one.',
    access: 'public',
    status: 204,
    body: { token: Text, password: Password, ...FACTORS },
    async handle({ identity, body, origin }) {
      const token = identity.keys.read('reset', body.token, identity.now);
      const open = token && (await identity.findPerson({ id: token.person }));
      const spent = { id: digest(body.token), until: token?.until ?? 0 };
      const isSpent = await identity.services.port.read(({ reference: { people } }) =>
        people.isSpent(spent.id, identity.now),
      );
      if (!token || !open || isSpent || open.person.version !== token.version) throw wrongToken();
      const { person, box, profile } = open;
      checkStrength(body.password, profile.email, factorsOf(open).length > 0);
      const attempt = identity.slowDown.begin(attemptCounters(person.login, open, origin));
      const proof = await countAttempt(identity, attempt, open, origin, () =>
        proveFactor(identity, open, body),
      );
      const verifier = box.seal('verifier', await makeVerifier(body.password, origin.ip));
      const outcome = await identity.attempt({
        kind: 'change-person',
        person: person.id,
        proof: { ...proof, spends: [...(proof.spends ?? []), spent] },
        verifier,
        from: identity.from(box, origin),
      });
      if (outcome.kind === 'rejected') {
        const { rejection } = outcome;
        throw rejection.code === 'proof-spent' && rejection.of === 'token'
          ? wrongToken()
          : identity.refusal(rejection);
      }
      identity.sendMail(MAILS.changed('your password was changed'), profile.email, origin, person);
    },
  }),
  identityRoute({
    id: 'begin-totp',
    method: 'POST',
    path: '/totp',
    summary: 'Creates a secret for an authenticator app, active once a code of it is confirmed.',
    access: 'step-up',
    status: 201,
    handle({ me }) {
      const secret = base32nopad.encode(nextTotpSecret(me));
      return { secret, uri: totpUri(secret, ISSUER, me.profile.email) };
    },
  }),
  identityRoute({
    id: 'confirm-totp',
    method: 'POST',
    path: '/totp/confirm',
    summary: 'Switches TOTP on with its first code, and returns ten recovery codes, once.',
    access: 'session',
    status: 200,
    body: { code: Type.String({ maxLength: 16 }) },
    async handle({ identity, me, body, origin }) {
      const secret = nextTotpSecret(me);
      const attempt = identity.slowDown.begin(attemptCounters(me.person.login, me, origin));
      const step = await countAttempt(identity, attempt, me, origin, async () => {
        const found = stepOf(secret, body.code, identity.now, 0);
        if (found === null) throw wrongFactor(['totp']);
        return found;
      });
      const { codes, hashes } = makeRecoveryCodes(identity);
      const totp = me.box.seal('totp', base32nopad.encode(secret));
      const changes = { totp, totpStep: step, recoveryCodes: hashes };
      await change(identity, me, origin, changes, 'an authenticator app was added');
      return { recoveryCodes: codes };
    },
  }),
  identityRoute({
    id: 'remove-totp',
    method: 'DELETE',
    path: '/totp',
    summary: 'Switches TOTP off. Withdrawals are locked for 24 hours.',
    access: 'step-up',
    status: 204,
    async handle({ identity, me, origin }) {
      if (me.person.totp === '') throw identityRefusal('unknown', 'TOTP is off.');
      await change(identity, me, origin, { totp: null }, 'the authenticator app was removed');
    },
  }),
  identityRoute({
    id: 'renew-recovery-codes',
    method: 'POST',
    path: '/recovery-codes',
    summary: 'Ten new recovery codes; the old ones are void.',
    access: 'step-up',
    status: 201,
    async handle({ identity, me, origin }) {
      const { codes, hashes } = makeRecoveryCodes(identity);
      await change(identity, me, origin, { recoveryCodes: hashes }, 'new recovery codes were created');
      return { recoveryCodes: codes };
    },
  }),
  identityRoute({
    id: 'begin-passkey',
    method: 'POST',
    path: '/passkeys/options',
    summary: 'WebAuthn registration options.',
    access: 'step-up',
    status: 200,
    handle: ({ identity, me }) => registrationOptions(identity, me, me.session.id),
  }),
  identityRoute({
    id: 'add-passkey',
    method: 'POST',
    path: '/passkeys',
    summary: 'Adds the passkey that the browser created with the options.',
    access: 'session',
    status: 201,
    body: { name: Type.String({ minLength: 1, maxLength: 64 }), response: PasskeyAnswer },
    async handle({ identity, me, body, origin }) {
      const { spends, ...passkey } = await checkRegistration(identity, body.response, me.session.id);
      const name = me.box.seal('passkey', body.name);
      const changes = { addPasskey: { ...passkey, name } };
      await change(identity, me, origin, changes, 'a passkey was added', { spends });
      return { id: passkey.id, name: body.name, created: identity.now };
    },
  }),
  identityRoute({
    id: 'passkey-challenge',
    method: 'POST',
    path: '/passkeys/challenge',
    summary: 'WebAuthn request options, the same for everybody.',
    access: 'public',
    status: 200,
    handle: ({ identity }) => requestOptions(identity),
  }),
  identityRoute({
    id: 'list-passkeys',
    method: 'GET',
    path: '/passkeys',
    summary: 'The person’s passkeys.',
    access: 'session',
    status: 200,
    handle: ({ me: { person, box } }) =>
      person.passkeys.map(({ id, name, createdAt }) => ({
        id,
        name: box.open('passkey', name),
        created: createdAt,
      })),
  }),
  identityRoute({
    id: 'remove-passkey',
    method: 'DELETE',
    path: '/passkeys/:id',
    summary: 'Removes a passkey. Withdrawals are locked for 24 hours.',
    access: 'step-up',
    status: 204,
    params: { id: Text },
    async handle({ identity, me, params, origin }) {
      if (!me.person.passkeys.some(({ id }) => id === params.id)) {
        throw identityRefusal('unknown', 'Unknown passkey. GET /passkeys lists yours.');
      }
      await change(identity, me, origin, { removePasskey: params.id }, 'a passkey was removed');
    },
  }),
  identityRoute({
    id: 'step-up',
    method: 'POST',
    path: '/step-up',
    summary: 'Accepts a second factor, or the password of a person without one, for five minutes.',
    access: 'session',
    status: 200,
    body: {
      totp: FACTORS.totp,
      passkey: FACTORS.passkey,
      password: Type.Optional(Password),
    },
    async handle({ identity, me, body, origin }) {
      const { person, box, session } = me;
      const attempt = identity.slowDown.begin(attemptCounters(person.login, me, origin));
      const proof = await countAttempt(identity, attempt, me, origin, async (): Promise<Proof> => {
        if (factorsOf(me).length > 0) return proveFactor(identity, me, body);
        if (body.password === undefined) throw stepUpNeeded(me);
        const isRight = await checkPassword(body.password, box.open('verifier', person.verifier), origin.ip);
        if (!isRight) throw wrongPassword();
        return { version: person.version };
      });
      const from = identity.from(box, origin);
      await identity.act(
        { kind: 'step-up', person: person.id, session: session.id, proof, from },
        person.user,
      );
      return { until: await stepUpEnd(identity, session.id) };
    },
  }),
  identityRoute({
    id: 'change-email',
    method: 'POST',
    path: '/email',
    summary: 'Sends a link to the new address and a notification to the old one.',
    access: 'step-up',
    status: 202,
    body: { email: Email },
    async handle({ identity, me: { person, profile }, body, origin }) {
      const email = normaliseEmail(body.email);
      if (person.lockedUntil > identity.now) {
        throw identity.refusal({ code: 'person-locked', person: person.id, until: person.lockedUntil });
      }
      identity.spendMail(person);
      const known = await identity.findPerson({ login: identity.keys.loginOf(email) });
      const { id, version } = person;
      const until = identity.now + DAY_MS;
      const token = identity.keys.issue({ kind: 'email', person: id, version, email, until });
      const parts = known ? MAILS.emailTaken() : MAILS.confirmEmail(identity.link('email', token));
      identity.sendRequestedMail(parts, email, origin, known?.person ?? person);
      identity.sendMail(MAILS.emailAsked(email), profile.email, origin, person);
      return {};
    },
  }),
  identityRoute({
    id: 'confirm-email',
    method: 'POST',
    path: '/email/confirm',
    summary: 'Changes the address with the mail’s token. Withdrawals are locked for 24 hours.',
    access: 'public',
    status: 204,
    body: { token: Text },
    async handle({ identity, body, origin }) {
      const token = identity.keys.read('email', body.token, identity.now);
      const open = token && (await identity.findPerson({ id: token.person }));
      if (!token || !open) throw wrongToken();
      const { box, person, profile } = open;
      const { email, version, until } = token;
      const outcome = await identity.attempt({
        kind: 'change-person',
        person: person.id,
        proof: { version, spends: [{ id: digest(body.token), until }] },
        login: identity.keys.loginOf(email),
        profile: box.seal('profile', JSON.stringify({ ...profile, email })),
        from: identity.from(box, origin),
      });
      if (outcome.kind === 'rejected') {
        const { rejection } = outcome;
        throw rejection.code === 'person-locked' ? identity.refusal(rejection) : wrongToken();
      }
      identity.sendMail(MAILS.changed('your e-mail address was changed'), profile.email, origin, person);
    },
  }),
];

/**
 * Derived instead of stored, so that every node computes the same secret, even after a restart. Different for each session
 * and after each change of credentials.
 */
const nextTotpSecret = ({ person, box, session }: SignedIn): Buffer =>
  box.derive(`totp ${session.id} ${person.version}`).subarray(0, SECRET_BYTES);

async function stepUpEnd(identity: Identity, session: string): Promise<number> {
  const { port } = identity.services;
  const at = await port.read(({ reference: { people } }) => people.session(session)?.steppedUpAt ?? 0);
  return at + 5 * 60_000;
}

function makeRecoveryCodes(identity: Identity): { readonly codes: string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    (randomBytes(RECOVERY_BYTES).toString('hex').match(/.{8}/g) ?? []).join('-'),
  );
  return { codes, hashes: codes.map((code) => identity.keys.recoveryCode(normaliseCode(code))) };
}

type Changes = Omit<ChangePerson, 'kind' | 'person' | 'session' | 'proof' | 'from'>;

/** Changes credentials in a session, and notifies the person by mail. */
async function change(
  identity: Identity,
  { person, box, profile, session }: SignedIn,
  origin: Origin,
  changes: Changes,
  what: string,
  proof: Partial<Proof> = {},
): Promise<void> {
  const from = identity.from(box, origin);
  const base = { kind: 'change-person', person: person.id, session: session.id, from } as const;
  await identity.act({ ...base, proof: { version: person.version, ...proof }, ...changes }, person.user);
  identity.sendMail(MAILS.changed(what), profile.email, origin, person);
}
