/**
 * `bourse log`: verifies, shows and copies the log of a data directory, whether or not a service runs on it.
 */

import { Command, InvalidArgumentError } from 'commander';
import { nodeDisk } from '@bourse/engine';
import { copyLogOf } from '../tools/stopped-directory.ts';
import { type DumpedCommand, type DumpFilter, dumpLog } from '../tools/log-dump.ts';
import {
  type CheckedContinuation,
  type CheckedRecord,
  checkProof,
  faultAgainst,
  type KeptCheckpoints,
  proveContinuation,
  proveRecord,
  readCheckpoint,
} from '../tools/log-proof.ts';
import { type LogReport, verifyLog } from '../tools/log-verify.ts';
import {
  CommandFailed,
  EXIT,
  EXIT_HELP,
  printFields,
  printJson,
  printLine,
  printPieces,
  withProgress,
} from './output.ts';
import { findWorld, toolFailure } from './tool-messages.ts';

const GROUP_HELP = `
Examples:
  bourse log verify ./data
  bourse log dump ./data --user alice --from 1200
  bourse log copy ./data ../other-disk/bourse
${EXIT_HELP}`;

const VERIFY_HELP = `
Example:
  bourse log verify ./data
  bourse log verify ./data --checkpoint checkpoint.txt --key key.txt

A log with a torn tail is clean: the next start cuts it off.
${EXIT_HELP}`;

const DUMP_HELP = `
Examples:
  bourse log dump ./data --user alice --from 1200
  bourse log dump ./data --symbol BTC-USDT | grep place-order

One JSON object per line; with --json one array on one line. Amounts are strings, secrets of keys are omitted. Outcomes are included if the log begins with its first record.
${EXIT_HELP}`;

const PROVE_HELP = `
Example:
  curl -s http://127.0.0.1:8080/transparency/checkpoint > checkpoint.txt
  curl -s http://127.0.0.1:8080/transparency/key > key.txt
  bourse log prove ./data --record 1200 --checkpoint checkpoint.txt > proof.json
  bourse log check-proof proof.json --key key.txt --checkpoint checkpoint.txt

  bourse log prove ./data --since last-month.txt --checkpoint checkpoint.txt \\
    > continued.json
  bourse log check-proof continued.json --key key.txt --since last-month.txt
${EXIT_HELP}`;

const COPY_HELP = `
Example:
  bourse log copy ./data ../other-disk/bourse

Copies all complete segments, whether or not the exchange runs, and compares each with its copy. Existing copies
are compared, never overwritten. With logCopy set to this directory, the exchange removes a segment once the copy
has all of its records. To check the copy: bourse log verify DIRECTORY
${EXIT_HELP}`;

interface DumpOptions extends Pick<DumpFilter, 'user' | 'order' | 'symbol'> {
  readonly json?: boolean;
  readonly from?: number;
  readonly to?: number;
}

export function logCommand(): Command {
  const group = new Command('log')
    .description('checks and shows the log of a data directory')
    .addHelpText('after', GROUP_HELP);
  group
    .command('verify')
    .description('verifies every record')
    .argument('<dir>', 'the data directory')
    .option('--checkpoint <file>', 'compare the log with this checkpoint, which detects a rewritten log')
    .option('--key <key>', 'the public key that signed it, as at /transparency/key, or a file with it')
    .option('--json', 'print JSON')
    .addHelpText('after', VERIFY_HELP)
    .action(async (dir: string, options: VerifyOptions) => {
      const checking = verify(await findWorld(dir), options);
      const report = await withProgress('checking the log', checking).catch(refuse);
      if (options.json) printJson(report);
      else printReport(report);
      if (report.damage.length > 0) throw new CommandFailed(`The log in ${dir} is damaged.`, EXIT.data);
    });
  group
    .command('dump')
    .description('prints the commands of the log')
    .argument('<dir>', 'the data directory')
    .option('--user <user>', 'only commands that name this user, by number or name')
    .option('--order <id>', 'only commands that name this order, or placed it', toNumber)
    .option('--symbol <symbol>', 'only commands that name this symbol, by number or code')
    .option('--from <seq>', 'first record to print', toNumber)
    .option('--to <seq>', 'last record to print', toNumber)
    .option('--json', 'print one JSON array')
    .addHelpText('after', DUMP_HELP)
    .action((dir: string, options: DumpOptions) => dump(dir, options).catch(refuse));
  group
    .command('copy')
    .description('copies the completed segments of the log, and verifies the copy')
    .argument('<dir>', 'the data directory')
    .argument('<to>', 'directory of the copy, preferably on another disk; created if it does not exist')
    .option('--json', 'print JSON')
    .addHelpText('after', COPY_HELP)
    .action(async (dir: string, to: string, options: { json?: boolean }) => {
      const copied = await withProgress('copying', copyLogOf(await findWorld(dir), to)).catch(refuse);
      if (options.json) printJson(copied);
      else printFields({ ...copied });
    });
  group
    .command('prove')
    .description(
      'proves to anybody without the log that a checkpoint includes a record, or continues another',
    )
    .argument('<dir>', 'the data directory')
    .option('--record <seq>', 'the record', toNumber)
    .option('--content', "include the record itself in the proof, with other users' commands in it")
    .option('--since <file>', 'prove that --checkpoint continues this older one')
    .requiredOption('--checkpoint <file>', 'a checkpoint that includes the record')
    .option('--json', 'has no effect: a proof is always JSON')
    .addHelpText('after', PROVE_HELP)
    .action(async (dir: string, options: ProveOptions) => {
      const proving = prove(await findWorld(dir), options);
      printJson(await withProgress('proving', proving).catch(refuse));
    });
  group
    .command('check-proof')
    .description('verifies a proof without the log')
    .argument('<file>', 'the output of `bourse log prove`')
    .requiredOption('--key <key>', "the exchange's key, or a file that contains it")
    .option('--checkpoint <file>', 'a checkpoint that you kept, used instead of the one in the proof')
    .option('--since <file>', 'an older checkpoint that you kept, used likewise')
    .option('--json', 'print JSON')
    .addHelpText('after', PROVE_HELP)
    .action(async (file: string, { key, json, ...kept }: CheckOptions) => {
      const checked = await checkProof(file, key, kept).catch(refuse);
      if (json) printLine(toJson(checked));
      else for (const line of describeChecked(checked)) printLine(line);
    });
  return group;
}

