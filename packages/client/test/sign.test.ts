import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Signer } from '../src/index.ts';

const hmac = (text: string): string => createHmac('sha256', 'sécret').update(text).digest('base64');
const signer = new Signer({ apiKey: 'key', apiSecret: 'sécret', apiPassphrase: 'phrase' });

test('WebCrypto gives the same signature as the documented HMAC, even beyond ASCII', async () => {
  for (const text of ['', 'a', 'ü€𝄞', 'x'.repeat(5000)]) assert.equal(await signer.sign(text), hmac(text));
});

test('a request carries key, signature, time, signed passphrase and version', async () => {
  assert.deepEqual(await signer.headers('KC', 17, 'POST', '/api/v1/x?y=1', '{"a":1}'), {
    'KC-API-KEY': 'key',
    'KC-API-SIGN': hmac('17POST/api/v1/x?y=1{"a":1}'),
    'KC-API-TIMESTAMP': '17',
    'KC-API-PASSPHRASE': hmac('phrase'),
    'KC-API-KEY-VERSION': '3',
  });
});

test('a session signs the name of its key and the time', async () => {
  const query = new URLSearchParams(await signer.sessionQuery(17));
  assert.deepEqual(Object.fromEntries(query), {
    apikey: 'key',
    sign: hmac('key17'),
    passphrase: hmac('phrase'),
    timestamp: '17',
  });
});
