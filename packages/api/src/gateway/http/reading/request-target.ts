/**
 * What a request is for. `GET http://host/path`, as a client writes it that takes this server for a proxy, is the same as
 * `GET /path` with that Host header, and everything here looks at the path alone: signatures, mounts and websockets.
 */

import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../errors/refusal.ts';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** What names another host than the Host header does is left as it is. */
export function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return;
  const [, host = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === '' || host.toLowerCase() !== headers.host?.toLowerCase()) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** What a request is told that is for neither a path nor `*`. */
export function elsewhere(url: string): Refusal | undefined {
  if (url.startsWith('/') || url.startsWith('*')) return undefined;
  return new Refusal(
    'request-malformed',
    'The request line must have a path, or a URL with the host of the Host header.',
  );
}
