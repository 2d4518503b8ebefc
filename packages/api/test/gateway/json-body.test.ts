/** A body that two parsers could read differently is rejected, whatever its shape. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { parseBody } from '../../src/gateway/members.ts';

const read = (text: string): unknown => parseBody(Buffer.from(text));
const refused = (text: string, why: RegExp) =>
  assert.throws(
    () => read(text),
    (error: { detail?: string }) => why.test(error.detail ?? ''),
    text,
  );

const many = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"${'x'.repeat(at + 1)}":${at}`).join(',');

describe('a duplicate member', () => {
  const TWICE: readonly string[] = [
    '{"a":1,"a":2}',
    '{"side":"buy","size":"1","side":"sell"}',
    '{"a":{"b":1,"b":2}}',
    '{"a":[{"b":1},{"b":1,"c":2,"b":3}]}',
    '{"":1,"":2}',
    `{"${'n'.repeat(300)}":1,"${'n'.repeat(300)}":2}`,
    `{${many(16)},"x":1}`,
    `{${many(17)},"x":1}`,
    `{${many(40)},"${'x'.repeat(40)}":1}`,
    '{"a" : 1 , "a" : 2}',
    '{"é":1,"é":2}',
  ];
  for (const text of TWICE) {
    test(`is rejected: ${text.slice(0, 40)}`, () => refused(text, /same member twice/));
  }

  test('is distinguished from names that only look alike', () => {
    const ALIKE = [
      '{"side":1,"sade":2}',
      '{"aab":1,"abb":2,"acb":3}',
      '{"a":{"b":1},"b":2}',
      '{"a":"\\"a\\":1"}',
    ];
    for (const text of ALIKE) assert.deepEqual(read(text), JSON.parse(text));
  });

  test('is found in random bodies exactly where JSON.parse would drop one', () => {
    const random = new Random(3);
    const NAMES = ['a', 'b', 'side', 'size', 'sade', '', 'price', 'é', '{', ':', 'a,b', '_a'];
    for (let i = 0; i < 2000; i++) {
      const names = Array.from({ length: 1 + random.below(6) }, () => NAMES[random.below(NAMES.length)]);
      const value = JSON.stringify(random.below(4) === 0 ? 'a "quoted" text: {' : 'a text');
      const text = `{${names.map((name) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
      if (new Set(names).size < names.length) refused(text, /same member twice/);
      else assert.deepEqual(read(text), JSON.parse(text));
    }
  });
});

describe('a body', () => {
  test('with __proto__ is rejected at any depth', () => {
    for (const text of ['{"__proto__":1}', '{"a":{"__proto__":{}}}']) refused(text, /__proto__/);
    assert.deepEqual(read('{"_proto":1,"__proto":2}'), { _proto: 1, __proto: 2 });
  });

  test('with half a surrogate pair is rejected', () => {
    refused('{"a":"\\ud800"}', /surrogate/);
    assert.deepEqual(read('{"a":"\\ud83d\\ude00"}'), { a: '😀' });
  });

  test('with a backslash in a name is rejected, because V8 may read it as another name', () => {
    assert.deepEqual(read('{"h":0,"a":"\\\\"}'), { h: 0, a: '\\' });
    for (const name of ['a\\"', 'a\\\\', 'a\\n', '\\u0061', '\\u005f_proto__', '\\udfff'])
      for (const text of [`{"h":0,"${name}":1}`, `{"h":[{"${name}" : 1}]}`])
        refused(text, /with a backslash/);
  });
});
