/** Second factors: which ones a person has, whether a given one is valid, one-time passwords, and passkeys. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Proof } from '@bourse/core';
import { base32nopad } from '@scure/base';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { identityRefusal, type IdentityRefusal, wrongFactor } from './identity-errors.ts';
import type { Identity, OpenPerson } from './identity.ts';
import { CHALLENGE_MS, digest } from './venue-keys.ts';

export interface GivenFactors {
  readonly totp?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly passkey?: PasskeyResponse | undefined;
}

export function factorsOf({ person }: OpenPerson): string[] {
  return [...(person.totp === '' ? [] : ['totp']), ...(person.passkeys.length === 0 ? [] : ['passkey'])];
}

/** Throws unless a given factor is valid, or the person has none. The core consumes it. */
export async function proveFactor(identity: Identity, open: OpenPerson, given: GivenFactors): Promise<Proof> {
  const { person } = open;
  const factors = factorsOf(open);
  const base = { version: person.version };
  if (given.passkey !== undefined) {
    const proof = await checkAssertion(identity, open, given.passkey);
    if (proof === null) throw wrongFactor(factors);
    return { ...base, ...proof };
  }
  if (factors.length === 0) return base;
  if (given.totp !== undefined && person.totp !== '') {
    const step = stepOf(secretOf(open), given.totp, identity.now, person.totpStep);
    if (step === null) throw wrongFactor(factors);
    return { ...base, totpStep: step };
  }
  if (given.recoveryCode !== undefined) {
    const recoveryCode = identity.keys.recoveryCode(normaliseCode(given.recoveryCode));
    if (!person.recoveryCodes.includes(recoveryCode)) throw wrongFactor(factors);
    return { ...base, recoveryCode };
  }
  throw wrongFactor(factors);
}

export const secretOf = ({ person, box }: OpenPerson): Buffer =>
  Buffer.from(base32nopad.decode(box.open('totp', person.totp)));

export const normaliseCode = (code: string): string => code.toLowerCase().replaceAll(/[^0-9a-z]/g, '');

export const stepUpNeeded = (open: OpenPerson): IdentityRefusal => {
  const factors = factorsOf(open);
  return identityRefusal(
    'step-up',
    'This needs a second factor from the last 5 minutes. Send one to POST /step-up first.',
    {
      fields: { factors: factors.length === 0 ? ['password'] : factors },
    },
  );
};

const STEP_MS = 30_000;
const DIGITS = 6;
/** Accepted steps before and after the current one. */
const DRIFT = 1;

/** Time-based one-time passwords: RFC 6238 with SHA-1, 6 digits, 30 seconds, as authenticator apps have them. */
export const stepAt = (time: number): number => Math.floor(time / STEP_MS);

/** RFC 4226 with the step as the counter. */
export function totpCode(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash[hash.length - 1] & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step of the code; null if it matches no accepted step after `usedStep`. */
export function stepOf(secret: Buffer, code: string, time: number, usedStep: number): number | null {
  const now = stepAt(time);
  const given = Buffer.from(code.padEnd(DIGITS));
  let found: number | null = null;
  for (let step = now - DRIFT; step <= now + DRIFT; step++) {
    const wanted = Buffer.from(totpCode(secret, step));
    if (given.length === wanted.length && timingSafeEqual(given, wanted) && step > usedStep) found ??= step;
  }
  return found;
}

export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
}

// Passkeys: WebAuthn without attestation, with user verification. Challenges are signed, not stored; each works once.

export type PasskeyResponse = Readonly<Record<string, unknown>>;

/** Loaded with the first passkey, so that the start does not wait for it. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];
const SIGN_IN = 'sign-in';
const NAME = 'Bourse';

const rpIdOf = ({ settings: { publicUrl } }: Identity): string =>
  publicUrl === '' ? 'localhost' : new URL(publicUrl).hostname;

/**
 * The browser reports the page's origin, and offers a passkey only to pages of the name that it was created for or of one
 * below it. Without `publicUrl`, any port of localhost is accepted.
 */
function isOwnOrigin({ settings: { publicUrl, operatorPublicUrl } }: Identity, origin: string): boolean {
  if (publicUrl !== '') {
    return [publicUrl, operatorPublicUrl].some((url) => url !== '' && origin === new URL(url).origin);
  }
  return /^https?:\/\/localhost(:\d+)?$/.test(origin);
}

export async function requestOptions(identity: Identity): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  const challenge = identity.keys.challenge(SIGN_IN, identity.now);
  return generateAuthenticationOptions({
    rpID: rpIdOf(identity),
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: [],
  });
}

export async function registrationOptions(
  identity: Identity,
  { person, profile }: OpenPerson,
  session: string,
): Promise<object> {
  const { generateRegistrationOptions } = await library();
  const challenge = identity.keys.challenge(session, identity.now);
  return generateRegistrationOptions({
    supportedAlgorithmIDs: ALGORITHMS,
    rpName: NAME,
    rpID: rpIdOf(identity),
    userID: Buffer.from(person.id),
    userName: profile.email,
    userDisplayName: profile.name,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: person.passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
}

interface Registered {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly spends: NonNullable<Proof['spends']>;
}

export async function checkRegistration(
  identity: Identity,
  response: PasskeyResponse,
  session: string,
): Promise<Registered> {
  const client = clientData(response);
  const until = client && identity.keys.challengeUntil(session, client.challenge, identity.now);
  if (!client || until === null || !isOwnOrigin(identity, client.origin)) throw wrongPasskey();
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    supportedAlgorithmIDs: ALGORITHMS,
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: client.challenge,
    expectedOrigin: client.origin,
    expectedRPID: rpIdOf(identity),
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) throw wrongPasskey();
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const spends = [{ id: digest(client.challenge), until }];
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, spends };
}

/** The person named by the passkey's user handle; '' without one. */
export function personOfPasskey(response: PasskeyResponse): string {
  const { userHandle } = (response['response'] ?? {}) as { userHandle?: unknown };
  return typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString('utf8') : '';
}

/** Returns null if the assertion is not valid. */
async function checkAssertion(
  identity: Identity,
  { person }: OpenPerson,
  response: PasskeyResponse,
): Promise<Pick<Proof, 'passkey' | 'spends'> | null> {
  const client = clientData(response);
  const known = person.passkeys.find(({ id }) => id === response['id']);
  const until = client && identity.keys.challengeUntil(SIGN_IN, client.challenge, identity.now);
  if (!client || !known || until === null || !isOwnOrigin(identity, client.origin)) return null;
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: client.challenge,
    expectedOrigin: client.origin,
    expectedRPID: rpIdOf(identity),
    requireUserVerification: true,
    // Synced passkeys always report 0, so the counter cannot reveal copies: it is stored, but not checked.
    credential: {
      id: known.id,
      publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
      counter: 0,
    },
  }).catch(() => null);
  if (!verified?.verified) return null;
  const counter = verified.authenticationInfo.newCounter;
  return { passkey: { id: known.id, counter }, spends: [{ id: digest(client.challenge), until }] };
}

const wrongPasskey = (): IdentityRefusal =>
  identityRefusal(
    'passkey',
    'The passkey’s response does not match a challenge of this session. Start again.',
  );

function clientData(
  response: PasskeyResponse,
): { readonly challenge: string; readonly origin: string } | null {
  const { clientDataJSON } = (response['response'] ?? {}) as { clientDataJSON?: unknown };
  if (typeof clientDataJSON !== 'string') return null;
  try {
    const client = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >;
    const { challenge, origin } = client;
    return typeof challenge === 'string' && typeof origin === 'string' ? { challenge, origin } : null;
  } catch {
    return null;
  }
}
