/**
 * Shared by all calls of the identity API. The core decides about rights, by commands in the log. This class does the rest:
 * it verifies passwords and codes, encrypts personal data, sends mail, and delays failed sign-ins.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Command,
  DAY_MS,
  type Outcome,
  type Permission,
  type Person,
  type Rejection,
  type Session,
  type SigningKey,
} from '@bourse/core';
import { OPERATOR, type Sender, submit } from '@bourse/engine';
import { permissionNames } from '../gateway/access/keys.ts';
import { explain } from '../gateway/errors/explain.ts';
import type { Services } from '../gateway/services.ts';
import { Failures, type Origin, SlowDown } from './slow-down.ts';
import {
  identityRefusal,
  type IdentityRefusal,
  noSession,
  wrongCredentials,
  wrongFactor,
} from './identity-errors.ts';
import { type Keyring, PersonBox } from './keyring.ts';
import { compose, type Mail, MailBudget, type MailParts, type MailSender } from './mail/mail.ts';
import { digest, KEY_BYTES as SEAL_KEY_BYTES, type VenueKeys } from './venue-keys.ts';

/** How long the link that freezes an account works. */
const FREEZE_LINK_MS = 7 * DAY_MS;
const INVITATION_MS = 7 * DAY_MS;
const KEY_BYTES = 12;
const TOKEN_BYTES = 32;
const SIGNING_PERMISSIONS: readonly Permission[] = ['general', 'spot', 'flex-transfers', 'withdrawal'];

export interface IdentitySettings {
  readonly signUp: 'open' | 'invite' | 'closed';
  readonly sessionMaxMs: number;
  readonly addressDelayMs: number;
  /** '' if there is none. */
  readonly publicUrl: string;
  /** Of the operators' listener; '' if there is none. */
  readonly operatorPublicUrl: string;
  readonly isSandbox: boolean;
}

export interface IdentityParts {
  readonly services: Services;
  readonly keys: VenueKeys;
  readonly keyring: Keyring;
  readonly mail: MailSender;
  readonly settings: IdentitySettings;
  /** The base of links in mails; known once the exchange listens. */
  readonly home: { readonly baseUrl: string };
}

export interface Profile {
  readonly email: string;
  readonly name: string;
}

/**
 * Traffic that a node reports to the others: `used` session, `right` or `wrong` names, `failed` person time address
 * device, `mailed` login or person.
 */
export type TrafficRow = readonly [kind: string, ...texts: string[]];

/** A person with the key of its sealed data. */
export interface OpenPerson {
  readonly person: Person;
  readonly box: PersonBox;
  readonly profile: Profile;
}

/** A dummy profile of typical length, to be decrypted for unknown people. */
function sealNobody(): { readonly box: PersonBox; readonly profile: string } {
  const box = new PersonBox(randomBytes(SEAL_KEY_BYTES));
  return {
    box,
    profile: box.seal('profile', JSON.stringify({ email: 'nobody@example.test', name: 'Nobody' })),
  };
}

export class Identity {
  readonly services: Services;
  readonly keys: VenueKeys;
  readonly keyring: Keyring;
  readonly settings: IdentitySettings;
  readonly slowDown: SlowDown;
  readonly failures = new Failures();
  readonly #mail: MailSender;
  readonly #asked: MailBudget;
  readonly #home: IdentityParts['home'];
  readonly #nobody = sealNobody();
  #cancelSweep: (() => void) | undefined;
  #sweepAt = Infinity;
  #unsubscribe: (() => void) | undefined;

