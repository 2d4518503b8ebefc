/** `bourse config`: every setting, as it would count at a start, and where it comes from. */

import { Command } from 'commander';
import { configurationPage, showValue } from '../config/page.ts';
import { fileNameOf, isSecret, SETTING_NAMES } from '../config/settings.ts';
import { EXIT_HELP } from './exit-codes.ts';
import { printJson, printTable } from './output.ts';
import { readSettings, withSettings } from './settings-options.ts';

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
