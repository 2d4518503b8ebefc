/** `bourse config`: every setting with the value it would have at a start, and where that comes from. */

import { Command, Option } from 'commander';
import { readText, systemSentence } from '@bourse/engine';
import { configurationPage, flagOf, showValue } from '../config/words.ts';
import { fileNameOf, isSecret, SETTING_NAMES, type SettingName, schemaOf } from '../config/settings.ts';
import { CommandFailed, EXIT, EXIT_HELP, printJson, printLine, printTable, withHelpAll } from './output.ts';
import { ConfigError, type Loaded, loadSettings } from '../config/load.ts';
import { type ConnectOptions, OperatorClient, withConnection } from './operator-client.ts';

interface Options {
  readonly json?: boolean;
  readonly markdown?: boolean;
}

export function configCommand(): Command {
  return withSettings(new Command('config'))
    .description('shows every setting with its value and origin')
    .option('--json', 'print JSON')
    .option('--markdown', 'print the page on configuration')
    .addHelpText('after', `\nExample:\n  BOURSE_PORT=9000 bourse config --config bourse.json\n${EXIT_HELP}`)
    .action(async (options: Options) => {
      if (options.markdown) {
        const markdown = configurationPage();
        if (options.json) printJson({ markdown });
        else process.stdout.write(markdown);
        return;
      }
      const { settings, origins } = await readSettings({ ...options });
      const rows = SETTING_NAMES.map((setting) => {
        const value = settings[setting];
        if (!isSecret(setting)) return { setting, value, from: origins[setting] };
        const inFile = fileNameOf(setting);
        if (settings[inFile] !== '')
          return { setting, value: `(in ${settings[inFile]})`, from: origins[inFile] };
        return { setting, value: value === '' ? '' : '(set)', from: origins[setting] };
      });
      if (options.json) printJson(rows);
      else
        printTable(
          rows.map((row) => ({ ...row, value: showValue(row.value) })),
          // Values come last, because some are long and would push the other columns far to the right.
          ['setting', 'from', 'value'],
        );
    });
}

/** The options that most starts need; --help-all shows the others too. */
const USUAL: readonly SettingName[] = ['venue', 'port', 'data', 'configOut', 'market', 'seed', 'clock'];

/** The table of settings as options of a command, and back as settings. */
export function withSettings(command: Command): Command {
  command.option('--config <file>', 'JSON file of settings (or BOURSE_CONFIG)');
  const others = SETTING_NAMES.filter((name) => !USUAL.includes(name));
  for (const name of [...USUAL, ...others]) {
    const schema = schemaOf(name);
    if (isSecret(name)) {
      const text = `File with ${name}. ${schema.description}`;
      const option = new Option(`${flagOf(fileNameOf(name))} <file>`, text);
      command.addOption(option.hideHelp().helpGroup(`${schema.group}:`));
      continue;
    }
    const argument =
      schema.type === 'boolean' ? '[true|false]' : `<${schema.unit.replaceAll(' ', '-') || 'value'}>`;
    const shown = showValue(schema.default);
    const text = shown === '' ? schema.description : `${schema.description} Default: ${shown}`;
    const option = new Option(`${flagOf(name)} ${argument}`, text);
    // Only for completion: loadSettings rejects invalid values and names their source.
    if (schema.anyOf) option.argChoices = schema.anyOf.map((each) => String(each.const));
    if (!USUAL.includes(name)) option.hideHelp().helpGroup(`${schema.group}:`);
    command.addOption(option);
  }
  return withHelpAll(command);
}

export async function readSettings(options: Readonly<Record<string, unknown>>): Promise<Loaded> {
  const { config = process.env['BOURSE_CONFIG'] } = options as { config?: string };
  const file = config ? { file: { name: config, text: await readConfig(config) } } : {};
  const flags = options as Record<string, string | boolean | undefined>;
  try {
    return loadSettings({ flags, env: process.env, ...file });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandFailed(error.problems.join('\n'), EXIT.usage);
  }
}

async function readConfig(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    throw new CommandFailed(
      `--config ${systemSentence(error, path) ?? `${path}: ${(error as Error).message}.`}`,
      EXIT.usage,
    );
  }
}

/** `bourse reload`: a running venue reads its settings and tokens again. */
export function reloadCommand(): Command {
  return withConnection(new Command('reload'))
    .description('reloads the settings file and token files of a running venue')
    .requiredOption('--reason <text>', 'why, for the log')
    .option('--json', 'print what changed as JSON')
    .addHelpText('after', `\nExample:\n  bourse reload --reason 'new operator token'\n${EXIT_HELP}`)
    .action(async ({ reason, json, ...connect }: ConnectOptions & { reason: string; json?: boolean }) => {
      const client = await OperatorClient.open(connect);
      const answer = (await client.post('/v1/reload', { reason })) as {
        changed: string[];
        restart: string[];
      };
      if (json) {
        printJson(answer);
        return;
      }
      printLine(`changed: ${answer.changed.join(', ') || 'nothing'}`);
      if (answer.restart.length > 0) printLine(`need a restart: ${answer.restart.join(', ')}`);
    });
}
