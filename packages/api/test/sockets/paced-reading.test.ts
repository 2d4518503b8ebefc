/** Bytes that arrive on a websocket's connection are delivered in pieces, over real sockets. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { TurningClock } from '@bourse/test-kit/manual-clock.ts';
import { PacedReading } from '../../src/sockets/paced-reading.ts';
import { WorkScheduler } from '../../src/sockets/work-scheduler.ts';

const PIECE_MS = 2;
const PIECES_PER_STEP = 3;
const PIECE_BYTES = 4096;
/** The bytes that Node reads from a socket at once. */
const READ_BYTES_MAX = 65_536;

async function start(context: TestContext) {
  const clock = new TurningClock();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [stream] = await accepted;
  context.after(() => {
    client.destroy();
    stream.destroy();
    server.close();
  });
  const reading = new PacedReading(stream, new WorkScheduler(clock), 'a');
  const heard: Buffer[] = [];
  let isOver = false;
  stream.on('data', (bytes: Buffer) => {
    heard.push(bytes);
    clock.monotonic += PIECE_MS;
  });
  stream.on('end', () => (isOver = true));
  const bytes = () => heard.reduce((sum, each) => sum + each.length, 0);
  return { clock, client, stream, reading, heard, bytes, isOver: () => isOver };
}

/** Waits for the sockets, at most ten seconds; `each` is called again and again meanwhile. */
async function until(isReached: () => boolean, each = (): void => undefined): Promise<void> {
  const end = performance.now() + 10_000;
  while (!isReached() && performance.now() < end) {
    each();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(isReached());
}

/** Gives the sockets time for events that must not happen. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

const numbered = (length: number) => Buffer.from(Array.from({ length }, (_, at) => at % 251));

describe('paced reading of a websocket', () => {
  test('delivers a few chunks per iteration, reads no more meanwhile, and loses nothing', async (context) => {
    const { clock, client, stream, heard, isOver } = await start(context);
    const sent = numbered(1_000_000);
    client.end(sent);
    await until(() => heard.length === PIECES_PER_STEP);
    await pause();
    assert.equal(heard.length, PIECES_PER_STEP);
    assert.ok(heard.every(({ length }) => length <= PIECE_BYTES));
    assert.ok(stream.bytesRead <= 2 * READ_BYTES_MAX, `${stream.bytesRead} bytes were read`);
    await until(isOver, () => {
      const before = heard.length;
      clock.turn();
      assert.ok(heard.length - before <= PIECES_PER_STEP);
    });
    assert.ok(Buffer.concat(heard).equals(sent));
  });

  test('waits while the stream is paused, and continues when it is resumed', async (context) => {
    const { clock, client, stream, heard, bytes } = await start(context);
    const sent = numbered(60_000);
    stream.once('data', () => stream.pause());
    client.write(sent);
    await until(() => heard.length === 1);
    clock.turn();
    await pause();
    assert.equal(heard.length, 1);
    stream.resume();
    await until(
      () => bytes() === sent.length,
      () => clock.turn(),
    );
    assert.ok(Buffer.concat(heard).equals(sent));
  });

  test('delivers the bytes that arrived with the upgrade in chunks too, before those that arrive later', async (context) => {
    const { clock, client, reading, heard, bytes } = await start(context);
    const sent = numbered(100_000);
    reading.take(sent.subarray(0, 60_000));
    client.write(sent.subarray(60_000));
    await until(() => heard.length === PIECES_PER_STEP);
    await until(
      () => bytes() === sent.length,
      () => clock.turn(),
    );
    assert.ok(Buffer.concat(heard).equals(sent));
  });

  test('drops pending chunks when the connection is closed', async (context) => {
    const { clock, stream, reading, heard } = await start(context);
    reading.take(numbered(60_000));
    await until(() => heard.length === PIECES_PER_STEP);
    stream.destroy();
    for (let turn = 0; turn < 10; turn++) clock.turn();
    await pause();
    assert.equal(heard.length, PIECES_PER_STEP);
  });
});
