/** One sandbox for the tests of a file. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { IdentitySandbox } from '@bourse/test-kit/identity.ts';

/** Filled before the first test of the file. */
export function sandboxOfFile(): { readonly dir: string; sandbox: IdentitySandbox } {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-people-'));
  const held = { dir, sandbox: undefined as unknown as IdentitySandbox };
  before(async () => {
    held.sandbox = await IdentitySandbox.start(dir);
  });
  after(async () => {
    await held.sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return held;
}
