/** Passkeys: WebAuthn without attestation, with user verification. Challenges are signed, not stored; each works once. */

import type { Proof } from '@bourse/core';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { identityRefusal, type IdentityRefusal } from './identity-errors.ts';
import type { Identity, OpenPerson } from './identity.ts';
import { CHALLENGE_MS, digest } from './venue-keys.ts';

export type PasskeyResponse = Readonly<Record<string, unknown>>;

/** Loaded with the first passkey, so that the start does not wait for it. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];
const SIGN_IN = 'sign-in';
const NAME = 'Bourse';

const rpIdOf = ({ settings: { publicUrl } }: Identity): string =>
  publicUrl === '' ? 'localhost' : new URL(publicUrl).hostname;

/** The browser reports the page's origin. Without `publicUrl`, any port of localhost is accepted. */
function isOwnOrigin({ settings: { publicUrl } }: Identity, origin: string): boolean {
  if (publicUrl !== '') return origin === new URL(publicUrl).origin;
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
  const said = clientData(response);
  const until = said && identity.keys.challengeUntil(session, said.challenge, identity.now);
  if (!said || until === null || !isOwnOrigin(identity, said.origin)) throw wrongPasskey();
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    supportedAlgorithmIDs: ALGORITHMS,
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: said.challenge,
    expectedOrigin: said.origin,
    expectedRPID: rpIdOf(identity),
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) throw wrongPasskey();
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const spends = [{ id: digest(said.challenge), until }];
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, spends };
}

/** The person named by the passkey's user handle; '' without one. */
export function personOfPasskey(response: PasskeyResponse): string {
  const { userHandle } = (response['response'] ?? {}) as { userHandle?: unknown };
  return typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString('utf8') : '';
}

/** Returns null if the assertion is not valid. */
export async function checkAssertion(
  identity: Identity,
  { person }: OpenPerson,
  response: PasskeyResponse,
): Promise<Pick<Proof, 'passkey' | 'spends'> | null> {
  const said = clientData(response);
  const known = person.passkeys.find(({ id }) => id === response['id']);
  const until = said && identity.keys.challengeUntil(SIGN_IN, said.challenge, identity.now);
  if (!said || !known || until === null || !isOwnOrigin(identity, said.origin)) return null;
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: said.challenge,
    expectedOrigin: said.origin,
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
  return { passkey: { id: known.id, counter }, spends: [{ id: digest(said.challenge), until }] };
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
    const said = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >;
    const { challenge, origin } = said;
    return typeof challenge === 'string' && typeof origin === 'string' ? { challenge, origin } : null;
  } catch {
    return null;
  }
}
