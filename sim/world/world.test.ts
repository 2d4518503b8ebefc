/** Promises 1 to 6 and 8 to 10 in simulated worlds; for more use `npm run sim -- world --seeds 20000`. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { KEPT_SEEDS } from './run.ts';

const SEEDS = ofSize(100, 500);
/** In separate processes, to detect unhandled rejections too. */
const PROCESSES = 2;
const RUN = fileURLToPath(new URL('run.ts', import.meta.url));

function simulate(args: readonly string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [RUN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}

for (const { name, seed } of KEPT_SEEDS) {
  test(`kept seed: ${name}`, { timeout: 120_000 }, async () => {
    const { status, output } = await simulate(['--seed', String(seed)]);
    assert.equal(status, 0, output);
  });
}

test(`promises 1 to 6 and 8 to 10: ${SEEDS} worlds with every fault end in the state of their log`, {
  timeout: 1_200_000,
}, async (context) => {
  const share = SEEDS / PROCESSES;
  const runs = await Promise.all(
    Array.from({ length: PROCESSES }, (_, at) =>
      simulate(['--seed', String(1 + at * share), '--seeds', String(share)]),
    ),
  );
  for (const { status, output } of runs) {
    context.diagnostic(output);
    assert.equal(status, 0, output);
  }
});
