/**
 * Simulates another build of the program: source text is replaced while a process loads it, without touching the files.
 * Pass `NODE_OPTIONS` and `CHANGED_SOURCES` from `environmentOf` to the process.
 */

import { registerHooks } from 'node:module';

export interface Change {
  /** Relative to the repository root. */
  readonly file: string;
  /** Must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

export function environmentOf(changes: readonly Change[]): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${import.meta.url}`,
    CHANGED_SOURCES: JSON.stringify(changes),
    // Compiled code would be that of the unchanged sources.
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
}

const ROOT = new URL('../../../../', import.meta.url).href;
const given = process.env['CHANGED_SOURCES'];

if (given !== undefined) {
  const changes = JSON.parse(given) as Change[];
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const own = changes.filter(({ file }) => url === ROOT + file);
      if (own.length === 0) return loaded;
      return { ...loaded, source: own.reduce(change, String(loaded.source)) };
    },
  });
}

function change(text: string, { file, find, replace }: Change): string {
  const pieces = text.split(find);
  if (pieces.length !== 2)
    throw new Error(`'${find}' stands ${pieces.length - 1} times in ${file}, not once`);
  return pieces.join(replace);
}
