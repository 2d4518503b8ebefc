/** The page on configuration, made from the table of settings. */

import { fileNameOf, isSecret, SETTING_NAMES, type SettingName, schemaOf } from './settings.ts';
import { describeExpected, envOf, flagOf } from './words.ts';

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
        .map(row)
        .join('\n')}\n`,
  );
  return INTRODUCTION + parts.join('');
}

function row(name: SettingName): string {
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
