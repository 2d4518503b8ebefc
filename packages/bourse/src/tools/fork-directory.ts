/** A stopped directory as it was after one of its records, as a directory of its own. The first one stays as it is. */

import {
  copyFile,
  copyLog,
  findCut,
  isFile,
  logDirectory,
  LogGone,
  makeLockFile,
  nodeDisk,
  removeDirectory,
} from '@bourse/engine';
import { beginAgain } from '../startup/checkpoints.ts';
import { SECRET_KEYS_FILE } from '../startup/venue-secret.ts';
import { lockStopped, NoDirectory, requireDirectory } from './stopped-directory.ts';

export interface Forked {
  readonly dir: string;
  readonly seq: number;
  /** Of its last record. */
  readonly time: string;
}

/** Only the log is copied: the next start makes snapshots and history from it. */
export async function forkDirectory(dir: string, seq: number, target: string): Promise<Forked> {
  const [first] = await requireDirectory(dir);
  if (first !== 1) {
    throw new LogGone(
      `The log of ${dir} begins with record ${first}: a fork needs it from the first record on.`,
    );
  }
  if ((await nodeDisk.list(target)).length > 0) {
    throw new NoDirectory(`${target} is not empty: name a directory that is not there yet.`);
  }
  const release = await lockStopped(dir);
  try {
    const cut = await findCut(nodeDisk, logDirectory(dir), seq);
    await copyLog(logDirectory(dir), logDirectory(target), cut);
    if (await isFile(`${dir}/${SECRET_KEYS_FILE}`)) {
      await copyFile(`${dir}/${SECRET_KEYS_FILE}`, `${target}/${SECRET_KEYS_FILE}`);
    }
    await beginAgain(target, dir, seq);
    makeLockFile(target);
    return { dir: target, seq, time: new Date(cut.time).toISOString() };
  } catch (error) {
    await removeDirectory(target).catch(() => undefined);
    throw error;
  } finally {
    await release();
  }
}
