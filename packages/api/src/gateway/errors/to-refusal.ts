/**
 * Converts any error of a request into a refusal that the dialects can render, with the same text on every transport.
 */

import { shortened, Unavailable, type UnavailableReason } from '@bourse/engine';
import type { ErrorName } from './errors.ts';
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
