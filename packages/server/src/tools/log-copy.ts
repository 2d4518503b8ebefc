/** Copies what is complete of the log of a data directory, whether or not an exchange runs on it. */

import { logDirectory } from '../engine/file-storage.ts';
import { nodeDisk } from '../io/node-disk.ts';
import { type CopiedSegments, copySegments } from '../log/log-copy.ts';
import { requireDirectory } from './stopped-directory.ts';

export interface CopiedLog extends CopiedSegments {
  readonly dir: string;
}

export async function copyLogOf(dir: string, to: string): Promise<CopiedLog> {
  await requireDirectory(dir);
  return { dir: to, ...(await copySegments(nodeDisk, logDirectory(dir), logDirectory(to))) };
}
