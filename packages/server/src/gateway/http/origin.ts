/**
 * Which pages a browser may send requests from. A foreign page can make a browser on this machine send requests to this
 * server, also under a domain name that its owner points at 127.0.0.1. The Host header shows such a name, the Origin
 * header shows the page.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../errors/refusal.ts';

const ORIGIN_SHOWN_MAX = 100;
const LOOPBACK_NAME = /^(?:localhost|[^.]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

/** Of a Host header: without the port. */
const nameOf = (host: string): string => host.replace(/:\d*$/, '');

export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && LOOPBACK_NAME.test(nameOf(host));

export class OwnOrigins {
  private readonly names: ReadonlySet<string>;
  private readonly publicHost: string;

  /**
   * `host` is the name or address it listens on. `publicHost`, with its port, is where a proxy shows its pages; the
   * proxy may put another Host header in place of that one.
   */
  constructor(host: string, publicHost: string) {
    this.names = new Set([host, nameOf(publicHost)].filter((name) => name !== '').map(lower));
    this.publicHost = lower(publicHost);
  }

  check(headers: IncomingHttpHeaders): void {
    if (this.includes(headers)) return;
    throw new Refusal(
      'origin-denied',
      `A page of ${String(headers.origin).slice(0, ORIGIN_SHOWN_MAX)} may not do this; if it is a page of this ` +
        'exchange, set publicUrl to where it is.',
    );
  }

  /**
   * Also where there is no Origin: then no page sent it. A page of this exchange was loaded from where it sends to, and
   * that is a name of this exchange: another program on this machine has another port, and a name that was pointed here
   * is none of ours.
   */
  includes({ origin, host = '' }: IncomingHttpHeaders): boolean {
    if (origin === undefined) return true;
    const from = lower(/^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1] ?? '');
    if (from === '') return false;
    if (from === this.publicHost) return true;
    return from === lower(host) && (isLoopbackHost(from) || this.names.has(nameOf(from)));
  }
}

const lower = (text: string): string => text.toLowerCase();

/** How many Host headers came: two servers in a row could each believe another one of them. */
export function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
