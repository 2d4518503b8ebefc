/** `bourse fork`: copies a stopped exchange as of one of its records. */

import { Command, InvalidArgumentError } from 'commander';
import { LogGone } from '@bourse/engine';
import { forkDirectory } from '../tools/fork-directory.ts';
import { CommandFailed, EXIT, EXIT_HELP } from './exit-codes.ts';
import { printFields, printJson } from './output.ts';
import { withProgress } from './progress.ts';
import { findWorld, stoppedToolFailure } from './tool-messages.ts';

interface Options {
  readonly at: number;
  readonly out?: string;
  readonly json?: boolean;
}

export function forkCommand(): Command {
  return new Command('fork')
    .description('copies a stopped exchange as of one of its records')
    .argument('<dir>', 'data directory of a stopped exchange; it is not changed')
    .requiredOption('--at <seq>', 'sequence number of the last record to copy', parseSeq)
    .option('--out <dir>', 'directory to create (default: DIR-at-SEQ)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\nExample:\n  bourse fork ./data --at 1200 --out ./what-if\n${EXIT_HELP}`)
    .action(async (dir: string, { at, out = `${dir}-at-${at}`, json }: Options) => {
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