interface ProveOptions {
  readonly record?: number;
  readonly content?: boolean;
  readonly since?: string;
  readonly checkpoint: string;
}

interface CheckOptions extends KeptCheckpoints {
  readonly key: string;
  readonly json?: boolean;
}

function prove(dir: string, { record, content, since, checkpoint }: ProveOptions): Promise<object> {
  if ((record === undefined) === (since === undefined)) {
    throw new CommandFailed('Give either --record or --since.', EXIT.usage);
  }
  if (content && since !== undefined) {
    throw new CommandFailed(
      'Give --content only with --record: a proof of --since has no record.',
      EXIT.usage,
    );
  }
  return since === undefined
    ? proveRecord(dir, record!, checkpoint, content)
    : proveContinuation(dir, since, checkpoint);
}

function describeChecked(checked: CheckedRecord | CheckedContinuation): string[] {
  const { origin, size } = checked;
  if ('since' in checked) {
    return [`The log ${origin} of ${size} records continues the checkpoint of ${checked.since} records.`];
  }
  const { record, hash, content } = checked;
  const found = `Record ${record} with hash ${hash} is one of the ${size} records of ${origin}.`;
  if (!content)
    return [found, 'The proof does not include the record itself: `bourse log prove --content` does.'];
  return [found, `It was written at ${content.time} and contains:`, ...content.commands.map(toJson)];
}

const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));

interface VerifyOptions {
  readonly checkpoint?: string;
  readonly key?: string;
  readonly json?: boolean;
}

async function verify(dir: string, { checkpoint, key }: VerifyOptions): Promise<LogReport> {
  if ((checkpoint === undefined) !== (key === undefined)) {
    throw new CommandFailed(
      'Give --checkpoint and --key together: the key verifies the signature.',
      EXIT.usage,
    );
  }
  const report = await verifyLog(dir);
  if (checkpoint === undefined || report.damage.length > 0) return report;
  const fault = await faultAgainst(dir, report, await readCheckpoint(checkpoint, key!));
  return fault === null ? report : { ...report, damage: [fault] };
}

async function dump(dir: string, { from, to, json, ...names }: DumpOptions): Promise<void> {
  const filter = {
    ...names,
    ...(from !== undefined && { fromSeq: from }),
    ...(to !== undefined && { throughSeq: to }),
  };
  await printPieces(asText(dumpLog(nodeDisk, await findWorld(dir), filter), json ?? false));
}

/** Prints one object per line, or all of them as one array. */
async function* asText(lines: AsyncIterable<DumpedCommand>, isArray: boolean): AsyncGenerator<string> {
  let before = isArray ? '[' : '';
  for await (const line of lines) {
    yield before + toJson(line) + (isArray ? '' : '\n');
    if (isArray) before = ',';
  }
  if (isArray) yield before === ',' ? ']\n' : '[]\n';
}

function printReport({ damage, notes, ...figures }: LogReport): void {
  printFields({ state: damage.length === 0 ? 'clean' : 'damaged', ...figures });
  for (const note of notes) printLine(`note: ${note}`);
  for (const sentence of damage) printLine(`damage: ${sentence}`);
}

function refuse(error: unknown): never {
  throw toolFailure(error);
}

function toNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be an integer.');
  return Number(text);
}
