#!/usr/bin/env -S node --max-inlined-bytecode-size-cumulative=4000 --max-inlined-bytecode-size=1000
// Plain JavaScript, because an old Node must be able to say that it is too old. The flags let the core's accessors be
// inlined; without them everything works, and slower.

import module from 'node:module';

const majorMin = 24;

if (Number.parseInt(process.versions.node, 10) < majorMin) {
  console.error(
    `bourse needs Node ${majorMin} or newer, this is ${process.version}. ` +
      'Inside the repository `npm start` and `npx bourse` use the Node that `npm install` brought along.',
  );
  process.exit(1);
}
// Compiled code is kept in the system's temporary directory: the second start takes half the time of the first.
module.enableCompileCache();
await import('../src/main.ts');
