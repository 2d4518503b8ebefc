/** Operators by number, from 1. Root, the holder of the start-up token, is not among them. */

import type { Role } from '../commands/operator-commands.ts';

export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly Role[];
  /** SHA-256 of the token. */
  readonly token: string;
  /** Keyed hash of the e-mail address of a person; '' for a program. */
  readonly login: string;
  readonly createdAt: number;
  /** The token is valid from this time on. */
  readonly usableFrom: number;
  /** Root added it after it was closed. It becomes an ordinary operator when an admin changes its roles or renews its token. */
  readonly isBrokenGlass?: true;
}

export class Operators {
  /** The latest number, even if that operator was removed. */
  last = 0;
  isRootClosed = false;
  readonly #byId = new Map<number, Operator>();
  readonly #byName = new Map<string, number>();
  readonly #byToken = new Map<string, number>();
  readonly #byLogin = new Map<string, number>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Operator | null {
    return this.#byId.get(id) ?? null;
  }

  ofName(name: string): Operator | null {
    return this.get(this.#byName.get(name) ?? 0);
  }

  ofToken(token: string): Operator | null {
    return this.get(this.#byToken.get(token) ?? 0);
  }

  ofLogin(login: string): Operator | null {
    return this.get(this.#byLogin.get(login) ?? 0);
  }

  set(operator: Operator): void {
    const before = this.#byId.get(operator.id);
    if (before) this.#byToken.delete(before.token);
    this.#byId.set(operator.id, operator);
    this.#byName.set(operator.name, operator.id);
    this.#byToken.set(operator.token, operator.id);
    if (operator.login !== '') this.#byLogin.set(operator.login, operator.id);
  }

  remove({ id, name, token, login }: Operator): void {
    this.#byId.delete(id);
    this.#byName.delete(name);
    this.#byToken.delete(token);
    this.#byLogin.delete(login);
  }

  /** Ascending by number. */
  list(): Operator[] {
    return [...this.#byId.values()].toSorted((a, b) => a.id - b.id);
  }
}
