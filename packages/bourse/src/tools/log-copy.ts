/** Copies what is complete of the log of a data directory, whether or not an exchange runs on it. */

import { type CopiedSegments, copySegments, logDirectory, nodeDisk } from '@bourse/engine';
import { requireDirectory } from './stopped-directory.ts';

export interface CopiedLog extends CopiedSegments {
  readonly dir: string;
}

export async function copyLogOf(dir: string, to: string): Promise<CopiedLog> {
  await requireDirectory(dir);
  return { dir: to, ...(await copySegments(nodeDisk, logDirectory(dir), logDirectory(to))) };
}
