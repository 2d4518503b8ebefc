/** Operators' notes about users; the latest ones of each user are kept. No rule depends on them. */

import type { AddUserNote } from '../commands/commands.ts';
import type { Rejection } from '../commands/rejections.ts';
import { checkLength } from '../values/text.ts';
import type { Users } from './users.ts';

const TEXT_LENGTH_MAX = 1000;
/** Beyond this, the oldest is dropped here; the audit trail keeps all of them. */
const NOTES_PER_USER_MAX = 50;

export interface UserNote {
  readonly user: number;
  /** Milliseconds. */
  readonly time: number;
  readonly by: string;
  readonly text: string;
}

export class UserNotes {
  readonly #byUser = new Map<number, UserNote[]>();

  add(users: Users, { user, by = '', text }: AddUserNote, time: number): Rejection | null {
    const refused = users.unknown(user) ?? checkLength('text', text, 1, TEXT_LENGTH_MAX);
    if (refused) return refused;
    this.restore({ user, time, by, text });
    return null;
  }

  restore(note: UserNote): void {
    const notes = this.#byUser.get(note.user) ?? [];
    this.#byUser.set(note.user, [...notes, note].slice(-NOTES_PER_USER_MAX));
  }

  /** Oldest first. */
  of(user: number): readonly UserNote[] {
    return this.#byUser.get(user) ?? [];
  }

  /** By user, oldest first. */
  list(): UserNote[] {
    return [...this.#byUser.keys()].toSorted((a, b) => a - b).flatMap((user) => this.of(user));
  }
}
