/** A refusal at the edge. Thrown by any step of a request, caught in one place, rendered from the table of errors. */

import type { ErrorName } from './errors.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The row of the table. */
  readonly error: ErrorName;
  /** What was wrong and what would be right, in a sentence; '' where the table's text says it all. */
  readonly detail: string;
  /** Fills the `{name}` places of the table's text. */
  readonly values: Readonly<Record<string, string>>;

  constructor(error: ErrorName, detail = '', values: Readonly<Record<string, string>> = {}) {
    // A refusal is an answer and no fault: nobody looks where it was thrown, and finding that out costs more than the
    // rest of the refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`${error}${detail ? `: ${detail}` : ''}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.error = error;
    this.detail = detail;
    this.values = values;
  }
}
