/** Time of a start until it is ready, with and without pages, alternating so that both see the same load. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitsEnv } from '@bourse/test-kit/limits.ts';
import { median } from './median.ts';

export interface StartTimes {
  readonly withPagesMs: number;
  readonly withoutPagesMs: number;
}

const PROGRAM = fileURLToPath(new URL('../../packages/bourse/bin/bourse.mjs', import.meta.url));

/** The median over several starts of each kind. */
export async function startTimes(starts: number): Promise<StartTimes> {
  const times = { true: [] as number[], false: [] as number[] };
  // The first start fills the compile cache for the others.
  await startMs('true');
  for (let at = 0; at < starts; at++) {
    const order = at % 2 === 0 ? (['true', 'false'] as const) : (['false', 'true'] as const);
    for (const pages of order) times[pages].push(await startMs(pages));
  }
  return { withPagesMs: median(times.true), withoutPagesMs: median(times.false) };
}

async function startMs(pages: string): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'bourse-bench-start-'));
  const args = [PROGRAM, 'start', '--json', '--port', '0', '--data', data];
  const begun = performance.now();
  const env = limitsEnv({ pages: pages === 'true' }, { ...process.env } as Record<string, string>);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
  await once(child.stdout, 'data');
  const ms = performance.now() - begun;
  child.kill();
  await once(child, 'exit');
  rmSync(data, { recursive: true, force: true });
  return ms;
}
