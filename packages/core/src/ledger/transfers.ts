/** Completed transfers by the caller's client id: a replayed request moves nothing while it is kept. */

import type { Transfer } from '../commands/commands.ts';
import { pick } from '../values/pick.ts';

export interface TransferRecord {
  readonly id: number;
  readonly command: Transfer;
}

export class Transfers {
  readonly #byCaller = new Map<string, TransferRecord>();
  readonly #byId = new Map<number, TransferRecord>();

  find(user: number, clientId: string): TransferRecord | null {
    return this.#byCaller.get(key(user, clientId)) ?? null;
  }

  add({ id, command }: TransferRecord): void {
    const made = { id, command: pick(command, FIELDS) };
    this.#byCaller.set(key(command.user, command.clientId), made);
    this.#byId.set(id, made);
  }

  /** Null if there is none with this id. */
  userOf(id: number): number | null {
    return this.#byId.get(id)?.command.user ?? null;
  }

  /** Removes it and returns its user; null if there is none with this id. */
  forget(id: number): number | null {
    const made = this.#byId.get(id);
    if (made === undefined) return null;
    const { user, clientId } = made.command;
    this.#byId.delete(id);
    this.#byCaller.delete(key(user, clientId));
    return user;
  }

  list(): TransferRecord[] {
    return [...this.#byId.values()].toSorted((a, b) => a.id - b.id);
  }
}

const key = (user: number, clientId: string) => `${user} ${clientId}`;

const FIELDS = [
  'kind',
  'user',
  'type',
  'clientId',
  'currency',
  'amount',
  'from',
  'to',
  'fromUser',
  'toUser',
] as const satisfies readonly (keyof Transfer)[];

export function isSameTransfer(a: Transfer, b: Transfer): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}
