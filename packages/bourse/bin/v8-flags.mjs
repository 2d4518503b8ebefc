// How V8 compiles and collects garbage for an exchange; without the flags all works, and slower. Set here and not on
// the command line, so that every way of starting has them. It must be imported before the code that it is for.

import { setFlagsFromString } from 'node:v8';

const FLAGS = [
  // The core's accessors are inlined only with room for them. A function as large as a whole straight way is not
  // inlined: it is compiled with all of that room for itself, instead of sharing its caller's, where chance decides what
  // is inlined.
  '--max-inlined-bytecode-size-cumulative=4000',
  '--max-inlined-bytecode-size=450',
  // What kind a command is, is read from objects of many shapes. V8 compares up to so many in place; beyond four, its
  // default, it calls a search for every command.
  '--max-valid-polymorphic-map-count=12',
  // Keeps V8 from placing what one request needs among what lasts: once it does, everything that hangs on it outlives
  // the request too, and collecting garbage takes three times as long.
  '--no-allocation-site-pretenuring',
  // Each thread collects its own garbage: what survives is little, and a thread that shares the work waits for others
  // that wait for a processor.
  '--no-parallel-scavenge',
];

for (const flag of FLAGS) setFlagsFromString(flag);
