/** `bourse snapshot`: a snapshot of a stopped directory. */

import { Command } from 'commander';
import { takeSnapshot } from '../tools/stopped-directory.ts';
import { EXIT_HELP } from './exit-codes.ts';
import { printFields, printJson } from './output.ts';
import { withProgress } from './progress.ts';
import { findWorld, stoppedToolFailure, toolListeners } from './tool-messages.ts';

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
