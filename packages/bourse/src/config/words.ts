/**
 * Texts about settings: what a setting accepts, which one was probably meant, and the page on configuration.
 */

import {
  fileNameOf,
  isSecret,
  schemaOf,
  type SecretFileName,
  SETTING_NAMES,
  type SettingName,
  type SettingSchema,
} from './settings.ts';

export const ENV_PREFIX = 'BOURSE_';

export const flagOf = (name: SettingName | SecretFileName): string =>
  `--${name.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
export const envOf = (name: SettingName | SecretFileName): string =>
  ENV_PREFIX + name.replaceAll(/[A-Z]/g, (c) => `_${c}`).toUpperCase();

/** The end of an error message "... is not", such as "an integer from 1 to 9". */
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

// The page on configuration, made from the table of settings.

const INTRODUCTION = `# Configuration

Everything a start can be told. Limits of requests and connections that nobody has to change are constants: [those of HTTP](../api/limits.md), [of the feed](../api/feed.md), [of memory](../internals/bounds.md).

A setting is looked for in this order, and the first one found counts:

1. a flag of \`bourse start\`, such as \`--port 9000\`;
2. an environment variable, such as \`BOURSE_PORT=9000\`;
3. the JSON file named by \`--config FILE\` or \`BOURSE_CONFIG\`, such as \`{"port": 9000}\`;
4. the default.

\`bourse config\` prints every setting with its value and where it came from. An invalid value prevents the start: the message names the setting, the value, its origin and what would be valid. An unknown name in the file is an error, an unknown \`BOURSE_\` variable a warning. Secrets have no flag, because every user of a machine can read the arguments of its processes; set the variable, or name a file that holds the secret: \`--secret-key-file FILE\`, \`BOURSE_SECRET_KEY_FILE\` or, in the JSON file, \`secretKeyFile\`.

In flags and variables, switches are \`true\` or \`false\` (a flag alone means \`true\`) and objects are JSON.

This page is generated from the table of settings: \`node_modules/.bin/bourse config --markdown > docs/operating/configuration.md\`. A test compares them.
`;

export function configurationPage(): string {
  const groups = Map.groupBy(SETTING_NAMES, (name) => schemaOf(name).group);
  const parts = [...groups].map(
    ([group, own]) =>
      `\n## ${group}\n\n| setting | unit | default | accepts | what for |\n|---|---|---|---|---|\n${own
        .map(tableRow)
        .join('\n')}\n`,
  );
  return INTRODUCTION + parts.join('');
}

function tableRow(name: SettingName): string {
  const schema = schemaOf(name);
  const inFile = isSecret(name) ? fileNameOf(name) : undefined;
  const ways = inFile ? [envOf(name), flagOf(inFile), envOf(inFile)] : [flagOf(name), envOf(name)];
  const cells = [
    [`**${name}**`, ...ways.map((way) => `\`${way}\``)].join('<br>'),
    schema.unit,
    schema.default === '' ? '' : `\`${showValue(schema.default)}\``,
    describeExpected(schema),
    schema.description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

export const showValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
