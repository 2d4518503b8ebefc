/** A directory for one test. It is removed when the process ends, after the test's hooks have closed what runs in it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const made: string[] = [];

export function makeDirectory(_context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-'));
  if (made.length === 0) process.once('exit', removeAll);
  made.push(dir);
  return dir;
}

function removeAll(): void {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
}
