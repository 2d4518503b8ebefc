#!/usr/bin/env -S node --max-inlined-bytecode-size-cumulative=4000 --max-inlined-bytecode-size=1000 --no-allocation-site-pretenuring --no-parallel-scavenge
// Plain JavaScript, because an old Node must be able to say that it is too old. Two flags let the core's accessors be
// inlined. The third keeps V8 from placing what one request needs among what lasts: once it does, everything that hangs
// on it outlives the request too, and collecting garbage takes three times as long. The fourth lets each thread collect
// its own: what survives is little, and helpers that wait for a processor make the thread wait for them. Without the
// flags all works, and slower.

import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const majorMin = 24;

if (Number.parseInt(process.versions.node, 10) < majorMin) {
  console.error(
    `bourse needs Node ${majorMin} or newer, this is ${process.version}. ` +
      'Inside the repository `npm start` and `npx bourse` use the Node that `npm install` brought along.',
  );
  process.exit(1);
}
// Compiled code is kept in the system's temporary directory, so that the second start is faster than the first. Threads
// learn of it from the environment alone.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
await import('../src/main.ts');
