/** TLS handshakes are limited per second and client address. */

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:tls';
import { test } from 'node:test';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { type Connections, limitHandshakes } from '../../src/gateway/http/connections.ts';

class FakeSocket extends EventEmitter {
  static ports = 0;
  readonly remotePort = ++FakeSocket.ports;
  readonly localAddress = '127.0.0.1';
  readonly localPort = 443;
  readonly remoteAddress: string;
  isDestroyed = false;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

test('handshakes per second are limited by client address; other addresses and trusted proxies are not delayed', () => {
  const server = new EventEmitter();
  const clock = new ManualClock();
  limitHandshakes(server as unknown as Server, {
    connections: { areTooMany: () => false } as unknown as Connections,
    perAddressMax: 3,
    isProxy: (address) => address === '192.0.2.1',
    clock,
  });
  const begun = (address: string, count: number): number => {
    let taken = 0;
    for (let at = 0; at < count; at++) {
      const socket = new FakeSocket(address);
      server.emit('connection', socket);
      if (!socket.isDestroyed) taken++;
    }
    return taken;
  };
  assert.equal(begun('198.51.100.1', 10), 3);
  assert.equal(begun('198.51.100.2', 2), 2, 'another address');
  assert.equal(begun('192.0.2.1', 10), 10, 'a trusted proxy');
  assert.equal(begun('2001:db8::1', 2) + begun('2001:db8::2', 2), 3, 'a network of IPv6 is one address');
  clock.monotonic += 1000;
  assert.equal(begun('198.51.100.1', 10), 3, 'and as many in the next second');
});
