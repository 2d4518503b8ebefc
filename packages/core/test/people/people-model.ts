/** The rules of people a second time, as plainly as they can be written: what must come of each command. */

import type { Command, Proof } from '../../src/index.ts';

const DAY_MS = 24 * 3_600_000;

interface ModelPerson {
  readonly user: number;
  login: string;
  version: number;
  totpStep: number;
  codes: string[];
  lockedUntil: number;
  frozenAt: number;
  withdrawalsLockedUntil: number;
  /** When each session expires. */
  readonly sessions: Map<string, number>;
}

export class PeopleModel {
  readonly people = new Map<string, ModelPerson>();
  readonly #spent = new Map<string, number>();
  readonly #frozen = new Set<number>();
  readonly #names = new Set<string>();

  /** 'accepted', or the code of the rejection; `user`: the number that a new person got. */
  take(command: Command, time: number, user: number): string {
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
          sessions: new Map(),
        });
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
        for (const [each, expires] of person.sessions) if (expires <= time) person.sessions.delete(each);
        person.sessions.set(session, command.expires);
        return 'accepted';
      }
      case 'end-sessions': {
        if (!person) return 'person-unknown';
        const { except } = command;
        for (const each of person.sessions.keys())
          if (command.session === undefined ? each !== except : each === command.session)
            person.sessions.delete(each);
        return 'accepted';
      }
      case 'freeze-person':
        if (!person) return 'person-unknown';
        if (command.since <= person.frozenAt) return 'proof-spent';
        person.sessions.clear();
        person.frozenAt = time;
        this.#frozen.add(person.user);
        return 'accepted';
      case 'change-person': {
        if (!person) return 'person-unknown';
        if (command.session !== undefined && !isOpen(person, session, time)) return 'session-unknown';
        if (time < person.lockedUntil) return 'person-locked';
        const wrong = this.#proofOf(person, command.proof, time);
        if (wrong) return wrong;
        const { login, verifier, totp, totpStep = 0, recoveryCodes } = command;
        const isTaken = [...this.people.values()].some((each) => each !== person && each.login === login);
        if (login !== undefined && isTaken) return 'person-taken';
        this.#use(person, command.proof);
        person.version++;
        if (login !== undefined) person.login = login;
        if (totp !== undefined) person.totpStep = totpStep;
        if (totp === null) person.codes = [];
        else if (recoveryCodes) person.codes = [...recoveryCodes];
        if (login !== undefined || verifier !== undefined || totp === null)
          person.withdrawalsLockedUntil = Math.max(person.withdrawalsLockedUntil, time + DAY_MS);
        if (verifier !== undefined)
          for (const each of person.sessions.keys())
            if (each !== command.session) person.sessions.delete(each);
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
        if (!wrong) this.#use(person, command.proof);
        return wrong ?? 'accepted';
      }
      case 'set-session-key':
        return this.#frozen.has(person.user) ? 'user-frozen' : 'accepted';
      case 'lock-person':
        person.lockedUntil = Math.max(person.lockedUntil, command.until);
        return 'accepted';
      case 'restrict-addresses':
        return time < person.lockedUntil ? 'person-locked' : 'accepted';
      case 'close-person':
        if (time < person.lockedUntil) return 'person-locked';
        this.people.delete(id);
        return 'accepted';
      default:
        throw new Error(`the model does not know ${command.kind}`);
    }
  }

  #spentOf(spends: Proof['spends'] = [], time: number): string | null {
    const isSpent = spends.some(({ id, until }) => until < time || (this.#spent.get(id) ?? -1) >= time);
    return isSpent ? 'proof-spent' : null;
  }

  #spend(spends: Proof['spends'] = []): void {
    for (const { id, until } of spends) this.#spent.set(id, until);
  }

  #proofOf(person: ModelPerson, proof: Proof, time: number): string | null {
    const { version, totpStep = Infinity, recoveryCode, spends } = proof;
    const isStale = version !== person.version || totpStep <= person.totpStep;
    const isUnknown = recoveryCode !== undefined && !person.codes.includes(recoveryCode);
    return isStale || isUnknown ? 'proof-spent' : this.#spentOf(spends, time);
  }

  #use(person: ModelPerson, { totpStep = person.totpStep, recoveryCode, spends }: Proof): void {
    person.totpStep = totpStep;
    person.codes = person.codes.filter((code) => code !== recoveryCode);
    this.#spend(spends);
  }
}

const isOpen = ({ sessions }: ModelPerson, session: string, time: number): boolean =>
  (sessions.get(session) ?? 0) > time;
