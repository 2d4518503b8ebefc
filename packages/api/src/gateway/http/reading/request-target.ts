/**
 * The request target. `GET http://host/path`, from a client that treats this server as a proxy, is the same as
 * `GET /path` with that Host header; signatures, mounts and websockets use the path alone.
 */

import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../errors/refusal.ts';

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
