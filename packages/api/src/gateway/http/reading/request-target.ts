/**
 * The request target. `GET http://host/path`, from a client that treats this server as a proxy, is the same as
 * `GET /path` with that Host header; signatures, mounts and websockets use the path alone.
 */

import type { IncomingMessage } from 'node:http';
import { shortened } from '@bourse/engine';
import { Refusal } from '../../errors/refusal.ts';
import type { Dialect } from '../../dialects.ts';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Leaves a target unchanged whose host differs from the Host header. */
export function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return;
  const [, host = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === '' || host.toLowerCase() !== headers.host?.toLowerCase()) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** The error for a target that is neither a path nor `*`. */
export function elsewhere(url: string): Refusal | undefined {
  if (url.startsWith('/') || url.startsWith('*')) return undefined;
  return new Refusal(
    'request-malformed',
    'The request line must have a path, or a URL with the host of the Host header.',
  );
}

/**
 * Query strings: names and values are percent-decoded, `+` is a space; a duplicate name is an error. In the family
 * dialect the value `undefined` counts as absent, because the vendor's clients send the word for missing values.
 */
export type Query = Record<string, string>;

/** No route has ten parameters. */
const PARAMETERS_MAX = 100;

const NONE: Query = Object.freeze(Object.create(null));

export function parseQuery(url: string, { isLiteral }: Pick<Dialect, 'isLiteral'>): Query {
  const start = url.indexOf('?') + 1;
  if (start === 0 || start === url.length) return NONE;
  const query: Query = Object.create(null);
  const parts = url.slice(start).split('&', PARAMETERS_MAX + 1);
  if (parts.length > PARAMETERS_MAX) {
    throw new Refusal('parameter-invalid', `The query has more than ${PARAMETERS_MAX} parameters.`);
  }
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    if (Object.hasOwn(query, name)) {
      throw new Refusal('parameter-invalid', `The query parameter '${shortened(name)}' is there twice.`);
    }
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (isLiteral || value !== 'undefined') query[name] = value;
  }
  return query;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal('parameter-invalid', 'The query string is not valid percent-encoded UTF-8.');
  }
}
