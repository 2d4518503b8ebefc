/**
 * The rules of people a second time, as simply as possible: the outcome of each command, and what it adds to
 * the person's activity. Money exists only as complete deposits, each of which a withdrawal takes out again.
 */

import type { Command, Proof } from '../../src/index.ts';

const DAY_MS = 24 * 3_600_000;

const STEP_UP_MS = 5 * 60_000;

interface ModelPerson {
  readonly user: number;
  login: string;
  version: number;
  totpStep: number;
  codes: string[];
  lockedUntil: number;
  frozenAt: number;
  withdrawalsLockedUntil: number;
  onlyUntil: number;
  passkeys: string[];
  /** The time from which each address of the book is usable. */
  readonly book: Map<string, { readonly address: string; readonly usableFrom: number }>;
  readonly sessions: Map<string, { readonly expires: number; steppedUpAt: number }>;
  /** API keys, without those of sessions. */
  readonly keys: Set<string>;
  /** Deposits that nobody has asked to withdraw, and withdrawals that are not paid. */
  available: number;
  held: number;
}

export class PeopleModel {
  readonly people = new Map<string, ModelPerson>();
  readonly #spent = new Map<string, number>();
  readonly #frozen = new Set<number>();
  readonly #names = new Set<string>();
  /** The activity added by the last command, oldest first. */
  notes: string[] = [];

  /** 'accepted', or the code of the rejection; `user`: the number that a new person got. */
  take(command: Command, time: number, user: number): string {
    this.notes = [];
    const outcome = this.#outcome(command, time, user);
    if (outcome !== 'accepted') this.notes = [];
    return outcome;
  }

