/** A Node that has changed its undocumented members costs speed, not correctness: whole suites run on its public API. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inLongRunOnly } from '@bourse/test-kit/run-size.ts';

/** All that HTTP and order entry promise, except how evenly they share the event loop among connections. */
const SUITES = [
  'api/test/gateway/http.test.ts',
  'api/test/gateway/http-body.test.ts',
  'api/test/gateway/pipelined.test.ts',
  'api/test/gateway/unfinished-answers.test.ts',
  'api/test/order-entry/order-entry.test.ts',
  'api/test/order-entry/closing.test.ts',
  'bourse/test/gateway/declined-upgrades.test.ts',
];
const SUITES_MS_MAX = 300_000;

test('HTTP and order entry pass their suites on the public API of Node', {
  skip: inLongRunOnly,
}, async () => {
  const files = SUITES.map((path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url)));
  assert.deepEqual(
    files.filter((file) => !existsSync(file)),
    [],
  );
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...files], {
    env: {
      ...process.env,
      TEST_WITHOUT_NODE_INTERNALS: '1',
      // The suites in their short size: the long size adds nothing about the API of Node.
      TEST_SIZE: undefined,
      NODE_TEST_CONTEXT: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SUITES_MS_MAX,
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, output);
});
