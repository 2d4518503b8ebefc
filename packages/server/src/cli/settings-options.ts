/** The table of settings as options of a command, and back as settings. */

import type { Command } from 'commander';
import { ConfigError, type Loaded, loadSettings } from '../config/load.ts';
import { SETTING_NAMES, schemaOf } from '../config/settings.ts';
import { flagOf } from '../config/words.ts';
import { showValue } from '../config/page.ts';
import { readText } from '../io/text-file.ts';
import { systemSentence } from '../io/system-error.ts';
import { CommandFailed, EXIT } from './exit-codes.ts';

export function withSettings(command: Command): Command {
  command.option('--config <file>', 'JSON file of settings (or BOURSE_CONFIG)');
  for (const name of SETTING_NAMES) {
    const { secret, type, unit, description, default: value } = schemaOf(name);
    if (secret) continue;
    const argument = type === 'boolean' ? '[true|false]' : `<${unit.replaceAll(' ', '-') || 'value'}>`;
    const shown = showValue(value);
    command.option(
      `${flagOf(name)} ${argument}`,
      shown === '' ? description : `${description} Default: ${shown}`,
    );
  }
  return command;
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
