/**
 * Another build of the same program: parts of its sources are replaced while a process loads them. The files themselves
 * do not change. A process gets the variables that `environmentOf` returns.
 */

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** The text from `from` to `to` is replaced by `text`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Change extends Edit {
  /** Relative to the repository's root. */
  readonly file: string;
}

/** A change by its text. */
export interface Replacement {
  readonly file: string;
  /**
   * Must occur in the file exactly once; spaces and line breaks are ignored, so that reformatting does not
   * break it.
   */
  readonly find: string;
  readonly replace: string;
}

const ROOT = new URL('../../../', import.meta.url);

const given = JSON.parse(process.env['CHANGED_SOURCES'] ?? '[]') as readonly Change[];

/** A changed process passes its changes on to its children. */
export function environmentOf(changes: readonly Change[]): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${import.meta.url}`,
    CHANGED_SOURCES: JSON.stringify([...given, ...changes]),
  };
}

export function changeOf(replacement: Replacement): Change {
  const { file } = replacement;
  return { file, ...editOf(replacement, readFileSync(new URL(file, ROOT), 'utf8')) };
}

/** The position of a replacement. Throws if the text is not found, because nothing would be changed. */
export function editOf({ file, find, replace }: Replacement, source: string): Edit {
  const places = Array.from(source.matchAll(/\S/g), ({ index }) => index);
  const plain = source.replaceAll(/\s+/g, '');
  const wanted = find.replaceAll(/\s+/g, '');
  const at = plain.indexOf(wanted);
  if (at < 0 || plain.includes(wanted, at + 1))
    throw new Error(`This must be in ${file} exactly once: ${find}`);
  return { from: places[at] as number, to: (places[at + wanted.length - 1] as number) + 1, text: replace };
}

export const applied = (source: string, { from, to, text }: Edit): string =>
  source.slice(0, from) + text + source.slice(to);

if (given.length > 0) {
  // From the end, so that earlier positions stay valid.
  const changes = given.toSorted((a, b) => b.from - a.from);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const own = changes.filter(({ file }) => url === ROOT.href + file);
      if (own.length === 0) return loaded;
      return { ...loaded, source: own.reduce(applied, String(loaded.source)) };
    },
  });
}
