// Promises are numbered. docs/promises.md lists their meaning and their tests.

import { posix } from 'node:path';
import type { Source } from './source-text.ts';

export const promisesPage = 'docs/promises.md';

/** The numbers in `promise 4` and `Promises 1 to 6 and 8`. */
const named = /\bpromises?\s+(\d+(?:(?:,| and| or| to)\s+\d+)*)\b/gi;
const row = /^\| (\d+) \|(.*)$/gm;
const linked = /\]\(([^)#]+\.test\.ts)\)/g;

/** Every promise that is mentioned anywhere is on the page. */
export function checkNamed(page: string, { path, text }: Source): string[] {
  if (path === promisesPage || !/\.(ts|mjs|md)$/.test(path)) return [];
  const promised = new Set(Array.from(page.matchAll(row), ([, number]) => Number(number)));
  return Array.from(text.matchAll(named))
    .flatMap(([, numbers = '']) => numbersIn(numbers))
    .filter((number) => !promised.has(number))
    .map((number) => `${path}: promise ${number} is not on ${promisesPage}`);
}

/** Every promise on the page has a test that exists and names the promise. */
export function checkHeld(page: string, texts: readonly Source[]): string[] {
  return Array.from(page.matchAll(row)).flatMap(([, number = '', rest = '']) => {
    const tests = Array.from(rest.matchAll(linked), ([, file = '']) =>
      posix.join(posix.dirname(promisesPage), file),
    );
    const found = texts.filter(({ path }) => tests.includes(path));
    const isHeld = ({ text }: Source): boolean =>
      Array.from(text.matchAll(named)).some(([, numbers = '']) =>
        numbersIn(numbers).includes(Number(number)),
      );
    return [
      ...tests
        .filter((file) => !found.some(({ path }) => path === file))
        .map((file) => `promise ${number}: ${file} does not exist`),
      ...(found.some(isHeld) ? [] : [`promise ${number}: none of its tests names promise ${number}`]),
    ];
  });
}

/** `1 to 3, 5 and 8` is 1, 2, 3, 5, 8. */
function numbersIn(text: string): number[] {
  return text.split(/,|and|or/).flatMap((part) => {
    const [first = 0, last = first] = part.split('to').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
