import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CutLink } from '@bourse/test-kit/cluster/networks.ts';
import { startLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { connectTo } from '../src/stream/nats-link.ts';

/** More than a send buffer holds, less than a NATS server accepts as one message. */
const MESSAGE = new Uint8Array(512 * 1024);
const MESSAGES = 64;

test('a connection with a full send buffer is replaced by a new one, although it cannot be flushed', {
  skip: await whySkipped(),
  timeout: 60_000,
}, async () => {
  const { servers, close } = await startLogServers(1);
  const link = await CutLink.open(Number(new URL(servers.urls[0]).port));
  try {
    const address = { servers: [`nats://127.0.0.1:${link.port}`], stream: 'stalled' };
    const connection = await connectTo(address, 'test');
    const reconnected = (async () => {
      for await (const { type } of connection.status()) if (type === 'reconnect') return true;
      return false;
    })();
    link.stall();
    for (let at = 0; at < MESSAGES; at++) connection.publish('stalled.test', MESSAGE);
    assert.equal(await reconnected, true);
    await connection.flush();
    await connection.close();
  } finally {
    link.close();
    await close();
  }
});
