/**
 * Commands about people: sign-in, credentials, sessions. The gateway verifies passwords, codes and assertions; the core
 * decides what works only once and what is locked. Fields called `sealed` are encrypted with a per-person key that is in
 * no log: the core stores them and never decrypts them.
 */

import type { Audited, Permission } from './reference-commands.ts';

/** A token or challenge that works once, until a time. */
export interface Spent {
  readonly id: string;
  /** Milliseconds. At most 8 days after the record's time. */
  readonly until: number;
}

/** The proof that a sign-in, step-up or change consumes. */
export interface Proof {
  /** The person's `version` when the gateway verified the proof: a credential changed since then proves nothing. */
  readonly version: number;
  /** For a TOTP code: must be later than any step used before. */
  readonly totpStep?: number;
  /** The keyed hash of a recovery code. */
  readonly recoveryCode?: string;
  readonly spends?: readonly Spent[];
  /** The passkey that signed, with its signature counter. */
  readonly passkey?: { readonly id: string; readonly counter: number };
}

/** Done by, or for, one person. */
interface OfPerson extends Audited {
  readonly person: string;
  /** Sealed: the device and network address it came from. */
  readonly from?: string;
}

interface InSession extends OfPerson {
  /** It must not have ended. */
  readonly session: string;
}

/** The key that pages sign requests with; it ends with its session. `secret` is opaque here. */
export interface SigningKey {
  readonly key: string;
  readonly secret: string;
  readonly permissions: readonly Permission[];
}

/** Adds a person and its master user, whose name is the person's id. */
export interface AddPerson extends OfPerson {
  readonly kind: 'add-person';
  /** Keyed hash of the normalised e-mail address, unique among people. */
  readonly login: string;
  /** Sealed: e-mail address and name. */
  readonly profile: string;
  /** Sealed: the password's hash. */
  readonly verifier: string;
  readonly spends: readonly Spent[];
}

export interface OpenSession extends InSession {
  readonly kind: 'open-session';
  /** SHA-256 of the session token. */
  readonly token: string;
  /** Milliseconds. */
  readonly expires: number;
  readonly key: SigningKey;
  /** Keyed hash of the network address. */
  readonly address: string;
  readonly proof: Proof;
}

/** Replaces the signing key of a session. */
export interface SetSessionKey extends InSession {
  readonly kind: 'set-session-key';
  readonly key: SigningKey;
}

/** Ends one session, all but one, or, with neither field, all. Accepted even if there is none left to end. */
export interface EndSessions extends OfPerson {
  readonly kind: 'end-sessions';
  readonly session?: string;
  readonly except?: string;
}

export interface StepUp extends InSession {
  readonly kind: 'step-up';
  readonly proof: Proof;
}

export interface PasskeyTerms {
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  /** Sealed. */
  readonly name: string;
}

/**
 * Changes credentials; omitted fields stay. A new password ends all sessions but the one it was changed in. A new password
 * or address, and the removal of a factor, lock withdrawals for 24 hours.
 */
export interface ChangePerson extends OfPerson {
  readonly kind: 'change-person';
  /** Omitted if the change is authorised by a token from a mail. */
  readonly session?: string;
  readonly proof: Proof;
  readonly login?: string;
  readonly profile?: string;
  readonly verifier?: string;
  /** Sealed secret; null turns TOTP off and invalidates the recovery codes. */
  readonly totp?: string | null;
  /** The step of the code that confirmed the new secret. */
  readonly totpStep?: number;
  /** Keyed hashes. */
  readonly recoveryCodes?: readonly string[];
  readonly addPasskey?: PasskeyTerms;
  readonly removePasskey?: string;
}

/** Until then, credentials, keys and addresses cannot be changed. A lock can only be extended. */
export interface LockPerson extends InSession {
  readonly kind: 'lock-person';
  readonly until: number;
}

/** Adds an entry to the address book, usable for withdrawals after a delay. */
export interface AddBookAddress extends InSession {
  readonly kind: 'add-book-address';
  readonly id: string;
  readonly currency: number;
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
  /** Sealed. */
  readonly label: string;
  readonly delayMs: number;
}

export interface RemoveBookAddress extends InSession {
  readonly kind: 'remove-book-address';
  readonly id: string;
}

/** Whether withdrawals may only go to usable addresses of the book. Turning it off takes effect after 24 hours. */
export interface RestrictAddresses extends InSession {
  readonly kind: 'restrict-addresses';
  readonly on: boolean;
}

/**
 * Ends all sessions and keys of the person, freezes its user, and cancels orders and unclaimed withdrawals, including
 * those of sub-accounts.
 */
export interface FreezePerson extends OfPerson {
  readonly kind: 'freeze-person';
  /** When the mail was sent: a mail from before an earlier freeze has no effect. */
  readonly since: number;
}

/** Removes the person of an empty account. Its user stays, frozen. */
export interface ClosePerson extends InSession {
  readonly kind: 'close-person';
}

export type IdentityCommand =
  | AddPerson
  | OpenSession
  | SetSessionKey
  | EndSessions
  | StepUp
  | ChangePerson
  | LockPerson
  | AddBookAddress
  | RemoveBookAddress
  | RestrictAddresses
  | FreezePerson
  | ClosePerson;
