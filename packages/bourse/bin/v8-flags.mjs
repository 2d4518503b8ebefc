// V8 flags for compiling and garbage collection; without them an exchange works, but slower. They are set here and not on
// the command line, so that every way of starting has them. Import this before the code that it affects.

import { setFlagsFromString } from 'node:v8';

const FLAGS = [
  // The core's accessors are inlined only with room for them. A function as large as a whole fast path is not
  // inlined: it is compiled with all of that room for itself, instead of sharing its caller's, where chance decides what
  // is inlined.
  '--max-inlined-bytecode-size-cumulative=4000',
  '--max-inlined-bytecode-size=450',
  // The kind of a command is read from objects of many shapes. V8 compares up to this many inline; beyond its default of
  // four, it does a look-up for every command.
  '--max-valid-polymorphic-map-count=12',
  // Keeps V8 from pretenuring objects of one request: once it does, everything they reference outlives the request too, and
  // garbage collection takes three times as long.
  '--no-allocation-site-pretenuring',
  // Each thread collects its own garbage: few objects survive, and a thread that shares the work waits for others that wait
  // for a processor.
  '--no-parallel-scavenge',
  // By default V8 marks the whole heap again when it has grown by a tenth: every 2.5 s at 8,000 orders a second, to free
  // 7 MB of 45, and requests wait for 20 ms of marking and a pause of 6 ms. More than this takes too much memory.
  '--heap-growing-percent=40',
];

for (const flag of FLAGS) setFlagsFromString(flag);
