import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { ManualClock } from '@bourse/test-tools/manual-clock.ts';
import { startServer } from '@bourse/test-tools/server.ts';
import { Penalties } from '../../src/gateway/http/connections/penalties.ts';

describe('an address that sends little but what is refused', () => {
  test('is out for five seconds when it goes beyond the bound within one', () => {
    const clock = new ManualClock();
    const cut: string[] = [];
    const penalties = new Penalties(clock, 10, (network) => cut.push(network));
    for (let i = 0; i < 10; i++) penalties.note('a', 0);
    clock.monotonic += 1000;
    for (let i = 0; i < 10; i++) penalties.note('a', 0);
    assert.equal(penalties.isOut('a'), false);
    penalties.note('a', 0);
    assert.deepEqual([penalties.isOut('a'), penalties.isOut('b'), cut], [true, false, ['a']]);
    clock.monotonic += 4999;
    assert.equal(penalties.isOut('a'), true);
    clock.monotonic += 1;
    assert.equal(penalties.isOut('a'), false);
  });

  test('pays for large bodies as for many requests', () => {
    const penalties = new Penalties(new ManualClock(), 10, () => undefined);
    penalties.note('a', 65_536);
    assert.equal(penalties.isOut('a'), true);
  });

  test('loses its connections, and what they have sent is not read; others go on', async (context) => {
    const server = await startServer({ limits: { refusalsPerAddressMax: 50 } });
    context.after(() => server.close());
    const bystander = async (): Promise<number> => {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      socket.write('GET /api/v1/timestamp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return Number(answer.toString().slice(9, 12));
    };
    const sockets = [1, 2, 3].map(() => connect({ port: server.port, host: '127.0.0.1' }));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const closed = Promise.all(
      sockets.map((socket) => {
        socket.on('error', () => undefined);
        socket.resume();
        return once(socket, 'close');
      }),
    );
    sockets[0].write('GET /nope HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(100));
    await closed;
    const late = connect({ port: server.port, host: '127.0.0.1' });
    late.on('error', () => undefined);
    late.resume();
    await once(late, 'close');
    if (process.platform === 'linux') assert.equal(await bystander(), 200);
  });
});