  #outcome(command: Command, time: number, user: number): string {
    const { person: id = '', session = '' } = command as { person?: string; session?: string };
    const person = this.people.get(id);
    switch (command.kind) {
      case 'add-person': {
        const wrong = this.#spentOf(command.spends, time);
        if (wrong) return wrong;
        if (person || [...this.people.values()].some(({ login }) => login === command.login))
          return 'person-taken';
        // The user of a closed account stays, with its name.
        if (this.#names.has(id)) return 'code-taken';
        this.#names.add(id);
        this.#spend(command.spends);
        this.people.set(id, {
          user,
          login: command.login,
          version: 1,
          totpStep: 0,
          codes: [],
          lockedUntil: 0,
          frozenAt: 0,
          withdrawalsLockedUntil: 0,
          onlyUntil: 0,
          passkeys: [],
          book: new Map(),
          sessions: new Map(),
          keys: new Set(),
          available: 0,
          held: 0,
        });
        this.notes = ['sign-up'];
        return 'accepted';
      }
      case 'change-user':
        this.#frozen.delete(command.user);
        return 'accepted';
      case 'open-session': {
        if (!person) return 'person-unknown';
        if (this.#frozen.has(person.user)) return 'user-frozen';
        const wrong = this.#proofOf(person, command.proof, time);
        if (wrong) return wrong;
        this.#use(person, command.proof);
        for (const [each, { expires }] of person.sessions) if (expires <= time) person.sessions.delete(each);
        person.sessions.set(session, { expires: command.expires, steppedUpAt: time });
        this.notes = ['sign-in'];
        return 'accepted';
      }
      case 'end-sessions': {
        if (!person) return 'person-unknown';
        const { except } = command;
        for (const each of person.sessions.keys())
          if (command.session === undefined ? each !== except : each === command.session) {
            person.sessions.delete(each);
            this.notes = [command.session === undefined ? 'sessions-ended' : 'sign-out'];
          }
        return 'accepted';
      }
      case 'freeze-person':
        if (!person) return 'person-unknown';
        if (command.since <= person.frozenAt) return 'proof-spent';
        person.sessions.clear();
        person.keys.clear();
        person.available += person.held;
        person.held = 0;
        person.frozenAt = time;
        this.#frozen.add(person.user);
        this.notes = ['frozen'];
        return 'accepted';
      case 'change-person': {
        if (!person) return 'person-unknown';
        if (command.session !== undefined && !isOpen(person, session, time)) return 'session-unknown';
        if (time < person.lockedUntil) return 'person-locked';
        const wrong = this.#proofOf(person, command.proof, time);
        if (wrong) return wrong;
        const { login, verifier, totp, totpStep = 0, recoveryCodes, addPasskey, removePasskey } = command;
        const isTaken = [...this.people.values()].some((each) => each !== person && each.login === login);
        if (login !== undefined && isTaken) return 'person-taken';
        if (removePasskey !== undefined && !person.passkeys.includes(removePasskey)) return 'proof-spent';
        if (addPasskey && person.passkeys.includes(addPasskey.id)) return 'code-taken';
        if (addPasskey && person.passkeys.length === 10) return 'value-invalid';
        this.#use(person, command.proof);
        person.version++;
        if (login !== undefined) person.login = login;
        if (totp !== undefined) person.totpStep = totpStep;
        if (totp === null) person.codes = [];
        else if (recoveryCodes) person.codes = [...recoveryCodes];
        person.passkeys = person.passkeys.filter((each) => each !== removePasskey);
        if (addPasskey) person.passkeys.push(addPasskey.id);
        if (login !== undefined || verifier !== undefined || totp === null || removePasskey !== undefined)
          person.withdrawalsLockedUntil = Math.max(person.withdrawalsLockedUntil, time + DAY_MS);
        if (verifier !== undefined)
          for (const each of person.sessions.keys())
            if (each !== command.session) person.sessions.delete(each);
        if (verifier !== undefined) this.notes.push('password-changed');
        if (login !== undefined) this.notes.push('email-changed');
        if (totp !== undefined) this.notes.push(totp === null ? 'totp-off' : 'totp-on');
        else if (recoveryCodes) this.notes.push('recovery-codes');
        if (addPasskey) this.notes.push('passkey-added');
        if (removePasskey !== undefined) this.notes.push('passkey-removed');
        return 'accepted';
      }
      case 'report-deposit':
        this.#ofUser(command.user).available++;
        return 'accepted';
      case 'settle-withdrawal':
        this.#ofUser(user).held--;
        return 'accepted';
      case 'request-withdrawal': {
        const owner = this.#ofUser(command.user);
        if (this.#frozen.has(owner.user)) return 'user-frozen';
        const wrong = stepUpOf(owner, command.session, time);
        if (wrong) return wrong;
        if (time < owner.withdrawalsLockedUntil) return 'withdrawals-locked';
        const isListed = [...owner.book.values()].some(
          ({ address, usableFrom }) => address === command.address && usableFrom <= time,
        );
        const isBound = time < owner.lockedUntil || time < owner.onlyUntil;
        if (isBound && !isListed) return 'address-not-listed';
        if (owner.available === 0) return 'funds-insufficient';
        owner.available--;
        owner.held++;
        this.notes = ['withdrawal'];
        return 'accepted';
      }
      case 'add-key': {
        const owner = this.#ofUser(command.user);
        if (time < owner.lockedUntil) return 'person-locked';
        const wrong = stepUpOf(owner, command.session, time);
        if (wrong) return wrong;
        owner.keys.add(command.key);
        this.notes = ['key-added'];
        return 'accepted';
      }
      case 'change-key':
      case 'remove-key': {
        const owner = [...this.people.values()].find(({ keys }) => keys.has(command.key));
        if (!owner) return 'key-unknown';
        if (time < owner.lockedUntil) return 'person-locked';
        const wrong = command.kind === 'change-key' ? stepUpOf(owner, command.session, time) : null;
        if (wrong) return wrong;
        if (command.kind === 'remove-key') owner.keys.delete(command.key);
        this.notes = [command.kind === 'remove-key' ? 'key-removed' : 'key-changed'];
        return 'accepted';
      }
      default:
    }
    // The others need a session that has not ended.
    if (!person) return 'person-unknown';
    if (!isOpen(person, session, time)) return 'session-unknown';
    switch (command.kind) {
      case 'step-up': {
        const wrong = this.#proofOf(person, command.proof, time);
        if (wrong) return wrong;
        this.#use(person, command.proof);
        person.sessions.get(session)!.steppedUpAt = time;
        this.notes = ['step-up'];
        return 'accepted';
      }
      case 'set-session-key':
        return this.#frozen.has(person.user) ? 'user-frozen' : 'accepted';
      case 'lock-person':
        person.lockedUntil = Math.max(person.lockedUntil, command.until);
        this.notes = ['locked'];
        return 'accepted';
      default:
    }
    if (time < person.lockedUntil) return 'person-locked';
    switch (command.kind) {
      case 'restrict-addresses':
        person.onlyUntil = command.on ? Infinity : Math.min(person.onlyUntil, time + DAY_MS);
        this.notes = ['addresses-only'];
        return 'accepted';
      case 'add-book-address':
        if (person.book.has(command.id)) return 'code-taken';
        person.book.set(command.id, { address: command.address, usableFrom: time + command.delayMs });
        this.notes = ['address-added'];
        return 'accepted';
      case 'remove-book-address':
        if (!person.book.delete(command.id)) return 'address-not-listed';
        this.notes = ['address-removed'];
        return 'accepted';
      case 'close-person':
        if (person.available + person.held > 0) return 'person-not-empty';
        this.people.delete(id);
        this.notes = ['closed'];
        return 'accepted';
      default:
        throw new Error(`the model does not know ${command.kind}`);
    }
  }

  #ofUser(user: number): ModelPerson {
    return [...this.people.values()].find((each) => each.user === user)!;
  }

  #spentOf(spends: Proof['spends'] = [], time: number): string | null {
    const isSpent = spends.some(({ id, until }) => until < time || (this.#spent.get(id) ?? -1) >= time);
    return isSpent ? 'proof-spent' : null;
  }

  #spend(spends: Proof['spends'] = []): void {
    for (const { id, until } of spends) this.#spent.set(id, until);
  }

  #proofOf(person: ModelPerson, proof: Proof, time: number): string | null {
    const { version, totpStep = Infinity, recoveryCode, passkey, spends } = proof;
    const isStale = version !== person.version || totpStep <= person.totpStep;
    const isUnknown =
      (recoveryCode !== undefined && !person.codes.includes(recoveryCode)) ||
      (passkey !== undefined && !person.passkeys.includes(passkey.id));
    return isStale || isUnknown ? 'proof-spent' : this.#spentOf(spends, time);
  }

  #use(person: ModelPerson, { totpStep = person.totpStep, recoveryCode, spends }: Proof): void {
    person.totpStep = totpStep;
    person.codes = person.codes.filter((code) => code !== recoveryCode);
    this.#spend(spends);
  }
}

const isOpen = ({ sessions }: ModelPerson, session: string, time: number): boolean =>
  (sessions.get(session)?.expires ?? 0) > time;

/** Only commands of a session need one. */
function stepUpOf(person: ModelPerson, session: string | undefined, time: number): string | null {
  if (session === undefined) return null;
  if (!isOpen(person, session, time)) return 'session-unknown';
  return person.sessions.get(session)!.steppedUpAt + STEP_UP_MS <= time ? 'step-up-needed' : null;
}
