/** An exchange in this process, in a temporary directory. */

import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, startExchange } from 'bourse';
import type { Connection, StartOptions } from './types.ts';

/** A started exchange, and how to stop it. */
export interface Started {
  readonly connection: Connection;
  close(): Promise<void>;
}

const DEFAULTS = { market: 'quiet', port: 0, logLevel: 'silent' };
/** The kit manages the directory itself; a venue has no control API, so it could not be used. */
const NOT_SETTABLE = ['data', 'configOut', 'venue'];

export async function startInProcess(options: StartOptions): Promise<Started> {
  const { settings = {}, ...others } = options;
  const [named, words] = [definedOf(settings), definedOf(others)];
  const refused = [...Object.keys(named), ...Object.keys(words)].find((name) => NOT_SETTABLE.includes(name));
  if (refused !== undefined) throw new Error(`${refused}: startExchange sets this itself. Omit it.`);
  const given = { ...DEFAULTS, ...named, ...words };
  // Validate everything before a directory is created.
  const loaded = loadSettings({
    flags: {},
    env: {},
    file: { name: 'startExchange', text: JSON.stringify(given) },
  });
  const directory = await TemporaryDirectory.make();
  try {
    const running = await startExchange({ ...loaded.settings, data: directory.path });
    return {
      connection: running.connection as Connection,
      close: async () => {
        try {
          await running.close();
        } finally {
          await directory.remove();
        }
      },
    };
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

/** An option that is undefined is the same as none: it does not replace a default. */
function definedOf(options: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** A directory that is removed at the latest when the process exits, even if a test died before it could stop anything. */
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
