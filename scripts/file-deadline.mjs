// Loaded into each process that `node --test` starts. A test that has timed out may keep its process alive forever, and
// the runner would wait without reporting the file.

import { isMainThread } from 'node:worker_threads';

const MINUTES_MAX = 15;

if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) {
  setTimeout(() => {
    console.error(`${process.argv[1]} is still running after ${MINUTES_MAX} minutes; ending it.`);
    process.exit(1);
  }, MINUTES_MAX * 60_000).unref();
}
