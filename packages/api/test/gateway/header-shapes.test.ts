// Node's own names begin with an underscore.
/* oxlint-disable no-underscore-dangle */

import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { HttpMessage } from '../../src/gateway/http/messages.ts';

/** How Node's parser passes the headers; missing in its types. */
interface Parsed {
  _addHeaderLines(raw: readonly string[], count: number): void;
}

function headersOf(message: IncomingMessage, raw: readonly string[]): [string, unknown][] {
  (message as unknown as Parsed)._addHeaderLines(raw, raw.length);
  return Object.entries(message.headers);
}

/**
 * Equal to Node's, in the same order. Several times, because the first request with a set of names takes another path.
 */
function checkSame(raw: readonly string[], times = 3): void {
  const wanted = headersOf(new IncomingMessage(new Socket()), raw);
  for (let i = 0; i < times; i++) assert.deepEqual(headersOf(new HttpMessage(new Socket()), raw), wanted);
}

const ORDER = ['Host', 'x', 'KC-API-KEY', 'key', 'kc-api-sign', 's=', 'Content-Type', 'application/json'];

describe('the headers of a request', () => {
  test('equal those of Node, even when many requests have the same names', () => {
    checkSame(ORDER, 20);
    checkSame([]);
    checkSame(['Host', '']);
  });

  test('have the values of their own request, not of an earlier one', () => {
    for (const key of ['one', 'two', 'three']) checkSame(ORDER.with(3, key));
  });

  test('equal those of Node for repeated names in any case, and for names that Node treats specially', () => {
    checkSame([...ORDER, 'x-a', '1', 'X-A', '2']);
    checkSame([...ORDER, 'host', 'y']);
    checkSame([...ORDER, 'cookie', 'a=1', 'cookie', 'b=2']);
    checkSame([...ORDER, 'Set-Cookie', 'a=1']);
    checkSame([...ORDER, '__proto__', 'x', 'constructor', 'y']);
    // Objects list integer-like keys first, whatever the insertion order.
    checkSame([...ORDER, '7', 'seven', '0', 'zero']);
    checkSame(Array.from({ length: 60 }, (_, at) => [`x-${at}`, String(at)]).flat());
  });

  test('are not confused between clients whose header names have equal lengths', () => {
    const others = ORDER.map((text, at) => (at === 2 ? 'KC-API-KEX' : text));
    for (let i = 0; i < 40; i++) checkSame(i % 3 === 0 ? ORDER : others, 1);
    for (let i = 0; i < 40; i++) checkSame(others, 1);
  });

  test('can be changed in one request without affecting the next', () => {
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
