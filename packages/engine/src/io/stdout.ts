/** Standard output without waiting for it. */

import { write } from 'node:fs';

/** By a thread of its own: writing to a terminal that is stopped (Ctrl-S) blocks. */
export function writeToStdout(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    write(1, text, (error) => (error ? reject(error) : resolve()));
  });
}
