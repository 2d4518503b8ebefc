/** The table of settings as options of a command, and back as settings. */

import { type Command, Option } from 'commander';
import { readText, systemSentence } from '@bourse/engine';
import { ConfigError, type Loaded, loadSettings } from '../config/load.ts';
import { fileNameOf, isSecret, SETTING_NAMES, type SettingName, schemaOf } from '../config/settings.ts';
import { flagOf } from '../config/words.ts';
import { showValue } from '../config/page.ts';
import { CommandFailed, EXIT } from './exit-codes.ts';
import { withHelpAll } from './help.ts';

/** The options that most starts need; --help-all shows the others too. */
const USUAL: readonly SettingName[] = ['venue', 'port', 'data', 'configOut', 'market', 'seed', 'clock'];

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
