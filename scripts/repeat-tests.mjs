// npm run test:repeat [-- --times N] [-- --load N] [-- --busy SHARE]
//
// Runs `npm test` again and again beside processes that compete for the processors and the disk: a test that depends on a
// quiet machine fails here before it fails in CI. Each process is busy for random times of up to 300 ms, and idle in between
// so that it is busy for the given share of the time. The output of run N is in dist/repeat/N.txt. Fails if one run did.

import './require-node.mjs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { root } from './tree.mjs';

const BURST_MS_MAX = 300;
const WRITTEN_BYTES = 1 << 20;

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    load: { type: 'string', default: '4' },
    busy: { type: 'string', default: '0.5' },
    // For its own use: the folder that a process of the load writes to.
    folder: { type: 'string' },
  },
});
const busy = Number(values.busy);
if (!(busy > 0 && busy <= 1)) throw new Error(`--busy is ${values.busy}; it must be above 0 and at most 1`);

if (values.folder === undefined) process.exitCode = (await repeat()) ? 0 : 1;
else await compete(values.folder);

async function repeat() {
  const output = join(root, 'dist', 'repeat');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'bourse-load-'));
  const args = [fileURLToPath(import.meta.url), `--busy=${values.busy}`, `--folder=${folder}`];
  const load = Array.from({ length: Number(values.load) }, () =>
    spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] }),
  );
  let failures = 0;
  try {
    for (let time = 1; time <= Number(values.times); time++) {
      const startedAt = performance.now();
      const isPassed = await runTests(join(output, `${time}.txt`));
      const minutes = (performance.now() - startedAt) / 60_000;
      const ended = load.filter(
        ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null,
      ).length;
      if (ended > 0)
        throw new Error(`${ended} processes of the load have ended, so this run counts for nothing`);
      if (!isPassed) failures += 1;
      console.log(
        `run ${time}: ${isPassed ? 'passed' : 'FAILED'}, ${minutes.toFixed(1)} min; ${countsIn(output, time)}`,
      );
    }
  } finally {
    for (const process of load) process.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    `${values.times} runs beside ${values.load} processes, each busy ${values.busy} of the time: ${failures} failed`,
  );
  return failures === 0;
}

async function runTests(file) {
  const output = openSync(file, 'w');
  const tests = spawn('npm', ['test'], { cwd: root, stdio: ['ignore', output, output] });
  const [code] = await once(tests, 'exit');
  closeSync(output);
  return code === 0;
}

/** The totals that the test runner prints last. */
function countsIn(output, time) {
  const text = readFileSync(join(output, `${time}.txt`), 'utf8');
  const count = (name) => text.match(new RegExp(`^ℹ ${name} (\\d+)$`, 'm'))?.[1] ?? '?';
  return `${count('tests')} tests, ${count('fail')} failed, ${count('skipped')} skipped`;
}

/** Hashes, allocates, and syncs a file after each burst. Ends when the process that started it does. */
async function compete(folder) {
  process.stdin.on('end', () => process.exit()).resume();
  const bytes = Buffer.alloc(WRITTEN_BYTES, 1);
  const file = openSync(join(folder, String(process.pid)), 'w');
  for (;;) {
    const startedAt = performance.now();
    const burstMs = Math.random() * BURST_MS_MAX;
    let kept = [];
    while (performance.now() - startedAt < burstMs) {
      kept.push(
        createHash('sha256')
          .update(bytes.subarray(0, 1 << 14))
          .digest('hex'),
      );
      if (kept.length > 1000) kept = [];
    }
    writeSync(file, bytes, 0, bytes.length, 0);
    fsyncSync(file);
    await pause((performance.now() - startedAt) * (1 / busy - 1));
  }
}
