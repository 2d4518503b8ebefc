import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  markedId,
  orderId,
  parseMarkedId,
  parseOrderId,
  parseUserId,
  userId,
} from '../../src/gateway/ids.ts';

const TIME = 1_700_000_000_123;
const NUMBERS = [1, 2, 255, 65_536, 1_234_567_890, 2 ** 40 + 7, 2 ** 48 - 1];

test('an order id is 24 hex digits, the first 8 the time in seconds', () => {
  for (const number of NUMBERS) {
    const id = orderId(number, TIME);
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.equal(Number.parseInt(id.slice(0, 8), 16), 1_700_000_000);
    assert.deepEqual(parseOrderId(id), { number, seconds: 1_700_000_000 });
  }
});

test('order ids of one second sort like their orders', () => {
  const ids = NUMBERS.map((number) => orderId(number, TIME));
  assert.deepEqual(ids.toSorted(), ids);
});

test('an id with one digit changed is invalid', () => {
  const id = orderId(1_234_567, TIME);
  let tried = 0;
  for (let at = 0; at < id.length; at++) {
    for (const digit of '0123456789abcdef') {
      if (digit === id[at]) continue;
      tried += 1;
      assert.equal(parseOrderId(id.slice(0, at) + digit + id.slice(at + 1)), null, `${digit} at ${at}`);
    }
  }
  assert.equal(tried, 24 * 15);
});

test('an id with two neighbouring digits swapped is invalid', () => {
  const id = orderId(0x123456789abc, TIME);
  let tried = 0;
  for (let at = 0; at + 1 < id.length; at++) {
    if (id[at] === id[at + 1]) continue;
    tried += 1;
    assert.equal(parseOrderId(id.slice(0, at) + id[at + 1] + id[at] + id.slice(at + 2)), null);
  }
  assert.ok(tried > 10);
});

test('a text that does not look like an id is rejected', () => {
  const id = orderId(1, TIME);
  for (const text of [
    '',
    '0',
    id.slice(1),
    `${id}0`,
    id.toUpperCase(),
    ` ${id.slice(1)}`,
    'g'.repeat(24),
    'é'.repeat(24),
  ]) {
    if (text === id) continue;
    assert.equal(parseOrderId(text), null, text);
  }
});

test('an id can be decoded only as its own kind', () => {
  const kinds = [
    'user',
    'transfer',
    'deposit',
    'travel-rule',
    'questionnaire',
    'withdrawal',
    'stop-order',
    'oco-order',
    'test-order',
  ] as const;
  for (const kind of kinds) {
    for (const number of [0, ...NUMBERS]) {
      const id = markedId(kind, number);
      assert.match(id, /^[0-9a-f]{24}$/);
      for (const other of kinds) assert.equal(parseMarkedId(other, id), other === kind ? number : -1);
      assert.equal(parseOrderId(id), null, `${kind} ${number} is no order`);
    }
  }
  assert.equal(parseUserId(userId(3)), 3);
});

test('a number out of range cannot be encoded as an id', () => {
  for (const number of [-1, 2 ** 48, Number.NaN]) assert.throws(() => orderId(number, TIME), RangeError);
});
