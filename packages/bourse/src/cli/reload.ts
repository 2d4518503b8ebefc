/** `bourse reload`: a running venue reads its settings and tokens again. */

import { Command } from 'commander';
import { EXIT_HELP } from './exit-codes.ts';
import { type ConnectOptions, OperatorClient, withConnection } from './operator-client.ts';
import { printJson, printLine } from './output.ts';

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
