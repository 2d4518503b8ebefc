/** What is read in one go is what the general way reads; whatever is not plain is left to that. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { parseBody } from '../../src/gateway/http/reading/json-body.ts';
import { readPlainMessage } from '../../src/order-entry/plain-message.ts';

/** Without what is undefined. */
const given = (message: unknown): unknown => JSON.parse(JSON.stringify(message));
const read = (text: string): unknown => {
  const message = readPlainMessage(Buffer.from(text));
  return message && given(message);
};

const ORDER = {
  clientOid: 'a-client-id-of-25-letters',
  symbol: 'BTC-USDT',
  type: 'limit',
  side: 'buy',
  price: '50000',
  size: '0.00001',
};
const ALL = {
  ...ORDER,
  timeInForce: 'GTC',
  postOnly: true,
  stp: 'CN',
  orderId: '65f0',
  remark: 'a remark',
  tags: '',
  funds: '1',
};

describe('a plain message', () => {
  test('is read in one go, with blanks and without, its members in any order', () => {
    for (const message of [
      { id: '1', op: 'spot.order', args: ORDER },
      { id: '1', op: 'spot.order', args: ALL },
      { args: ORDER, op: 'spot.order', id: 'an id that is longer than twelve' },
      { id: '1', op: 'ping' },
      { op: 'ping' },
      { id: '', op: '', args: { side: '', postOnly: false } },
    ]) {
      assert.deepEqual(read(JSON.stringify(message)), message);
      const spaced = JSON.stringify(message).replaceAll(':', ' : ').replaceAll(',', ' , ');
      assert.deepEqual(read(`  ${spaced.replaceAll('{', '{ ').replaceAll('}', ' }')} `), message);
    }
  });

  test('is none where something is unknown, given twice, escaped, not ASCII, a number, or not JSON', () => {
    for (const text of [
      '',
      '{}',
      '[]',
      '"id"',
      '{"id":"1","op":"ping"',
      '{"id":"1","op":"ping",}',
      '{"id":"1","op":"ping"}}',
      '{"id":"1","op":"ping"} x',
      '{"id":"1" "op":"ping"}',
      '{"id":"1","id":"2"}',
      '{"id":1,"op":"ping"}',
      '{"id":true}',
      '{"id":"1\\n"}',
      '{"id":"é"}',
      '{"id":"\u0001"}',
      '{"id":"1","other":"2"}',
      '{"id":"1","symbol":"BTC-USDT"}',
      '{"args":{"id":"1"}}',
      '{"args":{}}',
      '{"args":{"args":{"side":"buy"}}}',
      '{"args":{"side":"buy"},"args":{"side":"sell"}}',
      '{"args":{"side":"buy","side":"sell"}}',
      '{"args":{"side":"buy","size":1}}',
      '{"args":{"side":null}}',
      '{"args":{"postOnly":truely}}',
      '{"args":{"postOnly":tru',
      '{"args":{"side":"buy"',
      '{"args":{"side":"buy"}',
      '{"args":["side"]}',
      '{"\\u0069d":"1"}',
      "{'id':'1'}",
      '{"id":"1',
    ])
      assert.equal(read(text), undefined, text);
  });

  test('of whatever bytes is what the general way reads', () => {
    const random = new Random(5);
    const PIECES = [
      '{',
      '}',
      '"',
      ':',
      ',',
      ' ',
      '\\',
      '1',
      'true',
      'é',
      'null',
      '"id"',
      '"side"',
      '"args":{',
    ];
    let plain = 0;
    for (let i = 0; i < ofSize(20_000, 400_000); i++) {
      const names = Object.keys(ALL).filter(() => random.below(3) === 0);
      const args = Object.fromEntries(names.map((name) => [name, ALL[name as keyof typeof ALL]]));
      let text = JSON.stringify({ id: String(i), op: 'spot.order', args });
      for (let changes = random.below(3); changes > 0; changes--) {
        const at = random.below(text.length);
        const piece = PIECES[random.below(PIECES.length)];
        text = text.slice(0, at) + piece + text.slice(at + random.below(3));
      }
      const message = read(text);
      if (message === undefined) continue;
      plain++;
      assert.deepEqual(message, parseBody(Buffer.from(text)), text);
    }
    assert.ok(plain > 5000, `${plain} were plain`);
  });
});
