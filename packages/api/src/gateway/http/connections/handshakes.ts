/**
 * Connections in their TLS handshake. The HTTP server learns of a connection only afterwards, so it is counted here
 * until then: clients that open connections and send nothing get no more of them than without TLS. A handshake costs
 * more than a request and comes before authentication, so handshakes are rate-limited per address.
 */

import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import { networkOf, peerAddress } from '../../access/ip-addresses.ts';
import type { Clock } from '@bourse/engine';
import type { Connections } from './connections.ts';

const SECOND_MS = 1000;

export interface HandshakeLimits {
  readonly connections: Connections;
  /** Per second. */
  readonly perAddressMax: number;
  /** Trusted proxies, which connect on behalf of many clients. */
  readonly isProxy: (address: string) => boolean;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/** Returns a function that ends the handshakes in progress. */
export function limitHandshakes(server: Server, limits: HandshakeLimits): () => void {
  const { connections, perAddressMax, isProxy, clock } = limits;
  const begun = new Map<string, number>();
  let second = 0;
  const isTooOften = (address: string, network: string): boolean => {
    const now = Math.floor(clock.elapsed() / SECOND_MS);
    if (now !== second) begun.clear();
    second = now;
    const count = (begun.get(network) ?? 0) + 1;
    begun.set(network, count);
    return count > perAddressMax && !isProxy(address);
  };
  const byNetwork = new Map<string, Map<string, Socket>>();
  let count = 0;

  const end = (name: string, network: string): void => {
    const ofNetwork = byNetwork.get(network);
    if (!ofNetwork?.delete(name)) return;
    count--;
    if (ofNetwork.size === 0) byNetwork.delete(network);
  };

  server.on('connection', (socket: Socket) => {
    // It is already closed.
    if (socket.remoteAddress === undefined) return;
    const [name, address] = [nameOf(socket), peerAddress(socket)];
    const network = networkOf(address);
    if (isTooOften(address, network)) {
      socket.destroy();
      return;
    }
    // A reset connection may have been followed by another one from the same port before it was closed here.
    end(name, network);
    let ofNetwork = byNetwork.get(network);
    if (ofNetwork === undefined) byNetwork.set(network, (ofNetwork = new Map()));
    ofNetwork.set(name, socket);
    count++;
    socket.once('close', () => {
      if (byNetwork.get(network)?.get(name) === socket) end(name, network);
    });
    if (connections.areTooMany(address, count, ofNetwork.size)) socket.destroy();
  });
  server.on('secureConnection', (socket) => end(nameOf(socket), networkOf(peerAddress(socket))));
  // A client that does not trust the certificate, or does not speak TLS: not a fault that operators need to act on.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return () => {
    for (const ofNetwork of byNetwork.values()) for (const socket of ofNetwork.values()) socket.destroy();
  };
}

const nameOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
