import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { startServer } from '@bourse/test-kit/server.ts';
import { Penalties } from '../../src/gateway/http/connections.ts';

describe('an address whose requests are mostly rejected', () => {
  test('is blocked for five seconds when it exceeds the bound within one second', () => {
    const clock = new ManualClock();
    const penalties = new Penalties(clock, 10);
    for (let i = 0; i < 10; i++) assert.equal(penalties.note('a', 0), false);
    clock.monotonic += 1000;
    for (let i = 0; i < 10; i++) assert.equal(penalties.note('a', 0), false);
    assert.equal(penalties.note('a', 0), true);
    assert.equal(penalties.note('b', 0), false);
    clock.monotonic += 4999;
    assert.equal(penalties.note('a', 0), true);
    clock.monotonic += 1;
    assert.equal(penalties.note('a', 0), false);
  });

  test('is charged for a large body as for many requests', () => {
    const penalties = new Penalties(new ManualClock(), 10);
    assert.equal(penalties.note('a', 65_536), true);
  });

  test('loses each connection on which a request is rejected; its other connections stay', async (context) => {
    const server = await startServer({ limits: { refusalsPerAddressMax: 50 } });
    context.after(() => server.close());
    const opened = (): Socket => {
      const socket = connect({ port: server.port, host: '127.0.0.1' });
      context.after(() => socket.destroy());
      return socket.on('error', () => undefined);
    };
    const [first, second, idle] = [opened(), opened(), opened()];
    await Promise.all([first, second, idle].map((socket) => once(socket, 'connect')));
    const wrong = 'GET /nope HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const closed = once(first.resume(), 'close');
    first.write(wrong.repeat(100));
    await closed;
    let answered = '';
    const cut = once(
      second.on('data', (bytes: Buffer) => (answered += bytes)),
      'close',
    );
    second.write(wrong);
    await cut;
    assert.equal(answered, '');
    const right = 'GET /api/v1/timestamp HTTP/1.1\r\nhost: localhost\r\n\r\n';
    for (const socket of [idle, opened()]) {
      socket.write(right);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
    }
  });
});
