/** No cache in between stores private responses, and no browser guesses the type of a response. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sign, credentials } from '@bourse/test-kit/server.ts';
import { openFor } from './exchange.ts';

test('private and operator responses forbid caching, and every response matches its content type', async (t) => {
  const { connection } = await openFor(t);
  const { baseUrl, compatUrl, operatorUrl, sandboxUrl, operatorToken } = connection;
  const bearer = { authorization: `Bearer ${operatorToken}` };
  const signed = (path: string) => sign(credentials('alice'), 'GET', path);
  const cases: [url: string, headers: Record<string, string>, isGood: boolean, cache: string | null][] = [
    [`${baseUrl}/api/v1/accounts`, signed('/api/v1/accounts'), true, 'no-store'],
    [`${baseUrl}/api/v1/accounts`, { ...signed('/api/v1/accounts'), connection: 'close' }, true, 'no-store'],
    [`${baseUrl}/api/v1/accounts`, {}, false, 'no-store'],
    [`${compatUrl}/api/v1/accounts`, {}, false, 'no-store'],
    [`${baseUrl}/api/v1/timestamp`, {}, true, null],
    [`${baseUrl}/api/nothing`, {}, false, 'no-store'],
    [`${operatorUrl}/v1/users`, bearer, true, 'no-store'],
    [`${operatorUrl}/v1/users`, {}, false, 'no-store'],
    [`${operatorUrl}/v1/nothing`, bearer, false, 'no-store'],
    [`${sandboxUrl}/`, bearer, true, 'no-store'],
    [`${sandboxUrl}/`, {}, false, 'no-store'],
    [`${baseUrl}/readyz`, {}, true, 'no-store'],
    [`${baseUrl}/metrics`, {}, true, 'no-store'],
    [`${baseUrl}/docs/reference`, {}, true, 'no-cache'],
    [`${baseUrl}/openapi.json`, {}, true, 'no-cache'],
  ];
  for (const [url, headers, isGood, cache] of cases) {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    const found = [response.headers.get('cache-control'), response.headers.get('x-content-type-options')];
    assert.equal(response.ok, isGood, `${url}: ${response.status}`);
    assert.deepEqual(found, [cache, 'nosniff'], `${url} ${response.status}`);
  }
});
