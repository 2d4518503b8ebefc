/**
 * The error model: a refusal names its row in the API's error table. Both dialects of the exchange's API share
 * ERRORS; the APIs for operators, people and a sandbox's control have their own tables. Any step of a request throws
 * it; one place per transport catches and renders it.
 */

import { type ErrorName, ERRORS } from './errors.ts';

/** Further members of the response, if the API has them. */
export interface RefusalMore {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal<Name extends string = ErrorName> extends Error {
  override readonly name = 'Refusal';
  /** The row of the table. */
  readonly error: Name;
  /** What is wrong and what would be valid; '' if the table's text suffices. */
  readonly detail: string;
  /** Fills the `{name}` places of the table's text. */
  readonly values: Readonly<Record<string, string>>;
  readonly more: RefusalMore;

  constructor(
    error: NoInfer<Name>,
    detail = '',
    values: Readonly<Record<string, string>> = {},
    more: RefusalMore = {},
  ) {
    // A refusal is a response, not a fault: nobody reads its stack trace, and capturing one costs more than the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`${error}${detail ? `: ${detail}` : ''}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.error = error;
    this.detail = detail;
    this.values = values;
    this.more = more;
  }
}

/** Whether the exchange's API has a row for it. */
export const isInDialects = (refusal: Refusal<string>): refusal is Refusal =>
  Object.hasOwn(ERRORS, refusal.error);

/** A parameter that is not as documented. */
export const invalid = (detail: string): Refusal => new Refusal('parameter-invalid', detail);
