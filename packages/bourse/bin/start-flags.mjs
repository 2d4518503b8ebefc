// V8 options that only work on the command line.

export const START_FLAGS = [
  // A scavenge stops its thread while it moves the survivors, and their number grows with what
  // was allocated since the last one: up to 64 MB by default.
  '--max-semi-space-size=16',
  // How many threads compile code and help the collector. Each competes for the processors with the threads that
  // requests wait for, the one that syncs the log among them: the default is four.
  '--v8-pool-size=2',
];
