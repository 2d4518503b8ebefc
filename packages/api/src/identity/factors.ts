/** Second factors: which ones a person has, and whether a given one is valid. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Proof } from '@bourse/core';
import { base32nopad } from '@scure/base';
import { identityRefusal, type IdentityRefusal, wrongFactor } from './identity-errors.ts';
import type { Identity, OpenPerson } from './identity.ts';
import { checkAssertion, type PasskeyResponse } from './passkeys.ts';

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
