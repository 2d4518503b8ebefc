/**
 * Converts any error of a request into a refusal that the dialects can render, with the same text on every transport.
 */

import { shortened, Unavailable, type UnavailableReason } from '@bourse/engine';
import { type ErrorName, type ErrorRow, ERRORS } from './errors.ts';
import { isInDialects, Refusal } from './refusal.ts';

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
  new Refusal('body-too-large', `At most ${bytesMax} bytes are taken.`);

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
