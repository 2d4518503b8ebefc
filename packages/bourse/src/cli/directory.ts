/** `bourse snapshot`, `export`, `ledger`, `fork`, `backup`, `restore`: tools on a data directory. */

import { LogGone, nodeDisk } from '@bourse/engine';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { backUp, restoreBackup, type RestorePoint, verifyBackup } from '../tools/backup.ts';
import { forkDirectory, takeSnapshot } from '../tools/stopped-directory.ts';
import { checkLedger } from '../tools/ledger-check.ts';
import { type Export, type ExportFilter, exportLog, exportRows, EXPORTS } from '../tools/log-export.ts';
import { timeOption } from './operator-client.ts';
import {
  CommandFailed,
  EXIT,
  EXIT_HELP,
  printFields,
  printJson,
  printLine,
  printPieces,
  printTable,
  withProgress,
} from './output.ts';
import { findWorld, stoppedToolFailure, toolFailure, toolListeners } from './tool-messages.ts';

export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description('takes a snapshot of a stopped exchange, which makes its next start fast')
    .argument('<dir>', 'data directory of a stopped exchange')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(async (dir: string, { json }: { json?: boolean }) => {
      const taken = await withProgress(
        'taking a snapshot',
        takeSnapshot(await findWorld(dir), toolListeners),
      ).catch((error: unknown) => {
        throw stoppedToolFailure(error, dir);
      });
      if (json) printJson(taken);
      else printFields({ ...taken });
    });
}

interface ForkOptions {
  readonly at: number;
  readonly out?: string;
  readonly json?: boolean;
}

