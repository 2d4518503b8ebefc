/** Texts that the exchange only keeps: those of components by name, and operators' notes about users. */

import type { Users } from './access/users.ts';
import type { AddUserNote, SetNote } from './commands/commands.ts';
import type { Rejection } from './commands/rejections.ts';
import { checkLength, checkPrintable, invalidValue } from './values/checks.ts';

const NAME_LENGTH_MAX = 64;
const TEXT_LENGTH_MAX = 4096;
const NOTES_MAX = 1000;

export interface Note {
  readonly name: string;
  readonly text: string;
}

/**
 * Named texts that a component stores in the exchange, such as the state of the sandbox's market. They are in the log
 * and in snapshots, so a restore to any record brings back the text of that record.
 */
export class Notes {
  readonly #byName = new Map<string, string>();

  /** An empty text removes the note. */
  set({ name, text }: SetNote): Rejection | null {
    const refused =
      checkPrintable('name', name, 1, NAME_LENGTH_MAX) ?? checkPrintable('text', text, 0, TEXT_LENGTH_MAX);
    if (refused) return refused;
    if (text === '') this.#byName.delete(name);
    else if (this.#byName.size < NOTES_MAX || this.#byName.has(name)) this.#byName.set(name, text);
    else return invalidValue('name', name, `the name of one of the ${NOTES_MAX} existing notes`);
    return null;
  }

  /** '' where there is none. */
  get(name: string): string {
    return this.#byName.get(name) ?? '';
  }

  restore({ name, text }: Note): void {
    this.#byName.set(name, text);
  }

  /** By name. */
  list(): Note[] {
    const notes = Array.from(this.#byName, ([name, text]) => ({ name, text }));
    return notes.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }
}

const USER_NOTE_LENGTH_MAX = 1000;
/** Beyond this, the oldest is dropped here; the audit trail keeps all of them. */
const NOTES_PER_USER_MAX = 50;

export interface UserNote {
  readonly user: number;
  /** Milliseconds. */
  readonly time: number;
  readonly by: string;
  readonly text: string;
}

/** Operators' notes about users; the latest ones of each user are kept. */
export class UserNotes {
  readonly #byUser = new Map<number, UserNote[]>();

  add(users: Users, { user, by = '', text }: AddUserNote, time: number): Rejection | null {
    const refused = users.unknown(user) ?? checkLength('text', text, 1, USER_NOTE_LENGTH_MAX);
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
