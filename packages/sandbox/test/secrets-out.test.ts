/** The list of requests stores no secret, in any form. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestList, withoutSecrets } from '../src/watch/requests.ts';

const SECRET = '73219';
/** Texts that contain SECRET, and their masked form. */
const TEXTS: readonly (readonly [text: string, shown: RegExp])[] = [
  [`{"passphrase":"${SECRET}","size":"1"}`, /^\{"passphrase":"\*\*\*","size":"1"\}$/],
  [`{"passphrase":${SECRET},"size":"1"}`, /^\{"passphrase":"\*\*\*","size":"1"\}$/],
  [`{"apiPassphrase" : -${SECRET}.5}`, /"\*\*\*"/],
  [`{"passphrase":["${SECRET}"],"size":"1"}`, /"size":"1"/],
  [`{"passphrase":{"a":"${SECRET}"}}`, /"\*\*\*"/],
  [`{"passphrase":"${SECRET}`, /"\*\*\*"/],
  [`?subName=x&passphrase=${SECRET}&apiKey=y`, /subName=x&passphrase=\*\*\*&apiKey=y/],
  [`?sign=${SECRET}`, /sign=\*\*\*/],
  [JSON.stringify({ expected: `1POST/p{"passphrase":"${SECRET}","size":"1"}` }), /size/],
  [JSON.stringify({ expected: `1POST/p{"passphrase":${SECRET},"size":"1"}` }), /size/],
];

test('secrets are masked as texts, numbers and lists, when cut off, in queries and in quoted JSON', () => {
  for (const [text, shown] of TEXTS) {
    const masked = withoutSecrets(text);
    assert.ok(!masked.includes(SECRET), masked);
    assert.match(masked, shown);
  }
});

test('a request is stored without secrets in its query, body, response and the text to be signed', () => {
  const requests = new RequestList();
  const body = `{"subName":"x","passphrase":${SECRET}}`;
  const query = `passphrase=${SECRET}`;
  const expected = `1763400000000POST/api/v1/sub/api-key?${query}${body}`;
  requests.add({
    seq: 1,
    time: 1,
    wallTime: 1,
    user: 'alice',
    apiKey: 'k',
    dialect: 'family',
    transport: 'http',
    route: 'create-sub-key',
    method: 'POST',
    path: '/api/v1/sub/api-key',
    query,
    body,
    status: 401,
    answer: JSON.stringify({
      code: '400005',
      msg: `The text to sign is ${expected}`,
      passphrase: Number(SECRET),
    }),
    durationUs: 1,
    signed: { expected },
  });
  const kept = JSON.stringify(requests.list(() => true, undefined, 10));
  assert.ok(!kept.includes(SECRET), kept);
  assert.match(kept, /create-sub-key/);
});
