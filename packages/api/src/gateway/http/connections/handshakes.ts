/**
 * Connections in their TLS handshake. The HTTP server knows a connection only after it, so until then it is counted
 * here: whoever opens connections and sends nothing has no more of them than without TLS.
 */

import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import { networkOf, peerAddress } from '../../access/ip-addresses.ts';
import type { Connections } from './connections.ts';

export function limitHandshakes(server: Server, connections: Connections): void {
  /** By network: address and port of each. */
  const byNetwork = new Map<string, Set<string>>();
  let count = 0;

  const end = (socket: Socket): void => endNamed(nameOf(socket), networkOf(peerAddress(socket)));
  const endNamed = (name: string, network: string): void => {
    const ofNetwork = byNetwork.get(network);
    if (!ofNetwork?.delete(name)) return;
    count--;
    if (ofNetwork.size === 0) byNetwork.delete(network);
  };

  server.on('connection', (socket: Socket) => {
    // It is gone already.
    if (socket.remoteAddress === undefined) return;
    const [name, address] = [nameOf(socket), peerAddress(socket)];
    const network = networkOf(address);
    let ofNetwork = byNetwork.get(network);
    if (ofNetwork === undefined) byNetwork.set(network, (ofNetwork = new Set()));
    ofNetwork.add(name);
    count++;
    // A closed socket no longer tells its address.
    socket.once('close', () => endNamed(name, network));
    if (connections.areTooMany(address, count, ofNetwork.size)) socket.destroy();
  });
  server.on('secureConnection', end);
  // A client that does not trust the certificate, or does not speak TLS: nothing that an operator must act on.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
}

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
