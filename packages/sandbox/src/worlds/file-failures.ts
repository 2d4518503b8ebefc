/** Errors of snapshots, restores, forks and the clock caused by a full disk or damaged files. */

import { LogDamaged, LogGone, LogTooNew } from '@bourse/engine';
import { Refusal } from '@bourse/api';
import { sandboxRefusal } from '../sandbox-errors.ts';

const MEMBERS = { id: 'string', name: 'string', seq: 'number', time: 'number', state: 'object' } as const;

/** The error to throw if `what` failed. */
export function withoutRoom(what: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return sandboxRefusal('disk-full', `The ${what} needs more room on the disk (${message}).`);
}

/** The error to throw if a copy of a snapshot could not be opened. */
export function notOpened(id: string, from: string, copy: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOfFiles =
    error instanceof LogDamaged ||
    error instanceof LogGone ||
    error instanceof LogTooNew ||
    code === 'ENOENT';
  // The copy will be removed before anybody can inspect it.
  return isOfFiles ? damagedSnapshot(id, message.replaceAll(copy, from)) : error;
}

/** Parses the metadata of a snapshot. Throws if it belongs to another one. */
export function checkedEntry(id: string, text: string): unknown {
  let entry: Readonly<Record<string, unknown>> | null;
  try {
    entry = JSON.parse(text);
  } catch (error) {
    throw damagedSnapshot(id, `snapshot.json: ${(error as SyntaxError).message}.`);
  }
  const missing = Object.entries(MEMBERS).find(([name, type]) => typeof entry?.[name] !== type);
  if (missing !== undefined) throw damagedSnapshot(id, `snapshot.json has no ${missing[0]}.`);
  if (entry!['id'] !== id) throw damagedSnapshot(id, 'snapshot.json is that of another snapshot.');
  return entry;
}

export class DamagedSnapshot extends Refusal<'snapshot-damaged'> {}

const damagedSnapshot = (id: string, why: string): DamagedSnapshot =>
  new DamagedSnapshot('snapshot-damaged', `Snapshot ${id} is damaged and was left as it is. ${why}`);
