/** Whole files as streams of bytes: for what is too large to be held in memory. */

import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeDirectories } from './make-directories.ts';
import { DIRECTORY_MODE } from './private-files.ts';

const FILE_MODE = 0o600;

export function readFileStream(path: string): ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
}

/** Durable when it resolves. */
export async function writeFileStream(path: string, bytes: ReadableStream<Uint8Array>): Promise<void> {
  makeDirectories(dirname(path), DIRECTORY_MODE);
  await pipeline(Readable.fromWeb(bytes as never), createWriteStream(path, { mode: FILE_MODE }));
  const file = await open(path, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
