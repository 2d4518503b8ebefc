// Text from outside is no key into a plain object: `table['constructor']` finds what every object inherits.

import { codeOnly, lineAt, type Source } from './source-text.ts';

/**
 * Objects by any text are members of a message or a document. With other values they are tables, which somebody will
 * look up by a caller's word: a table is a Map.
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
/** Also with text as its values, where it stands at the top of a file with something in it. */
const constantTable =
  /^(?:export )?const\s+\w+\s*:\s*(?:Readonly<)?Record<\s*string\s*,\s*string\b[^=;]*=\s*\{(?!\s*\})/gm;
/** Which members there are is asked of an object itself; `'kind' in command` tells the members of a union apart. */
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
    ...found(anyText, 'has a table by text in a plain object: make it a Map', ([, type = '']) =>
      memberTypes.has(type.replaceAll(/\s+/g, ' ').trim()),
    ),
    ...found(constantTable, 'has a constant table by text in a plain object: make it a Map'),
    ...found(inherited, 'asks for a member with `in`: use Object.hasOwn'),
  ];
}

/** Text between tags is for readers: there `in` is a word. */
function withoutShownText(code: string): string {
  return code.replaceAll(/(?<=[>}])[^<>{}();=]*(?=[<{])/g, (shown) => shown.replaceAll(/[^\n]/g, ' '));
}