/** `bourse fork`: copies a stopped exchange as of one of its records. */
export function forkCommand(): Command {
  return new Command('fork')
    .description('copies a stopped exchange as of one of its records')
    .argument('<dir>', 'data directory of a stopped exchange; it is not changed')
    .requiredOption('--at <seq>', 'sequence number of the last record to copy', parseSeq)
    .option('--out <dir>', 'directory to create (default: DIR-at-SEQ)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\nExample:\n  bourse fork ./data --at 1200 --out ./what-if\n${EXIT_HELP}`)
    .action(async (dir: string, { at, out = `${dir}-at-${at}`, json }: ForkOptions) => {
      const forked = await withProgress('copying', forkDirectory(await findWorld(dir), at, out)).catch(
        (error: unknown) => {
          if (error instanceof LogGone) throw new CommandFailed(error.message, EXIT.usage);
          throw stoppedToolFailure(error, dir);
        },
      );
      if (json) printJson(forked);
      else printFields({ ...forked });
    });
}

function parseSeq(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A sequence number is an integer from 1.');
}

const HELP = `
Examples:
  bourse export ./data trades > trades.csv
  bourse export ./data book --symbol BTC-USDT > btc-usdt-l2.csv
  bourse export ./data orders | gzip > orders.csv.gz
  bourse export ./data fills --user alice > my-fills.csv

trades  exchange,symbol,timestamp,local_timestamp,id,side,price,amount; side is the taker's
book    L2: exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount; amount 0 takes a price away
orders  L3: every order received, opened, matched, changed and done, with user and client_oid
fills   one row for each side of a trade: user, order_id, client_oid, liquidity, funds, fee

Ids are those of the interface (orderId, tradeId, clientOid). All columns: docs/operating/export.md.
Times are microseconds. Trades and books of one symbol can be played again in a sandbox.

${EXIT_HELP}`;

interface ExportOptions extends ExportFilter {
  readonly json?: boolean;
}

/** `bourse export`: a log as CSV, whether or not a service runs on it. */
export function exportCommand(): Command {
  return new Command('export')
    .description('writes the trades, books, orders or fills of a log as CSV')
    .argument('<dir>', 'the data directory')
    .addArgument(new Argument('<what>', 'what to write').choices(EXPORTS))
    .option('--symbol <symbol>', 'only this symbol')
    .option('--user <user>', 'only rows of this user; not for books')
    .option('--json', 'write a JSON array of objects instead of CSV')
    .addHelpText('after', HELP)
    .action(async (dir: string, what: Export, { json, ...filter }: ExportOptions) => {
      if (what === 'book' && filter.user !== undefined)
        throw new CommandFailed('--user: books have no user. Export orders or fills.', EXIT.usage);
      const world = await findWorld(dir);
      const pieces = json
        ? asJson(exportRows(nodeDisk, world, what, filter))
        : asLines(exportLog(nodeDisk, world, what, filter));
      await printPieces(pieces).catch((error: unknown) => {
        throw toolFailure(error);
      });
    });
}

async function* asLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

async function* asJson(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let names: readonly string[] | undefined;
  let before = '[';
  for await (const values of rows) {
    if (names === undefined) {
      names = values;
      continue;
    }
    yield before + JSON.stringify(Object.fromEntries(names.map((name, at) => [name, values[at]])));
    before = ',';
  }
  yield before === '[' ? '[]\n' : ']\n';
}

/** `bourse ledger check`: checks that all money adds up. */
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

// `bourse backup` and `bourse restore`: copies of an exchange on another disk, and exchanges from such a
// copy.

const DEFAULT_DATA = './data';
/** A larger number is a time in milliseconds, of this century: no log has as many records. */
const TIME_MIN = 1e12;

const BACKUP_HELP = `
Examples:
  bourse backup ../other-disk/bourse
  bourse backup ../other-disk/bourse --data /var/lib/bourse
  bourse backup verify ../other-disk/bourse

The exchange may run. The first backup copies everything; later ones into the same directory copy what is new. The secret key is not in it: keep that elsewhere, because without it nobody can start what is restored.
${EXIT_HELP}`;

const RESTORE_HELP = `
Examples:
  bourse restore ../other-disk/bourse --to ./data
  bourse restore ../other-disk/bourse --to ./yesterday --at 2026-01-31T23:59:59Z
  bourse restore ../other-disk/bourse --to ./before --at 1200
${EXIT_HELP}`;

export function backupCommand(): Command {
  const command = new Command('backup')
    .description('copies an exchange, running or stopped, to another disk')
    .argument('<dir>', 'directory of the backup; created if it does not exist')
    .option('--data <dir>', 'data directory of the exchange', DEFAULT_DATA)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', BACKUP_HELP)
    .action(async (dir: string, { data, json }: { data: string; json?: boolean }) => {
      const world = await findWorld(data);
      const done = await withProgress('copying', backUp(world, dir)).catch(refuse);
      if (json) printJson(done);
      else printFields({ ...done });
    });
  command
    .command('verify')
    .description('verifies a complete backup, and that an exchange can be restored from it')
    .argument('<dir>', 'directory of the backup')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(async (dir: string, _options: object, self: Command) => {
      // `backup` has the option too, and would consume it even after `verify`.
      const { json } = self.optsWithGlobals<{ json?: boolean }>();
      const { damage, notes, ...checked } = await withProgress('checking', verifyBackup(dir)).catch(refuse);
      if (json) printJson({ ...checked, damage, notes });
      else {
        printFields(checked);
        for (const sentence of damage) printLine(sentence);
        for (const note of notes) printLine(`note: ${note}`);
      }
      if (damage.length > 0) throw new CommandFailed(`The backup in ${dir} is damaged.`, EXIT.data);
    });
  return command;
}

interface RestoreOptions {
  readonly to: string;
  readonly at?: string;
  readonly json?: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restores a data directory from a backup, up to any record or time')
    .argument('<dir>', 'directory of the backup; it is not changed')
    .requiredOption('--to <dir>', 'data directory to create')
    .option('--at <seq or time>', 'the last record to restore, or its time (default: all)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', RESTORE_HELP)
    .action(async (dir: string, { to, at, json }: RestoreOptions) => {
      const point = at === undefined ? undefined : pointOf(at);
      const restored = await withProgress('restoring', restoreBackup(dir, to, point)).catch(refuse);
      if (json) printJson(restored);
      else printFields({ ...restored });
    });
}

function pointOf(text: string): RestorePoint {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : TIME_MIN;
  return number < TIME_MIN ? { seq: number } : { time: timeOption('at', text)! };
}

function refuse(error: unknown): never {
  throw toolFailure(error);
}
