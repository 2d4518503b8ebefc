import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Applied, Command, PlaceOrder } from '@bourse/core';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';
import { Digest } from '../src/digest.ts';

/** The differences to detect: one member of this order, or one more command. */
const ORDER: PlaceOrder = {
  kind: 'place-order',
  user: 0,
  symbol: 0,
  type: 'limit',
  side: 'buy',
  price: 100,
  size: 3,
  clientId: 'client-1',
  tags: 'ab',
  remark: 'c',
};

function digestOf(...commands: readonly Command[]): string {
  const venue = new Venue();
  venue.do(currency('A', 2, 2), currency('B', 4, 4), symbol('A-B', 0, 1), {
    kind: 'add-user',
    name: 'buyer',
  });
  venue.fund(0, 1, 10n ** 20n);
  const digest = new Digest();
  const record = { seq: venue.exchange.seq + 1, time: venue.exchange.time + 1, commands };
  digest.add(record.seq, venue.exchange.apply(record));
  return digest.text;
}

test('the same records have the same digest', () => {
  assert.equal(digestOf(ORDER), digestOf({ ...ORDER }));
  assert.match(digestOf(ORDER), /^[0-9a-f]{32}$/);
});

test('any difference changes the digest: in rows, texts, object events and rejections', () => {
  const user = (name: string): Command => ({ kind: 'add-user', name });
  const digests = [
    digestOf(),
    digestOf(ORDER),
    digestOf({ ...ORDER, size: 4 }),
    digestOf({ ...ORDER, price: 101 }),
    digestOf({ ...ORDER, clientId: 'client-2' }),
    // Of an even and an odd length, at the end and in the middle.
    digestOf({ ...ORDER, clientId: 'client-12' }),
    digestOf({ ...ORDER, clientId: 'client-13' }),
    digestOf({ ...ORDER, clientId: 'cliemt-13' }),
    digestOf({ ...ORDER, clientId: '' }),
    digestOf({ ...ORDER, tags: 'ba' }),
    // The same characters, divided otherwise.
    digestOf({ ...ORDER, tags: 'abc', remark: '' }),
    digestOf({ ...ORDER, tags: 'a', remark: 'bc' }),
    digestOf({ ...ORDER, tags: '', remark: 'abc' }),
    digestOf({ ...ORDER, tags: 'c', remark: 'ab' }),
    digestOf(user('one')),
    digestOf(user('two')),
    digestOf(user('one'), user('two')),
    digestOf(user('two'), user('one')),
    digestOf({ ...ORDER, size: 0 }),
    digestOf({ ...ORDER, symbol: 7 }),
    digestOf({ ...ORDER, user: 7 }),
  ];
  assert.equal(new Set(digests).size, digests.length, digests.join('\n'));
});

test('every bit of the rows counts, even if two numbers differ in the same one', () => {
  // The last words do not fill a step of the digest.
  const words = Int32Array.from({ length: 22 }, (_, at) => Math.imul(at, 0x01000193));
  const digest = new Digest();
  const textOf = (): string => {
    const written = { words, length: words.length, objects: [] };
    const nothing = { words, length: 0, objects: [] };
    digest.reset();
    digest.add(1, {
      events: { written },
      outcomes: { written: nothing },
      finished: [],
    } as unknown as Applied);
    return digest.text;
  };
  const before = textOf();
  for (let bit = 0; bit < 32; bit++) {
    for (let at = 0; at < words.length; at++) {
      words[at] ^= 1 << bit;
      assert.notEqual(textOf(), before, `bit ${bit} of word ${at}`);
      for (let other = at + 2; other < words.length; other += 2) {
        words[other] ^= 1 << bit;
        assert.notEqual(textOf(), before, `bit ${bit} of words ${at} and ${other}`);
        words[other] ^= 1 << bit;
      }
      words[at] ^= 1 << bit;
    }
  }
  assert.equal(textOf(), before);
});

/** Every value of `count` parts: lists, objects and their contents. */
function valuesOf(parts: number): unknown[] {
  if (parts === 1) return [0, 1, 2, '', 'a', '1', 1n, 'null', null, true, undefined, [], {}];
  return listsOf(parts - 1).flatMap((list) => {
    const objects = ['ab', 'ba'].map((names) =>
      Object.fromEntries(list.map((each, at) => [names[at], each])),
    );
    return list.length === 1 ? [list, ...objects] : [list, objects[0]];
  });
}

function listsOf(parts: number): unknown[][] {
  if (parts === 0) return [[]];
  return Array.from({ length: parts }, (_, at) => at + 1).flatMap((first) =>
    valuesOf(first).flatMap((value) => listsOf(parts - first).map((rest) => [value, ...rest])),
  );
}

test('different nesting of the same parts has different digests', () => {
  const nothing = { words: new Int32Array(0), length: 0, objects: [] };
  const digest = new Digest();
  const seen = new Map<string, unknown>();
  for (const value of [1, 2, 3].flatMap(valuesOf).concat([[1, [2]]], [[[1], 2]], [[[1], [2]]], [[[1, 2]]])) {
    digest.reset();
    const outcomes = { written: { ...nothing, objects: [value] } };
    digest.add(1, { events: { written: nothing }, outcomes, finished: [] } as unknown as Applied);
    if (seen.has(digest.text)) assert.deepEqual(value, seen.get(digest.text));
    seen.set(digest.text, value);
  }
});

test('the order of records counts, and a digest resumes from another', () => {
  const [one, two] = [new Digest(), new Digest()];
  const { exchange } = new Venue();
  const applied = exchange.apply({ seq: 1, time: 1, commands: [{ kind: 'add-user', name: 'a' }] });
  one.add(1, applied);
  two.resume(one.text);
  one.add(2, applied);
  two.add(2, applied);
  assert.equal(one.text, two.text);
  two.reset();
  two.add(2, applied);
  two.add(1, applied);
  assert.notEqual(one.text, two.text);
});
