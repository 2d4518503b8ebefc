/** Texts about settings: what a setting accepts, and which one was probably meant. */

import type { SecretFileName, SettingName, SettingSchema } from './settings.ts';

export const ENV_PREFIX = 'BOURSE_';

export const flagOf = (name: SettingName | SecretFileName): string =>
  `--${name.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
export const envOf = (name: SettingName | SecretFileName): string =>
  ENV_PREFIX + name.replaceAll(/[A-Z]/g, (c) => `_${c}`).toUpperCase();

/** The end of a sentence "... is not", such as "a whole number from 1 to 9". */
export function describeExpected(schema: SettingSchema): string {
  if (schema.expects) return schema.expects;
  if (schema.anyOf) return `one of ${schema.anyOf.map((each) => String(each.const)).join(', ')}`;
  if (schema.type === 'integer') return `an integer from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'boolean') return 'true or false';
  return schema.minLength ? 'a text that is not empty' : 'a text';
}

/** The most similar name, if it differs by no more than a typo. */
export function nearestName<T extends string>(given: string, names: readonly T[]): T | undefined {
  let nearest: T | undefined;
  let least = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    const steps = distance(given.toLowerCase(), name.toLowerCase());
    if (steps < least) [nearest, least] = [name, steps];
  }
  return nearest;
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[to.length];
}
