// The sandbox's list of requests without the page's own: no request of another client is hidden instead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Request, withoutOwn } from '../src/sandbox/request-tail.ts';

const request = (id: number, wallTime: number, user: string): Request => ({
  id,
  wallTime,
  user,
  transport: 'http',
  method: 'GET',
  path: '/api/v1/accounts',
  query: '',
  body: '',
  status: 200,
  code: '200000',
  answer: '',
  durationUs: 1,
});

test('a request of the page hides its own entry, not the same one that another user sent shortly before', () => {
  const list = [request(3, 2_500, 'alice'), request(2, 2_000, 'bob'), request(1, 1_000, 'alice')];
  const own = [1_000, 2_490].map((time) => ({ target: '/api/v1/accounts', time }));
  assert.deepEqual(
    withoutOwn(list, own).map(({ user }) => user),
    ['bob'],
  );
});
