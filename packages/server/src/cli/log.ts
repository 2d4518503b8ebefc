/** `bourse log`: looks at the log of a data directory, whether or not a service is running on it. */

import { Command, InvalidArgumentError } from 'commander';
import { LogDamaged } from '../log/command-log.ts';
import { nodeDisk } from '../io/node-disk.ts';
import { type DumpedCommand, type DumpFilter, dumpLog } from '../tools/log-dump.ts';
import { type LogReport, verifyLog } from '../tools/log-verify.ts';
import { CommandFailed, EXIT } from './exit-codes.ts';
import { printFields, printJson, printLine, printLines } from './output.ts';

const VERIFY_HELP = `
Example:
  bourse log verify ./data

Exit codes: 0 clean (also with a torn tail, which the next start cuts off), 1 damaged, 2 could not run.`;

const DUMP_HELP = `
Examples:
  bourse log dump ./data --user alice --from 1200
  bourse log dump ./data --symbol BTC-USDT | grep place-order

One JSON object a line. Amounts are strings, secrets of keys are not shown. What became of each command is there when
the log begins with its first record.

Exit codes: 0 done, 1 damaged, 2 could not run.`;

interface DumpOptions extends Pick<DumpFilter, 'user' | 'order' | 'symbol'> {
  readonly from?: number;
  readonly to?: number;
}

export function logCommand(): Command {
  const group = new Command('log').description('checks and shows the log of a data directory');
  group
    .command('verify')
    .description('goes through every record and says whether all is well')
    .argument('<dir>', 'the data directory')
    .option('--json', 'print JSON')
    .addHelpText('after', VERIFY_HELP)
    .action(async (dir: string, options: { json?: boolean }) => {
      const report = await orCouldNotRun(verifyLog(dir));
      if (options.json) printJson(report);
      else printReport(report);
      if (report.damage.length > 0) throw new CommandFailed(`The log in ${dir} is damaged.`, EXIT.failed);
    });
  group
    .command('dump')
    .description('prints the commands of the log')
    .argument('<dir>', 'the data directory')
    .option('--user <user>', 'only what names this user, by number or name')
    .option('--order <id>', 'only what names or made this order', toNumber)
    .option('--symbol <symbol>', 'only what names this symbol, by number or code')
    .option('--from <seq>', 'from this record on', toNumber)
    .option('--to <seq>', 'up to this record', toNumber)
    .addHelpText('after', DUMP_HELP)
    .action((dir: string, options: DumpOptions) => orCouldNotRun(dump(dir, options)));
  return group;
}

async function dump(dir: string, { from, to, ...names }: DumpOptions): Promise<void> {
  const filter = {
    ...names,
    ...(from !== undefined && { fromSeq: from }),
    ...(to !== undefined && { throughSeq: to }),
  };
  await printLines(asText(dumpLog(nodeDisk, dir, filter)));
}

async function* asText(lines: AsyncIterable<DumpedCommand>): AsyncGenerator<string> {
  for await (const line of lines) {
    yield JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  }
}

function printReport({ damage, notes, ...figures }: LogReport): void {
  printFields({ state: damage.length === 0 ? 'clean' : 'damaged', ...figures });
  for (const note of notes) printLine(`note: ${note}`);
  for (const sentence of damage) printLine(`damage: ${sentence}`);
}

async function orCouldNotRun<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailed(message, error instanceof LogDamaged ? EXIT.failed : EXIT.usage);
  }
}

function toNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a whole number is needed.');
  return Number(text);
}
