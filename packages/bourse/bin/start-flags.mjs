// V8 options that only work on the command line.

export const START_FLAGS = [
  // A scavenge stops its thread while it moves the survivors, which grow with the amount that
  // was allocated since the last one: V8 lets it be 64 MB.
  '--max-semi-space-size=16',
  // How many threads compile code and help the collector. Each competes for the processors with the threads that
  // requests wait for, the one that syncs the log among them: V8's default are four.
  '--v8-pool-size=2',
];
