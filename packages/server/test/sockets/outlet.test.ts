import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { Outlet } from '../../src/sockets/outlet.ts';

const BYTES_MAX = 1000;
/** What is kept free for the frame that ends the connection. */
const CLOSE_BYTES = 127;

/** A reader that takes nothing until it is told to. */
function stalled() {
  let taken: (() => void) | undefined;
  const stream = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => (taken = done),
    writev: (_chunks, done) => (taken = done),
  });
  const full: number[] = [];
  const outlet = new Outlet(stream, BYTES_MAX, (waitingBytes) => full.push(waitingBytes));
  return { stream, outlet, full, take: () => taken?.() };
}

describe('promise 11: what waits for a reader', () => {
  test('is at most the bound, with room for the close frame, to the byte', () => {
    const { stream, outlet, full } = stalled();
    outlet.write(Buffer.alloc(500));
    outlet.write(Buffer.alloc(BYTES_MAX - CLOSE_BYTES - 500 + 1));
    assert.deepEqual([full, outlet.waitingBytes], [[500], 500], 'one byte too many is not written');
    outlet.write(Buffer.alloc(BYTES_MAX - CLOSE_BYTES - 500));
    assert.deepEqual([full, outlet.waitingBytes], [[500], BYTES_MAX - CLOSE_BYTES]);
    stream.write(Buffer.alloc(CLOSE_BYTES));
    outlet.note();
    assert.equal(outlet.waitingBytesMost, BYTES_MAX);
  });

  test('of one turn is written whole or not at all', () => {
    const { outlet, full } = stalled();
    outlet.write(Buffer.alloc(100));
    outlet.write(Buffer.alloc(400), [Buffer.alloc(300), Buffer.alloc(200)]);
    assert.deepEqual([full, outlet.waitingBytes], [[100], 100]);
    outlet.write(Buffer.alloc(400), [Buffer.alloc(200), Buffer.alloc(100)]);
    assert.deepEqual([full, outlet.waitingBytes], [[100], 800]);
  });

  test('may be one large turn where nothing waited before', () => {
    const { outlet, full } = stalled();
    outlet.write(Buffer.alloc(5 * BYTES_MAX));
    assert.deepEqual([full, outlet.waitingBytesMost], [[], 5 * BYTES_MAX]);
    outlet.write(Buffer.alloc(1));
    assert.deepEqual(full, [5 * BYTES_MAX]);
  });

  test('is less when the reader has taken some, and the most is remembered', async () => {
    const { outlet, take } = stalled();
    outlet.write(Buffer.alloc(300));
    take();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([outlet.waitingBytes, outlet.waitingBytesMost], [0, 300]);
  });
});
