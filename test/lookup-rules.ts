// Text from outside must not be a key of a plain object: `table['constructor']` finds an inherited member.

import { codeOnly, lineAt, type Source } from './source-text.ts';

/**
 * A record with text keys may hold the members of a message or a document. With other values it is a table, and a
 * caller's word may become its key: use a Map.
 */
const memberTypes = new Set([
  'unknown',
  'string',
  'string | undefined',
  'string | number',
  'string | boolean | undefined',
  'object',
  'JsonSchema',
  'SQLOutputValue',
  'LimitRow',
  'QueryValue',
]);

const anyText = /(?<!satisfies\s+(?:Readonly<)?)\bRecord<\s*string\s*,\s*((?:[^<>]|<[^<>]*>)*?)>/g;
/** A non-empty record at the top level of a file is a table even if its values are text. */
const constantTable =
  /^(?:export )?const\s+\w+\s*:\s*(?:Readonly<)?Record<\s*string\s*,\s*string\b[^=;]*=\s*\{(?!\s*\})/gm;
/** Use `Object.hasOwn` for membership; `'kind' in command` is allowed, because it narrows a union. */
const inherited =
  /(?<!for\s*\(\s*(?:const|let)\s+)(?<![\w$.'"[])[A-Za-z_$][\w$.]*\s+in\s+(?!keyof\b)[A-Za-z_$]/g;

export function checkLookups({ path, text }: Source): string[] {
  if (!/^packages\/[^/]+\/src\/.*\.tsx?$/.test(path)) return [];
  const code = path.endsWith('.tsx') ? withoutShownText(codeOnly(text)) : codeOnly(text);
  const found = (
    pattern: RegExp,
    what: string,
    isFine: (match: RegExpMatchArray) => boolean = () => false,
  ): string[] =>
    Array.from(code.matchAll(pattern))
      .filter((match) => !isFine(match))
      .map((match) => `${path}:${lineAt(text, match.index)} ${what}`);
  return [
    ...found(anyText, 'has a plain object with text keys as a table: use a Map', ([, type = '']) =>
      memberTypes.has(type.replaceAll(/\s+/g, ' ').trim()),
    ),
    ...found(constantTable, 'has a constant plain object with text keys as a table: use a Map'),
    ...found(inherited, 'tests membership with `in`: use Object.hasOwn'),
  ];
}

/** In text between JSX tags, `in` is an English word. */
function withoutShownText(code: string): string {
  return code.replaceAll(/(?<=[>}])[^<>{}();=]*(?=[<{])/g, (shown) => shown.replaceAll(/[^\n]/g, ' '));
}
