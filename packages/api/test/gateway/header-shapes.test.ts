// Node's own names begin with an underscore.
/* oxlint-disable no-underscore-dangle */

import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { HttpMessage } from '../../src/gateway/http/messages.ts';

/** How Node's parser hands over the headers; missing in its types. */
interface Parsed {
  _addHeaderLines(raw: readonly string[], count: number): void;
}

function headersOf(message: IncomingMessage, raw: readonly string[]): [string, unknown][] {
  (message as unknown as Parsed)._addHeaderLines(raw, raw.length);
  return Object.entries(message.headers);
}

/** As Node has them, in its order; several times, because the first of a kind is made another way. */
function checkSame(raw: readonly string[], times = 3): void {
  const wanted = headersOf(new IncomingMessage(new Socket()), raw);
  for (let i = 0; i < times; i++) assert.deepEqual(headersOf(new HttpMessage(new Socket()), raw), wanted);
}

const ORDER = ['Host', 'x', 'KC-API-KEY', 'key', 'kc-api-sign', 's=', 'Content-Type', 'application/json'];

describe('the headers of a request', () => {
  test('are those of Node, also when many requests have the same names', () => {
    checkSame(ORDER, 20);
    checkSame([]);
    checkSame(['Host', '']);
  });

  test('have the values of their own request', () => {
    for (const key of ['one', 'two', 'three']) checkSame(ORDER.with(3, key));
  });

  test('are those of Node where a name comes twice, in any spelling, or is one that it treats in its own way', () => {
    checkSame([...ORDER, 'x-a', '1', 'X-A', '2']);
    checkSame([...ORDER, 'host', 'y']);
    checkSame([...ORDER, 'cookie', 'a=1', 'cookie', 'b=2']);
    checkSame([...ORDER, 'Set-Cookie', 'a=1']);
    checkSame([...ORDER, '__proto__', 'x', 'constructor', 'y']);
    // An object has such members before all others, whenever they came.
    checkSame([...ORDER, '7', 'seven', '0', 'zero']);
    checkSame(Array.from({ length: 60 }, (_, at) => [`x-${at}`, String(at)]).flat());
  });

  test('are not mixed up between clients whose names are as long', () => {
    const others = ORDER.map((text, at) => (at === 2 ? 'KC-API-KEX' : text));
    for (let i = 0; i < 40; i++) checkSame(i % 3 === 0 ? ORDER : others, 1);
    for (let i = 0; i < 40; i++) checkSame(others, 1);
  });

  test('of one request can be changed without changing those of the next', () => {
    const [first, second] = [new HttpMessage(new Socket()), new HttpMessage(new Socket())];
    for (let i = 0; i < 2; i++) checkSame(ORDER);
    headersOf(first, ORDER);
    first.headers['host'] = 'changed';
    headersOf(second, ORDER);
    assert.equal(second.headers.host, 'x');
    second.headers = { host: 'given' };
    assert.deepEqual(second.headers, { host: 'given' });
  });
});
