/**
 * Which pages may send requests from a browser. A foreign page can make a browser on this machine send requests to
 * this server, even under a domain name whose owner points it at 127.0.0.1. The Host header reveals such a name, the
 * Origin header the page.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { shortened } from '@bourse/engine';
import { Refusal } from '../errors/refusal.ts';

const LOOPBACK_NAME = /^(?:localhost|[^.]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

/** The Host header without the port. */
const nameOf = (host: string): string => host.replace(/:\d*$/, '');

export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && LOOPBACK_NAME.test(nameOf(host));

export interface OwnNames {
  /** The name or address it listens on. */
  readonly host: string;
  /** The host and port under which a proxy serves the pages, or ''. The proxy may replace the Host header. */
  readonly publicHost: string;
  /** Further names that clients reach it by, without a port. */
  readonly hostNames: readonly string[];
}

export class OwnOrigins {
  readonly #names: ReadonlySet<string>;
  readonly #publicHost: string;
  /** Reachable only from this machine, so only its own names are valid. */
  readonly #isLocal: boolean;
  /** Caches the last valid name: nearly every request has the same one. */
  #lastHost = '';

  constructor({ host, publicHost, hostNames }: OwnNames) {
    const names = [host, nameOf(publicHost), ...hostNames];
    this.#names = new Set(names.filter((name) => name !== '').map(lower));
    this.#publicHost = lower(publicHost);
    this.#isLocal = isLoopbackHost(host) || host === '::1';
  }

  /**
   * False for a foreign name that resolves to this machine (DNS rebinding), through which another site's page could
   * read here. An IP address cannot be rebound, and names used by other machines are unknown. Browsers always send
   * the name, so a request without one is not from a page.
   */
  includesHost({ host }: IncomingHttpHeaders): boolean {
    if (!this.#isLocal || host === undefined || host === this.#lastHost) return true;
    const name = nameOf(lower(host));
    const isOwn =
      isLoopbackHost(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || this.#names.has(name);
    if (isOwn) this.#lastHost = host;
    return isOwn;
  }

  check(headers: IncomingHttpHeaders): void {
    if (this.includes(headers)) return;
    throw new Refusal(
      'origin-denied',
      `A page of ${shortened(String(headers.origin))} may not do this. If it is a page of this exchange, set ` +
        'publicUrl to its address.',
    );
  }

  /**
   * True without an Origin, because then no page sent it. A page of this exchange was loaded from the address it
   * sends to, under one of this exchange's names: another program on this machine has another port, and a rebound
   * name is not ours.
   */
  includes({ origin, host = '' }: IncomingHttpHeaders): boolean {
    if (origin === undefined) return true;
    const from = lower(/^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1] ?? '');
    if (from === '') return false;
    if (from === this.#publicHost) return true;
    return from === lower(host) && (isLoopbackHost(from) || this.#names.has(nameOf(from)));
  }
}

const lower = (text: string): string => text.toLowerCase();

/** The number of Host headers: a proxy and a server could each believe a different one. */
export function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/** The error for a request with a foreign host name. */
export function foreignHost({ headers: { host = '' } }: { headers: IncomingHttpHeaders }): Refusal {
  return new Refusal(
    'origin-denied',
    `Unknown host name ${shortened(host)}. This sandbox accepts localhost, IP addresses and configured names. If it is ` +
      'a name of this machine, add it to the setting hostNames.',
  );
}
