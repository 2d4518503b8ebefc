/** Which client a request comes from, behind proxies or not. */

import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { canonicalAddress, peerAddress } from './ip-addresses.ts';

/** The client's address: the one a trusted proxy reports, otherwise the peer's. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => peerAddress(socket);
  const trust = proxyAddress.compile([...trustedProxies]);
  return (request) => canonicalAddress(proxyAddress(request, trust));
}
