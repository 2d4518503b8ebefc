/** `bourse backup` and `bourse restore`: copies of an exchange on another disk, and exchanges from such a copy. */

import { Command } from 'commander';
import { backUp, restoreBackup, type RestorePoint, verifyBackup } from '../tools/backup.ts';
import { CommandFailed, EXIT, EXIT_HELP } from './help.ts';
import { timeOption } from './operator-client.ts';
import { printFields, printJson, printLine, withProgress } from './output.ts';
import { findWorld, toolFailure } from './tool-messages.ts';

const DEFAULT_DATA = './data';
/** Of a number this large or larger: it is a time in milliseconds, of this century. No log has as many records. */
const TIME_MIN = 1e12;

const BACKUP_HELP = `
Examples:
  bourse backup ../other-disk/bourse
  bourse backup ../other-disk/bourse --data /var/lib/bourse
  bourse backup verify ../other-disk/bourse

The exchange may run. The first backup copies everything, the next ones into the same directory what is new. The secret key is not in it: keep that elsewhere, because without it nobody can start what is restored.
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
      // `backup` has the option too, and takes it from behind `verify`.
      const { json } = self.optsWithGlobals<{ json?: boolean }>();
      const { damage, ...checked } = await withProgress('checking', verifyBackup(dir)).catch(refuse);
      if (json) printJson({ ...checked, damage });
      else {
        printFields(checked);
        for (const sentence of damage) printLine(sentence);
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
    .requiredOption('--to <dir>', 'data directory to make')
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
