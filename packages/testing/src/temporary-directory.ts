/** A directory that is removed at the latest when the process exits, even if a test died before it could stop anything. */

import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class TemporaryDirectory {
  readonly path: string;
  readonly #onExit = (): void => removeAtExit(this.path);

  private constructor(path: string) {
    this.path = path;
    process.once('exit', this.#onExit);
  }

  static async make(): Promise<TemporaryDirectory> {
    return new TemporaryDirectory(await mkdtemp(join(tmpdir(), 'bourse-testing-')));
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
    process.off('exit', this.#onExit);
  }
}

const REMOVALS_MAX = 100;

/**
 * Threads of the exchange run until the exit handlers have finished. If one of them creates or removes a file meanwhile,
 * `rmSync` throws ENOTEMPTY or returns too early, and both leave the directory.
 */
function removeAtExit(path: string): void {
  for (let removals = 0; removals < REMOVALS_MAX && existsSync(path); removals++) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Retry once. A leftover directory must not change the exit code.
    }
  }
}