  constructor({ services, keys, keyring, mail, settings, home }: IdentityParts) {
    this.services = services;
    this.keys = keys;
    this.keyring = keyring;
    this.settings = settings;
    this.#mail = mail;
    this.#home = home;
    this.slowDown = new SlowDown(() => this.now);
    this.#asked = new MailBudget(() => this.now);
    // Reading `events` would build an object for every balance that an order changes: half of what an order allocates.
    this.#unsubscribe = services.port.subscribe(({ marketEvents }) => {
      for (const event of marketEvents) {
        if (event.kind === 'key-set' && event.expires !== undefined) this.#armFor(event.expires);
        // Sessions of a new operator may have to end now.
        if (event.kind === 'operators-changed') this.#armFor(this.now);
        if (event.kind !== 'person-changed') continue;
        if (event.what === 'closed') this.#erase(event.person);
        // Prefetch: loading the key at the first sign-in would reveal by timing who has an account.
        if (event.what === 'sign-up') void this.keyring.find(event.person).catch(() => undefined);
      }
    });
    this.#sweep();
  }

  get now(): number {
    return this.services.clock.now();
  }

  async close(): Promise<void> {
    this.#cancelSweep?.();
    this.#unsubscribe?.();
    await this.#mail.close();
  }

  /** Called for traffic at this node that is not in the log, to be reported to the other nodes. */
  onRow(listener: (row: TrafficRow) => void): void {
    this.services.sessionKeys.onUsed((session) => listener(['used', session]));
    this.slowDown.onEnded((names, isRight) => listener([isRight ? 'right' : 'wrong', ...names]));
    this.failures.onNoted((person, time, { ip, device }) =>
      listener(['failed', person, String(time), ip, device]),
    );
    this.#asked.onSpent((login) => listener(['mailed', login]));
  }

  noteRow([kind, ...texts]: TrafficRow): void {
    const [first = '', time = '', ip = '', device = ''] = texts;
    if (kind === 'used') this.services.sessionKeys.noteUsed(first);
    if (kind === 'right' || kind === 'wrong') this.slowDown.noteEnded(texts, kind === 'right');
    if (kind === 'failed') this.failures.add(first, Number(time), { ip, device });
    if (kind === 'mailed') this.#asked.note(first);
  }

  /** undefined if there is none. */
  async findPerson(
    query: { readonly login: string } | { readonly id: string },
  ): Promise<OpenPerson | undefined> {
    const found = await this.services.port.read(({ reference: { people } }) =>
      'login' in query ? people.ofLogin(query.login) : people.get(query.id),
    );
    if (found) return this.openPerson(found);
    // Do the same work for an unknown person, so that the response time does not reveal who has an account.
    JSON.parse(this.#nobody.box.open('profile', this.#nobody.profile));
    return undefined;
  }

  /** undefined if the person was erased meanwhile. */
  async openPerson(person: Person): Promise<OpenPerson | undefined> {
    const box = await this.keyring.find(person.id);
    return box
      ? { person, box, profile: JSON.parse(box.open('profile', person.profile)) as Profile }
      : undefined;
  }

  /** Returns the outcome; throws for a rejection. */
  async act(command: Command, sender: Sender = OPERATOR): Promise<Outcome> {
    const outcome = await this.attempt(command, sender);
    if (outcome.kind === 'rejected') throw this.refusal(outcome.rejection);
    return outcome;
  }

  async attempt(command: Command, sender: Sender = OPERATOR): Promise<Outcome> {
    const { outcome } = await submit(this.services.port, command, sender);
    return outcome;
  }

  refusal(rejection: Rejection): IdentityRefusal {
    const { detail, message } = explain(rejection, this.services.catalogue);
    const text = detail || message;
    switch (rejection.code) {
      case 'person-locked':
        return identityRefusal('locked', text, { fields: { until: rejection.until } });
      case 'session-unknown':
        return noSession();
      case 'person-unknown':
        return wrongCredentials();
      case 'proof-spent':
        return rejection.of === 'credentials' ? wrongCredentials() : wrongFactor([]);
      case 'person-not-empty':
        return identityRefusal('not-empty', text);
      case 'user-frozen':
        return frozen();
      case 'address-not-listed':
        return identityRefusal('unknown', 'Unknown address. GET /addresses lists yours.');
      case 'key-unknown':
        return identityRefusal('unknown', 'Unknown API key. GET /keys lists yours.');
      case 'currency-unknown':
      case 'chain-unknown':
        return identityRefusal('unknown', text);
      case 'code-taken':
      case 'person-taken':
        return identityRefusal('taken', text);
      default:
        return identityRefusal(rejection.code, text);
    }
  }

  /** Sealed for the person's list of activity. */
  from(box: PersonBox, { ip, device }: Origin): string {
    return box.seal('from', JSON.stringify({ address: ip, device }));
  }

  readFrom(box: PersonBox, sealed: string): { readonly address: string; readonly device: string } {
    if (sealed === '') return { address: '', device: '' };
    return JSON.parse(box.open('from', sealed)) as { address: string; device: string };
  }

  link(page: 'verify' | 'reset' | 'email' | 'freeze', token: string): string {
    return `${this.#home.baseUrl}/${page}?token=${token}`;
  }

  get baseUrl(): string {
    return this.#home.baseUrl;
  }

  /** A notice of what was done. */
  sendMail(parts: MailParts, to: string, origin: Origin, person?: Person): void {
    const mail = this.#compose(parts, to, origin, person);
    this.services.clock.soon(() => this.#mail.send(mail, false));
  }

  /**
   * A mail that anybody can trigger: not sent beyond the hourly limit, or if nobody should get it. The work is the same, and
   * the mail is sent after the response, so that the response time does not reveal who has an account.
   */
  sendRequestedMail(parts: MailParts, to: string, origin: Origin, person?: Person, isWanted = true): void {
    const mail = this.#compose(parts, to, origin, person);
    // Unsent mails are not counted: they cost nothing, and many of them would evict other counts.
    const isSent = isWanted && this.#asked.spend(this.keys.loginOf(to));
    if (isSent) this.services.clock.soon(() => this.#mail.send(mail, true));
  }

  /** Throws if the person has requested too many mails to addresses of others within the hour. */
  spendMail({ id }: Person): void {
    if (this.#asked.spend(id)) return;
    const seconds = Math.ceil(this.#asked.waitMs(id) / 1000);
    throw identityRefusal('slow-down', `Too many mails to new addresses. Try again in ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }

  #compose(parts: MailParts, to: string, { ip, device }: Origin, person?: Person): Mail {
    const time = this.now;
    const login = this.keys.loginOf(to.toLowerCase());
    const until = time + FREEZE_LINK_MS;
    const token = { kind: 'freeze', login, at: time, until, ...(person && { person: person.id }) } as const;
    const freezeLink = this.link('freeze', this.keys.issue(token));
    return compose(parts, { to, device, address: ip, freezeLink, time });
  }

  /** Returns an invitation for an operator to pass on. */
  invite({ email, expires }: { readonly email?: string; readonly expires?: number }): string {
    const until = Math.min(expires ?? Infinity, this.now + INVITATION_MS);
    const only = email === undefined ? {} : { email: email.trim().normalize('NFC').toLowerCase() };
    return this.keys.issue({ kind: 'invitation', ...only, until });
  }

  /** A session's signing key, as logged and as returned to its owner. */
  makeKey(expires: number): { readonly key: SigningKey; readonly shown: object } {
    const apiKey = randomBytes(KEY_BYTES).toString('hex');
    const apiSecret = randomUUID();
    const apiPassphrase = randomBytes(KEY_BYTES).toString('base64url');
    const secret = this.services.secrets.seal(apiSecret, apiPassphrase);
    return {
      key: { key: apiKey, secret, permissions: SIGNING_PERMISSIONS },
      shown: { apiKey, apiSecret, apiPassphrase, permissions: permissionNames(SIGNING_PERMISSIONS), expires },
    };
  }

  makeSession(): { readonly id: string; readonly token: string; readonly tokenHash: string } {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    return { id: `s-${randomBytes(KEY_BYTES).toString('hex')}`, token, tokenHash: digest(token) };
  }

  showSession(box: PersonBox, { id, createdAt, expires, from }: Session): object {
    const { device, address } = this.readFrom(box, from);
    return { id, created: createdAt, expires, device, address };
  }

  #armFor(time: number): void {
    const { sessionKeys, clock } = this.services;
    const idleEnd = clock.now() + sessionKeys.idleMsMin;
    const at = Math.min(time, idleEnd);
    if (at >= this.#sweepAt) return;
    this.#cancelSweep?.();
    this.#sweepAt = at;
    this.#cancelSweep = clock.after(Math.max(1000, at - clock.now()), () => this.#sweep());
  }

  /** Ends expired sessions and keys in the log, which closes their feeds and order entry. */
  #sweep(): void {
    this.#sweepAt = Infinity;
    this.#cancelSweep = undefined;
    const { sessionKeys } = this.services;
    sessionKeys.forgetIdle();
    let next = Infinity;
    for (const { key, end } of sessionKeys.ending()) {
      if (end > this.now) next = Math.min(next, end);
      else void this.#end(key.key, key.session).catch(() => this.#armFor(this.now + 1000));
    }
    if (next < Infinity) this.#armFor(next);
  }

  /** Runs at every node: the one that closed the account may have crashed before it erased the key. */
  #erase(person: string): void {
    this.failures.forget(person);
    void this.keyring.remove(person).catch(() => undefined);
  }

  async #end(key: string, session: string | undefined): Promise<void> {
    if (session === undefined) {
      await this.attempt({ kind: 'remove-key', key });
      return;
    }
    const open = await this.services.port.read(({ reference: { people } }) => people.session(session));
    if (open) await this.attempt({ kind: 'end-sessions', person: open.person, session });
    this.services.sessionKeys.forget(session);
  }
}

export const frozen = (): IdentityRefusal =>
  identityRefusal('frozen', 'The account is frozen. Ask the operator to lift it.');
