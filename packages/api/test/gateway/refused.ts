import assert from 'node:assert/strict';
import type { Reply } from '@bourse/test-kit/server.ts';

export const POOL_HEADERS = ['gw-ratelimit-limit', 'gw-ratelimit-remaining', 'gw-ratelimit-reset'];

/** Asserts that the response is this rejection, with this text. */
export function refused(reply: Reply, status: number, code: string, say?: RegExp): void {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.json.code, code, reply.text);
  if (say) assert.match(String(reply.json.msg), say);
  for (const name of POOL_HEADERS) assert.match(reply.headers.get(name) ?? '', /^\d+$/, name);
}
