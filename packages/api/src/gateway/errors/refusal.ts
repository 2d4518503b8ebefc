/**
 * The error model: a refusal names its row in the API's error table. Both dialects of the exchange's API share ERRORS;
 * the APIs for operators, people and a sandbox's control have their own tables. Any step of a request throws it; one
 * place per transport catches and renders it.
 */

import { shortened, Unavailable, type UnavailableReason } from '@bourse/engine';
import { type ErrorName, type ErrorRow, ERRORS } from './errors.ts';

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

/** Converts any error of a request into a refusal that the dialects can render, with the same text on every transport. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal && isInDialects(error)) return error;
  if (!(error instanceof Unavailable)) return new Refusal('internal-error');
  return new Refusal(nameOf(error.reason), `${error.message}.`);
}

function nameOf(reason: UnavailableReason): ErrorName {
  if (reason === 'unanswered') return 'outcome-unknown';
  return reason === 'stopped' ? 'unavailable' : 'busy';
}

export const bodyTooLarge = (bytesMax: number): Refusal =>
  new Refusal('body-too-large', `At most ${bytesMax} bytes are accepted.`);

export function wrongMediaType(given: string | undefined): Refusal {
  const detail = given === undefined ? 'Content-Type is missing' : `Content-Type is '${shortened(given)}'`;
  return new Refusal('media-type', `${detail}: a body needs Content-Type: application/json.`);
}

/** Converts errors of fastify, which serves everything outside the interface. */
export function fromFramework(error: unknown, bodyBytesMax: number, contentType?: string): Refusal {
  const { code } = error as { readonly code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyBytesMax);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongMediaType(contentType);
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new Refusal('request-malformed');
  return toRefusal(error);
}

/** The HTTP status of each error code of an API. */
export type StatusTable = ReadonlyMap<string, number>;

/** Errors as `{code, msg}`, for the APIs of operators, people and the sandbox's control. */
export const statusTable = (statuses: object): StatusTable => new Map(Object.entries(statuses));

export interface JsonError {
  readonly status: number;
  readonly code: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

const REFUSED = 400;

/**
 * An error that the table lacks has the status of its row in ERRORS; a rejection of the core that neither has is 400.
 */
export function jsonError(
  error: unknown,
  statuses: StatusTable,
  bodyBytesMax = 0,
  contentType?: string,
): JsonError {
  const refusal: Refusal<string> =
    error instanceof Refusal ? error : fromFramework(error, bodyBytesMax, contentType);
  const { error: name, detail, more } = refusal;
  const row: ErrorRow | undefined = isInDialects(refusal) ? ERRORS[refusal.error] : undefined;
  const code = error instanceof Unavailable ? error.reason : name;
  return {
    status: statuses.get(name) ?? row?.status ?? REFUSED,
    code,
    body: { code, msg: detail || (row?.text ?? refusal.message), ...more.fields },
    headers: more.headers ?? {},
  };
}
