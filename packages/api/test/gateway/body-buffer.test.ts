import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BodyBuffer } from '../../src/gateway/http/messages.ts';

describe('the pieces of a body', () => {
  test('are nothing before the first, and the first itself as long as it is alone', () => {
    const body = new BodyBuffer(100);
    assert.equal(body.whole, undefined);
    const first = Buffer.from('first');
    assert.ok(body.add(first));
    assert.equal(body.whole, first);
  });

  test('come together in their order, whatever their lengths', () => {
    const text = 'abcdefghij'.repeat(50);
    for (const length of [1, 2, 3, 7, 64, 499, 500]) {
      const body = new BodyBuffer(500);
      for (let at = 0; at < text.length; at += length) body.add(Buffer.from(text.slice(at, at + length)));
      assert.equal(body.whole?.toString(), text, `pieces of ${length}`);
    }
  });

  test('are refused above the limit, and then nothing of the piece is kept', () => {
    const body = new BodyBuffer(4);
    assert.ok(body.add(Buffer.from('abc')));
    assert.ok(!body.add(Buffer.from('de')));
    assert.equal(body.whole?.toString(), 'abc');
    assert.ok(body.add(Buffer.from('d')));
    assert.equal(body.whole?.toString(), 'abcd');
  });

  test('of one byte each need no more room than twice the whole', () => {
    const body = new BodyBuffer(60_000);
    for (let i = 0; i < 40_000; i++) body.add(Buffer.from(' '));
    assert.ok(body.whole!.buffer.byteLength < 80_000);
  });
});
