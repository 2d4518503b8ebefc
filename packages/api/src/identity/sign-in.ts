/** Sign-up and sign-in: from a request to a session. */

import { randomBytes } from 'node:crypto';
import { DAY_MS, type Proof } from '@bourse/core';
import type { Attempt, Origin } from './slow-down.ts';
import { type GivenFactors, type PasskeyResponse, personOfPasskey, proveFactor } from './factors.ts';
import { networkOf } from '../gateway/access/ip-addresses.ts';
import { OPERATOR_SESSION_MS } from '../gateway/access/keys.ts';
import { Refusal } from '../gateway/errors/refusal.ts';
import { identityRefusal, wrongCredentials, wrongFactor, wrongToken } from './identity-errors.ts';
import type { Identity, OpenPerson } from './identity.ts';
import { MAILS } from './mail/mail.ts';
import { checkPassword, checkStrength, makeVerifier } from './passwords.ts';
import { WithCookie } from './routes/route.ts';
import { digest, withPosition } from './venue-keys.ts';

const PERSON_BYTES = 12;

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly invitation?: string | undefined;
}

/** Takes the same time whether or not the address is registered. */
export async function signUp(
  identity: Identity,
  { email, password, invitation }: SignUp,
  origin: Origin,
): Promise<object> {
  await checkInvited(identity, email, invitation);
  checkStrength(password, email, false);
  const verifier = await makeVerifier(password, origin.ip);
  const known = await identity.findPerson({ login: identity.keys.loginOf(email) });
  const until = identity.now + DAY_MS;
  const invited = invitation === undefined ? {} : { invitation };
  const token = identity.keys.issue({ kind: 'sign-up', email, verifier, ...invited, until });
  const parts = known
    ? MAILS.alreadyRegistered(`${identity.baseUrl}/sign-in`)
    : MAILS.signUp(identity.link('verify', token));
  identity.sendRequestedMail(parts, email, origin, known?.person);
  return {};
}

/** Mails a new operator a link to set a password, or without an account one to sign up with this address only. */
export async function welcomeOperator(identity: Identity, email: string, origin: Origin): Promise<void> {
  const known = await identity.findPerson({ login: identity.keys.loginOf(email) });
  if (known) {
    const { id: person, version } = known.person;
    const token = identity.keys.issue({ kind: 'reset', person, version, until: identity.now + DAY_MS });
    identity.sendMail(MAILS.operator(identity.link('reset', token)), email, origin, known.person);
  } else if (identity.settings.signUp !== 'closed') {
    const link = `${identity.baseUrl}/sign-up?invitation=${identity.invite({ email })}`;
    identity.sendMail(MAILS.invitedOperator(link), email, origin);
  }
}

async function checkInvited(
  identity: Identity,
  email: string,
  invitation: string | undefined,
): Promise<void> {
  const { signUp: policy } = identity.settings;
  if (policy === 'closed') throw identityRefusal('closed', 'Sign-up is closed.');
  if (policy === 'open' && invitation === undefined) return;
  const token = invitation === undefined ? null : identity.keys.read('invitation', invitation, identity.now);
  const isUsed = await identity.services.port.read(({ reference: { people } }) =>
    people.isSpent(digest(invitation ?? ''), identity.now),
  );
  if (token && !isUsed && (token.email === undefined || token.email === email)) return;
  throw identityRefusal('invitation', 'Sign-up needs an unused invitation for this address.');
}

export async function verify(identity: Identity, text: string, origin: Origin): Promise<WithCookie> {
  const token = identity.keys.read('sign-up', text, identity.now);
  if (!token) throw wrongToken();
  const { email, verifier, invitation, until } = token;
  const spends = [{ id: digest(text), until }];
  if (invitation !== undefined) spends.push(invitationSpent(identity, invitation));
  const isSpent = await identity.services.port.read(({ reference: { people } }) =>
    spends.some(({ id }) => people.isSpent(id, identity.now)),
  );
  if (isSpent) throw wrongToken();
  const person = `p-${randomBytes(PERSON_BYTES).toString('hex')}`;
  const box = await identity.keyring.add(person);
  const [name = ''] = email.split('@');
  const outcome = await identity.attempt({
    kind: 'add-person',
    person,
    login: identity.keys.loginOf(email),
    profile: box.seal('profile', JSON.stringify({ email, name })),
    verifier: box.seal('verifier', verifier),
    spends,
    from: identity.from(box, origin),
  });
  if (outcome.kind === 'rejected') {
    await identity.keyring.remove(person);
    throw wrongToken();
  }
  const open = (await identity.findPerson({ id: person })) as OpenPerson;
  return openSession(identity, open, { version: open.person.version }, origin);
}

