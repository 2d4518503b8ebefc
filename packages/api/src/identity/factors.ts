/** Second factors: which ones a person has, and whether a given one is valid. */

import type { Proof } from '@bourse/core';
import { base32nopad } from '@scure/base';
import { identityRefusal, type IdentityRefusal, wrongFactor } from './identity-errors.ts';
import type { Identity, OpenPerson } from './identity.ts';
import { checkAssertion, type PasskeyResponse } from './passkeys.ts';
import { stepOf } from './totp.ts';

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
