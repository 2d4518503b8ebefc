/** `bourse ledger check`: checks that all money adds up. */

import { Command } from 'commander';
import { checkLedger } from '../tools/ledger-check.ts';
import { EXIT, EXIT_HELP } from './exit-codes.ts';
import { printJson, printLine, printTable } from './output.ts';
import { withProgress } from './progress.ts';
import { findWorld, stoppedToolFailure, toolListeners } from './tool-messages.ts';

export function ledgerCommand(): Command {
  const check = new Command('check')
    .description('the zero-sum report: all accounts of a currency must sum to zero')
    .argument('<dir>', 'data directory of a stopped exchange')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `\nA sum that is not zero is a failure.\n${EXIT_HELP}`)
    .action(async (dir: string, { json }: { json?: boolean }) => {
      const report = await withProgress(
        'checking the ledger',
        checkLedger(await findWorld(dir), toolListeners),
      ).catch((error: unknown) => {
        throw stoppedToolFailure(error, dir);
      });
      if (json) printJson(report);
      else {
        const { seq, users, orders, currencies, isClean } = report;
        printLine(`${dir}: record ${seq}, ${users} users, open orders: ${orders}`);
        printTable(
          currencies.map((each) => ({ ...each, '': each.isZero ? 'ok' : 'NOT ZERO' })),
          ['currency', 'available', 'hold', 'fees', 'waiting', 'suspense', 'outside', 'sum', ''],
        );
        printLine(
          isClean ? 'All money adds up.' : 'The money does not add up: keep a copy of this directory.',
        );
      }
      process.exitCode = report.isClean ? EXIT.done : EXIT.failed;
    });
  return new Command('ledger')
    .description('checks of the books')
    .addHelpText('after', `\nExample:\n  bourse ledger check ./backup\n${EXIT_HELP}`)
    .addCommand(check);
}
