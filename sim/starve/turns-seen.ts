/** Reads the output of the probe in the exchange's process. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBE_FILE } from './loop-probe.ts';

const PROBE = fileURLToPath(new URL('loop-probe.ts', import.meta.url));

export class TurnsSeen {
  readonly #path: string;

  /** Name of the output file. */
  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
  }

  /** Flags and environment for the exchange's process. */
  get start(): { readonly nodeFlags: readonly string[]; readonly env: Readonly<Record<string, string>> } {
    return { nodeFlags: [`--import=${PROBE}`], env: { [PROBE_FILE]: this.#path } };
  }

  /** The longest iteration that ended since then, in milliseconds of CPU time. */
  longestSince(time: number): number {
    if (!existsSync(this.#path)) return 0;
    const turns = readFileSync(this.#path, 'utf8')
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    return Math.max(0, ...turns.flatMap(([at, ms]) => (at >= time && ms > 0 ? [ms] : [])));
  }
}
