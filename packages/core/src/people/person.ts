/** The state of a person and of a session. Sealed texts are opaque here. */

import type { PasskeyTerms } from '../commands/identity-commands.ts';

/** A step-up with a second factor is valid for this long. */
export const STEP_UP_MS = 5 * 60_000;
/** Never ends. */
export const FOREVER: number = Number.MAX_SAFE_INTEGER;

export type ActivityKind =
  | 'sign-up'
  | 'sign-in'
  | 'sign-out'
  | 'sessions-ended'
  | 'step-up'
  | 'password-changed'
  | 'email-changed'
  | 'totp-on'
  | 'totp-off'
  | 'recovery-codes'
  | 'passkey-added'
  | 'passkey-removed'
  | 'locked'
  | 'frozen'
  | 'address-added'
  | 'address-removed'
  | 'addresses-only'
  | 'key-added'
  | 'key-changed'
  | 'key-removed'
  | 'withdrawal';

export interface Activity {
  readonly time: number;
  readonly kind: ActivityKind;
  /** '' for none. */
  readonly session: string;
  /** Sealed; '' if unknown. */
  readonly from: string;
}

export interface Passkey extends PasskeyTerms {
  readonly createdAt: number;
}

export interface BookAddress {
  readonly id: string;
  readonly currency: number;
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
  readonly label: string;
  readonly createdAt: number;
  readonly usableFrom: number;
}

export interface Person {
  readonly id: string;
  readonly user: number;
  readonly login: string;
  readonly profile: string;
  readonly verifier: string;
  /** Counts changes of credentials. */
  readonly version: number;
  /** Sealed; '' without TOTP. */
  readonly totp: string;
  /** The latest used step. */
  readonly totpStep: number;
  readonly recoveryCodes: readonly string[];
  readonly passkeys: readonly Passkey[];
  readonly book: readonly BookAddress[];
  /** Withdrawals may only go to the book's addresses until then; 0: no restriction. */
  readonly onlyUntil: number;
  readonly lockedUntil: number;
  readonly withdrawalsLockedUntil: number;
  readonly frozenAt: number;
  readonly createdAt: number;
  /** Keyed hashes of network addresses that signed in, latest last. */
  readonly knownAddresses: readonly string[];
  /** Oldest first. */
  readonly activity: readonly Activity[];
}

export interface Session {
  readonly id: string;
  readonly person: string;
  readonly token: string;
  readonly createdAt: number;
  readonly expires: number;
  readonly steppedUpAt: number;
  /** The name of its signing key. */
  readonly key: string;
  readonly from: string;
}
