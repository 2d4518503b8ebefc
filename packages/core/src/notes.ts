/**
 * Named texts that a component stores in the exchange, such as the state of the sandbox's market. They are in the log
 * and in snapshots, so a restore to any record brings back the text of that record. The core itself does not use them.
 */

import type { SetNote } from './commands/commands.ts';
import type { Rejection } from './commands/rejections.ts';
import { checkPrintable, invalidValue } from './values/text.ts';

const NAME_LENGTH_MAX = 64;
const TEXT_LENGTH_MAX = 4096;
const NOTES_MAX = 1000;

export interface Note {
  readonly name: string;
  readonly text: string;
}

export class Notes {
  readonly #byName = new Map<string, string>();

  /** An empty text removes the note. */
  set({ name, text }: SetNote): Rejection | null {
    const refused =
      checkPrintable('name', name, 1, NAME_LENGTH_MAX) ?? checkPrintable('text', text, 0, TEXT_LENGTH_MAX);
    if (refused) return refused;
    if (text === '') this.#byName.delete(name);
    else if (this.#byName.size < NOTES_MAX || this.#byName.has(name)) this.#byName.set(name, text);
    else return invalidValue('name', name, `one of the ${NOTES_MAX} names that have a note`);
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
