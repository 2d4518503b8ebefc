import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BodyBuffer } from '../../src/gateway/http/messages.ts';

describe('a body buffer', () => {
  test('has no body before the first chunk, and returns a single chunk without a copy', () => {
    const body = new BodyBuffer(100);
    assert.equal(body.whole, undefined);
    const first = Buffer.from('first');
    assert.ok(body.add(first));
    assert.equal(body.whole, first);
  });

  test('concatenates chunks in order, whatever their lengths', () => {
    const text = 'abcdefghij'.repeat(50);
    for (const length of [1, 2, 3, 7, 64, 499, 500]) {
      const body = new BodyBuffer(500);
      for (let at = 0; at < text.length; at += length) body.add(Buffer.from(text.slice(at, at + length)));
      assert.equal(body.whole?.toString(), text, `pieces of ${length}`);
    }
  });

  test('rejects a chunk that exceeds the limit, and keeps none of it', () => {
    const body = new BodyBuffer(4);
    assert.ok(body.add(Buffer.from('abc')));
    assert.ok(!body.add(Buffer.from('de')));
    assert.equal(body.whole?.toString(), 'abc');
    assert.ok(body.add(Buffer.from('d')));
    assert.equal(body.whole?.toString(), 'abcd');
  });

  test('needs at most twice the size of the body, even for chunks of one byte', () => {
    const body = new BodyBuffer(60_000);
    for (let i = 0; i < 40_000; i++) body.add(Buffer.from(' '));
    assert.ok(body.whole!.buffer.byteLength < 80_000);
  });
});
