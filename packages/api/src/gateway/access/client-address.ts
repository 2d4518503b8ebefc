/** The client address of a request, behind proxies or not. */

import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { canonicalIp, peerAddress } from './ip-addresses.ts';

/** Returns a test for addresses of trusted proxies. */
export function proxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trust = proxyAddress.compile([...trustedProxies]);
  return (address) => trust(address, 0);
}

/** The client's address: the one a trusted proxy reports, otherwise the peer's. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => peerAddress(socket);
  const trust = proxyAddress.compile([...trustedProxies]);
  return (request) => canonicalIp(proxyAddress(request, trust));
}
