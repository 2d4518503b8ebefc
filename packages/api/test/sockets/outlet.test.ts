import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Outlet, WaitingBytes } from '../../src/sockets/outlet.ts';

const BYTES_MAX = 1000;
/** Reserved for the close frame. */
const CLOSE_BYTES = 127;

/** A reader that reads nothing until `take`. */
function stalled(waiting = new WaitingBytes(Infinity, Infinity), network = '') {
  let taken: (() => void) | undefined;
  const stream = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => (taken = done),
    writev: (_chunks, done) => (taken = done),
  });
  const full: number[] = [];
  const shared = { bytes: waiting, network };
  const outlet = new Outlet(stream, BYTES_MAX, (waitingBytes) => full.push(waitingBytes), shared);
  return { stream, outlet, full, take: () => taken?.() };
}

describe('promise 11: the backlog of one reader', () => {
  test('never exceeds the bound less the close frame, to the byte', () => {
    const { stream, outlet, full } = stalled();
    outlet.write([Buffer.alloc(500)]);
    outlet.write([Buffer.alloc(BYTES_MAX - CLOSE_BYTES - 500 + 1)]);
    assert.deepEqual([full, outlet.waitingBytes], [[500], 500], 'one byte too many is not written');
    outlet.write([Buffer.alloc(BYTES_MAX - CLOSE_BYTES - 500)]);
    assert.deepEqual([full, outlet.waitingBytes], [[500], BYTES_MAX - CLOSE_BYTES]);
    stream.write(Buffer.alloc(CLOSE_BYTES));
    outlet.note();
    assert.equal(outlet.waitingBytesMost, BYTES_MAX);
  });

  test('takes the messages of one iteration completely or not at all', () => {
    const { outlet, full } = stalled();
    outlet.write([Buffer.alloc(100)]);
    outlet.write([Buffer.alloc(400), Buffer.alloc(300), Buffer.alloc(200)]);
    assert.deepEqual([full, outlet.waitingBytes], [[100], 100]);
    outlet.write([Buffer.alloc(400), Buffer.alloc(200), Buffer.alloc(100)]);
    assert.deepEqual([full, outlet.waitingBytes], [[100], 800]);
  });

  test('may exceed the bound in one iteration if it was empty before', () => {
    const { outlet, full } = stalled();
    outlet.write([Buffer.alloc(5 * BYTES_MAX)]);
    assert.deepEqual([full, outlet.waitingBytesMost], [[], 5 * BYTES_MAX]);
    outlet.write([Buffer.alloc(1)]);
    assert.deepEqual(full, [5 * BYTES_MAX]);
  });

  test('shrinks as the reader reads, and its maximum is remembered', async () => {
    const { outlet, take } = stalled();
    outlet.write([Buffer.alloc(300)]);
    take();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([outlet.waitingBytes, outlet.waitingBytesMost], [0, 300]);
  });
});

describe('the backlog of several readers', () => {
  test('is bounded per address, without affecting other addresses', () => {
    const waiting = new WaitingBytes(1000, 10_000);
    const [a, b] = [stalled(waiting, 'here'), stalled(waiting, 'here')];
    const other = stalled(waiting, 'there');
    a.outlet.write([Buffer.alloc(600)]);
    b.outlet.write([Buffer.alloc(300)]);
    a.outlet.write([Buffer.alloc(200)]);
    assert.deepEqual([a.full, a.outlet.waitingBytes], [[600], 600], 'it is within its own bound');
    other.outlet.write([Buffer.alloc(500)]);
    other.outlet.write([Buffer.alloc(300)]);
    assert.deepEqual(other.full, []);
    assert.equal(waiting.total, 1700);
  });

  test('is bounded over all addresses', () => {
    const waiting = new WaitingBytes(1000, 1500);
    const [a, b] = [stalled(waiting, 'here'), stalled(waiting, 'there')];
    a.outlet.write([Buffer.alloc(800)]);
    b.outlet.write([Buffer.alloc(600)]);
    b.outlet.write([Buffer.alloc(200)]);
    assert.deepEqual(b.full, [600]);
  });

  test('is released when a reader reads, and when a reader disconnects', async () => {
    const waiting = new WaitingBytes(100_000, 100_000);
    const [a, b] = [stalled(waiting), stalled(waiting)];
    a.outlet.write([Buffer.alloc(90_000)]);
    b.outlet.write([Buffer.alloc(5000)]);
    assert.equal(waiting.total, 95_000);
    a.take();
    await turn();
    assert.equal(waiting.total, 5000);
    b.stream.destroy();
    await turn();
    assert.equal(waiting.total, 0);
  });

  test('includes bytes held for a later iteration', () => {
    const waiting = new WaitingBytes(1000, 10_000);
    const [a, b] = [stalled(waiting, 'here'), stalled(waiting, 'here')];
    a.outlet.write([Buffer.alloc(300)]);
    assert.equal(a.outlet.hold(BYTES_MAX - CLOSE_BYTES - 300 + 1), false, 'more than it may have');
    assert.deepEqual([a.outlet.waitingBytes, a.outlet.waitingBytesMost, waiting.total], [300, 300, 300]);
    assert.equal(a.outlet.hold(400), true);
    assert.deepEqual([a.outlet.waitingBytes, waiting.total], [700, 700]);
    assert.equal(b.outlet.hold(301), false, 'more than its address may have');
    assert.deepEqual([b.outlet.waitingBytes, b.outlet.waitingBytesMost, waiting.total], [0, 0, 700]);
    assert.equal(b.outlet.hold(0), true);
    assert.equal(waiting.total, 700);
  });
});
