/** Transfers that were made, by the caller's client id, remembered for ever: a repeated request moves nothing. */

import type { Transfer } from '../commands.ts';
import { pick } from '../pick.ts';

export interface TransferRecord {
  readonly id: number;
  readonly command: Transfer;
}

export class Transfers {
  private readonly byCaller = new Map<string, TransferRecord>();

  find(user: number, clientId: string): TransferRecord | null {
    return this.byCaller.get(key(user, clientId)) ?? null;
  }

  add({ id, command }: TransferRecord): void {
    this.byCaller.set(key(command.user, command.clientId), { id, command: pick(command, FIELDS) });
  }

  list(): TransferRecord[] {
    return [...this.byCaller.values()].toSorted((a, b) => a.id - b.id);
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
