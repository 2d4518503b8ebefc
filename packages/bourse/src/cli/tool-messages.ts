/** Messages of tools that open a data directory. */

import { DirectoryInUse, type EngineOptions, systemSentence } from '@bourse/engine';
import { presentDirectory } from '@bourse/sandbox/basics';
import { CommandFailed, EXIT, showStatus } from './output.ts';

export const toolListeners: Required<Pick<EngineOptions, 'onProgress' | 'onWarning'>> = {
  onProgress({ records, recordsTotal, commands }) {
    const percent = recordsTotal === 0 ? 100 : Math.floor((100 * records) / recordsTotal);
    showStatus(`recovering: ${percent} %, ${records} of ${recordsTotal} records, ${commands} commands`);
  },
  onWarning(sentence) {
    process.stderr.write(`${sentence}\n`);
  },
};

/** The world of a data directory that tools read: after a restore the current one. */
export async function findWorld(dir: string): Promise<string> {
  const present = await presentDirectory(dir);
  if (present !== dir) {
    process.stderr.write(`note: the sandbox was restored from a snapshot; reading ${present}\n`);
  }
  return present;
}

/** Errors whose message is for the user. Any other error is a defect of Bourse, and is shown with its stack. */
const PLAIN = [
  'BackupUnfit',
  'DirectoryInUse',
  'NoRoom',
  'NoteUnfit',
  'ProofUnfit',
  'SnapshotTooNew',
  'WrongDirectory',
];
const PLAIN_OF_LOG = ['CopyUnfit', 'LogBroken', 'LogDamaged', 'LogGone', 'LogTooNew', 'RecordUnfit'];
const PLAIN_OF_HISTORY = ['HistoryDamaged', 'HistoryFull', 'HistoryGap', 'HistoryUnfit'];

/** The arguments name something that is not a data directory, or not in it. */
const ELSEWHERE = ['NoDirectory', 'NoLog', 'NotInLog'];

/** The failure of a command on a data directory. */
export function toolFailure(error: unknown): CommandFailed {
  if (!(error instanceof Error)) return new CommandFailed(String(error));
  if (ELSEWHERE.includes(error.name)) return new CommandFailed(error.message, EXIT.usage);
  const refused = systemSentence(error);
  if (refused !== undefined) {
    return new CommandFailed(
      `The data directory cannot be used: ${refused} Name a directory that this user may read and write.`,
      EXIT.data,
    );
  }
  const isPlain = [...PLAIN, ...PLAIN_OF_LOG, ...PLAIN_OF_HISTORY].includes(error.name) || 'code' in error;
  return isPlain
    ? new CommandFailed(error.message, EXIT.data)
    : new CommandFailed(error.stack ?? error.message, EXIT.failed);
}

/** For tools of a stopped exchange. Unlike a start they cannot use another, empty directory instead. */
export function stoppedToolFailure(error: unknown, dir: string): CommandFailed {
  if (!(error instanceof DirectoryInUse)) return toolFailure(error);
  const msg = `The data directory ${dir} is in use by another process. Stop that one first, or name a copy that was made while it was stopped.`;
  return new CommandFailed(msg, EXIT.data);
}
