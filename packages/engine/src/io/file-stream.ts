/** Files too large for memory as streams of bytes, and standard output. */

import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectories } from './directories.ts';
import { DIRECTORY_MODE } from './private-files.ts';
import { write } from 'node:fs';

const FILE_MODE = 0o600;

/** Chunks of this many bytes, and the rest. */
export async function* readFilePieces(path: string, bytesMax: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Writes the chunks that `fetch` returns, in order. Durable when it resolves. */
export function writeFilePieces(
  path: string,
  names: readonly string[],
  fetch: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (const name of names) yield await fetch(name);
  };
  return writeFileFrom(path, pieces());
}

/** Durable when it resolves. */
export async function writeFileFrom(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  makeDirectories(dirname(path), DIRECTORY_MODE);
  const file = await open(path, 'w', FILE_MODE);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** In its own thread: writing to a stopped terminal (Ctrl-S) blocks. */
export function writeToStdout(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    write(1, text, (error) => (error ? reject(error) : resolve()));
  });
}
