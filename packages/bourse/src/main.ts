/** The command line `bourse`. */

import { Command, CommanderError } from 'commander';
import { visibleLines } from '@bourse/engine';
import { type CallFields, loadCallFields } from '@bourse/sandbox/basics';
import {
  backupCommand,
  exportCommand,
  forkCommand,
  ledgerCommand,
  restoreCommand,
  snapshotCommand,
} from './cli/directory.ts';
import { clusterCommand } from './cli/cluster.ts';
import { completionCommand } from './cli/completion.ts';
import { configCommand, reloadCommand } from './cli/config.ts';
import {
  addressesCommand,
  addressRulesCommand,
  statementsCommand,
  walletsCommand,
  withdrawalLimitsCommand,
} from './cli/books.ts';
import { currenciesCommand, feesCommand, symbolsCommand } from './cli/reference.ts';
import { CommandFailed, EXIT, EXIT_HELP, fitHelp } from './cli/output.ts';
import { keysCommand, usersCommand } from './cli/users.ts';
import { liabilitiesCommand } from './cli/liabilities.ts';
import { logCommand } from './cli/log.ts';
import {
  correctionsCommand,
  depositsCommand,
  questionnairesCommand,
  withdrawalsCommand,
} from './cli/money.ts';
import { mirrorCommand } from './cli/mirror.ts';
import { operatorsCommand, policyCommand, proposalsCommand, secretCommand } from './cli/operators.ts';
import { peopleCommand } from './cli/people.ts';
import { reportCommand } from './cli/report.ts';
import { SANDBOX_CALLS, sandboxCommand } from './cli/sandbox.ts';
import { startCommand } from './cli/start.ts';
import { marketsCommand, noticesCommand } from './cli/markets.ts';
import { strangeVariables } from './config/load.ts';

const program = new Command('bourse')
  .description('A spot exchange: one ordered log of commands, and everything else computed from it.')
  .version('0.1.0')
  .addHelpText(
    'after',
    `
Examples:
  bourse start                          a sandbox on http://127.0.0.1:8080, data in ./data
  bourse start --help                   its usual settings
  bourse users list --json              the users
  bourse completion bash                completion for your shell

With --json, every command prints one JSON value on one line.
${EXIT_HELP}`,
  );

/** Commands whose help or completion lists the fields of the calls of a sandbox. */
const fields = ['sandbox', 'completion'].includes(process.argv[2]!) ? await loadCallFields() : undefined;

const groups = [
  startCommand(),
  configCommand(),
  usersCommand(),
  keysCommand(),
  peopleCommand(),
  operatorsCommand(),
  proposalsCommand(),
  policyCommand(),
  addressesCommand(),
  currenciesCommand(),
  symbolsCommand(),
  marketsCommand(),
  noticesCommand(),
  feesCommand(),
  depositsCommand(),
  correctionsCommand(),
  withdrawalsCommand(),
  questionnairesCommand(),
  withdrawalLimitsCommand(),
  addressRulesCommand(),
  statementsCommand(),
  walletsCommand(),
  ledgerCommand(),
  liabilitiesCommand(),
  reloadCommand(),
  secretCommand(),
  snapshotCommand(),
  backupCommand(),
  restoreCommand(),
  forkCommand(),
  sandboxCommand(fields),
  logCommand(),
  exportCommand(),
  reportCommand(),
  mirrorCommand(),
  clusterCommand(),
  completionCommand(program, sandboxFields(fields)),
];
for (const group of groups) program.addCommand(group);
endByThrowing(program);
fitHelp(program);
program.hook('preAction', () => {
  for (const warning of strangeVariables(process.env)) process.stderr.write(`${warning}\n`);
});

// The reader has closed the pipe (`bourse log dump data | head`), which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** By the words of their commands. */
function sandboxFields(known: CallFields | undefined) {
  return new Map(
    [...SANDBOX_CALLS].map(([words, { id }]) => [`sandbox ${words}`, known?.calls.get(id) ?? []] as const),
  );
}

/** Commander would exit the process itself, with its own codes. */
function endByThrowing(command: Command): void {
  command.exitOverride();
  command.showHelpAfterError('(see --help)');
  if (command.name() === 'start') command.configureOutput({ outputError: explainArguments });
  for (const each of command.commands) endByThrowing(each);
}

/** npm consumes options and passes on their values: `npm start --port 9000` becomes `bourse start 9000`. */
function explainArguments(text: string, write: (text: string) => void): void {
  const isArgument = text.includes('too many arguments');
  write(text + (isArgument ? '(with npm, options follow --: npm start -- --port 9000)\n' : ''));
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const { message } = error as Error;
  const text = error instanceof CommandFailed ? message : ((error as Error).stack ?? message);
  process.stderr.write(`${visibleLines(text)}\n`);
  return error instanceof CommandFailed ? error.exitCode : EXIT.failed;
}
