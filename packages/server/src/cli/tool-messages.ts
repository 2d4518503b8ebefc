/** What tools that open a data directory say on the way, and when they cannot. */

import type { EngineOptions } from '../engine/engine.ts';

export const toolListeners: Required<Pick<EngineOptions, 'onProgress' | 'onWarning'>> = {
  onProgress({ records, recordsTotal, commands }) {
    process.stderr.write(`recovering: ${records} of ${recordsTotal} records, ${commands} commands\n`);
  },
  onWarning(sentence) {
    process.stderr.write(`${sentence}\n`);
  },
};

/** Those that say what is wrong in a sentence; anything else is a fault of ours, and its stack is worth more. */
const PLAIN = ['DirectoryInUse', 'NoDirectory', 'NoRoom', 'SnapshotTooNew'];
const PLAIN_OF_LOG = ['LogBroken', 'LogDamaged', 'LogGone', 'LogTooNew'];
const PLAIN_OF_HISTORY = ['HistoryDamaged', 'HistoryFull', 'HistoryGap', 'HistoryUnfit'];

export function toolMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isPlain = [...PLAIN, ...PLAIN_OF_LOG, ...PLAIN_OF_HISTORY].includes(error.name) || 'code' in error;
  return isPlain ? error.message : (error.stack ?? error.message);
}
