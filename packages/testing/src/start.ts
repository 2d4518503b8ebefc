/** Starts an exchange in this process, on a port that is free and in a directory that goes with it. */

import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Exchange } from './exchange.ts';
import type { Connection, MarketPreset } from './types.ts';

export interface StartOptions {
  /** `quiet` unless said: books are empty, and whatever happens is the test's own doing. */
  readonly market?: MarketPreset;
  /** `real` unless said; `manual`, or a speed such as `x10`. */
  readonly clock?: string;
  /** 1 unless said. */
  readonly seed?: number;
  /** Exchange time to begin at. */
  readonly time?: number;
  /** A directory with recorded markets. */
  readonly recordings?: string;
  /** Any other setting of the server by its name, such as `{ logLevel: 'warn' }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

const NODE_MAJOR_MIN = 24;
const DEFAULTS = { market: 'quiet', port: 0, logLevel: 'silent' };
/** The kit makes and removes the directory itself; and a venue has no control interface, so it could not be used. */
const NOT_SETTABLE = ['data', 'configOut', 'venue'];

export async function startExchange(options: StartOptions = {}): Promise<Exchange> {
  requireNode(process.versions.node);
  const { settings = {}, ...words } = options;
  const refused = [...Object.keys(settings), ...Object.keys(words)].find((name) =>
    NOT_SETTABLE.includes(name),
  );
  if (refused !== undefined) throw new Error(`${refused}: startExchange decides this itself; leave it out.`);
  // Loaded only here: an older Node cannot load it, and is told so above.
  const bourse = await import('bourse');
  const given = { ...DEFAULTS, ...settings, ...words };
  // Everything is checked before there is a directory.
  const loaded = bourse.loadSettings({
    flags: {},
    env: {},
    file: { name: 'startExchange', text: JSON.stringify(given) },
  });
  const directory = await TemporaryDirectory.make();
  try {
    const running = await bourse.startExchange({ ...loaded.settings, data: directory.path });
    return new Exchange(running.connection as Connection, async () => {
      try {
        await running.close();
      } finally {
        await directory.remove();
      }
    });
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

function requireNode(version: string): void {
  if (Number.parseInt(version, 10) >= NODE_MAJOR_MIN) return;
  throw new Error(
    `An exchange in this process needs Node ${NODE_MAJOR_MIN} or newer, this is ${version}. ` +
      'Start one beside it with `node_modules/.bin/bourse start --config-out FILE`, which brings its own Node, and connect() to it.',
  );
}

/** Removed at the latest when the process exits, also where a test died before it could stop anything. */
class TemporaryDirectory {
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
 * Threads of the exchange run until the exit handlers are through. Where one of them makes or removes a file meanwhile,
 * `rmSync` throws ENOTEMPTY or returns too early, and both leave the directory.
 */
function removeAtExit(path: string): void {
  for (let removals = 0; removals < REMOVALS_MAX && existsSync(path); removals++) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Once more. A directory that stays is no reason to give the process another exit code.
    }
  }
}
