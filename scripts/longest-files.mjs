// A reporter of `node --test`: which files take longest.

import { relative } from 'node:path';
import { root } from './tree.mjs';

/** The long run has few files, so all of them are shown. */
const SHOWN = process.env.TEST_SIZE === 'long' ? Infinity : 20;

export default async function* longestFiles(events) {
  const files = [];
  for await (const { type, data } of events) {
    // Each file has a summary, and one without a file sums up all of them.
    if (type === 'test:summary' && data.file) files.push(data);
  }
  const longest = files.toSorted((a, b) => b.duration_ms - a.duration_ms).slice(0, SHOWN);
  yield `\nThe files that took longest, of ${files.length}:\n`;
  for (const { file, duration_ms: ms } of longest)
    yield `${(ms / 1000).toFixed(1).padStart(8)} s  ${relative(root, file)}\n`;
}
