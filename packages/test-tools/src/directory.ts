/** A directory that is there for one test. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function makeDirectory(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