/** A sign-up that began before the invitation expired can be verified for another day, so it stays spent that long. */
function invitationSpent(identity: Identity, invitation: string): { id: string; until: number } {
  const token = identity.keys.read('invitation', invitation, identity.now - DAY_MS);
  if (!token) throw wrongToken();
  return { id: digest(invitation), until: token.until + DAY_MS };
}

export interface SignIn extends GivenFactors {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

export function signIn(identity: Identity, body: SignIn, origin: Origin): Promise<WithCookie> {
  const { email, password, passkey } = body;
  if (email !== undefined && password !== undefined) {
    return signInWithPassword(identity, email, password, body, origin);
  }
  const isAlone = email === undefined && password === undefined && body.totp === undefined;
  if (passkey !== undefined && isAlone) return signInWithPasskey(identity, passkey, origin);
  throw identityRefusal('field-missing', 'Send email and password, or a passkey alone.');
}

async function signInWithPassword(
  identity: Identity,
  email: string,
  password: string,
  factors: GivenFactors,
  origin: Origin,
): Promise<WithCookie> {
  const login = identity.keys.loginOf(email);
  const open = await identity.findPerson({ login });
  const attempt = identity.slowDown.begin(attemptCounters(login, open, origin));
  return countAttempt(identity, attempt, open, origin, async () => {
    const verifier = open?.box.open('verifier', open.person.verifier);
    const isRight = await checkPassword(password, verifier, origin.ip);
    if (!open || !isRight) throw wrongCredentials();
    return openSession(identity, open, await proveFactor(identity, open, factors), origin);
  });
}

/** Failures count per person (separately for each address it has signed in from) and per network address. */
export function attemptCounters(login: string, open: OpenPerson | undefined, { ip }: Origin): string[] {
  const isKnown = open?.person.knownAddresses.includes(open.box.addressOf(ip)) ?? false;
  const network = networkOf(ip);
  return [isKnown ? `person ${login} at ${network}` : `person ${login}`, `address ${network}`];
}

/** Counts wrong credentials and wrong factors as failures. Other errors (busy, frozen) are neither failure nor success. */
export async function countAttempt<T>(
  identity: Pick<Identity, 'failures' | 'now'>,
  attempt: Attempt,
  open: OpenPerson | undefined,
  origin: Origin,
  action: () => Promise<T>,
): Promise<T> {
  let result: Parameters<Attempt['end']>[0] = 'nothing';
  try {
    const made = await action();
    result = 'right';
    return made;
  } catch (error) {
    const isWrong = error instanceof Refusal && ['credentials', 'second-factor'].includes(error.error);
    if (isWrong) result = 'wrong';
    if (isWrong && open) identity.failures.note(open.person.id, identity.now, origin);
    throw error;
  } finally {
    attempt.end(result);
  }
}

async function signInWithPasskey(
  identity: Identity,
  passkey: PasskeyResponse,
  origin: Origin,
): Promise<WithCookie> {
  const open = await identity.findPerson({ id: personOfPasskey(passkey) });
  if (!open) throw wrongCredentials();
  const proof = await proveFactor(identity, open, { passkey }).catch(() => {
    identity.failures.note(open.person.id, identity.now, origin);
    throw wrongCredentials();
  });
  return openSession(identity, open, proof, origin);
}

export async function openSession(
  identity: Identity,
  { person, box, profile }: OpenPerson,
  proof: Proof,
  origin: Origin,
): Promise<WithCookie> {
  const { id, token, tokenHash } = identity.makeSession();
  const created = identity.now;
  const operator = await identity.services.port.read(({ reference }) =>
    reference.operators.ofLogin(person.login),
  );
  const { sessionMaxMs } = identity.settings;
  const expires = created + (operator ? Math.min(sessionMaxMs, OPERATOR_SESSION_MS) : sessionMaxMs);
  const { key, shown } = identity.makeKey(expires);
  const address = box.addressOf(origin.ip);
  const isNew = person.knownAddresses.length > 0 && !person.knownAddresses.includes(address);
  const from = identity.from(box, origin);
  const outcome = await identity.attempt({
    kind: 'open-session',
    person: person.id,
    session: id,
    token: tokenHash,
    expires,
    key,
    address,
    proof,
    from,
  });
  if (outcome.kind === 'rejected') {
    const { rejection } = outcome;
    if (rejection.code === 'proof-spent' && rejection.of !== 'credentials') throw wrongFactor([]);
    throw identity.refusal(rejection);
  }
  identity.services.sessionKeys.begin(id);
  if (isNew) identity.sendMail(MAILS.changed('a sign-in from a new address'), profile.email, origin, person);
  const session = { id, created, expires, device: origin.device, address: origin.ip };
  const sessionToken = withPosition(token, identity.services.position);
  return new WithCookie({ session, sessionToken, key: shown }, sessionToken);
}
