// What is taken on the command line alone.

export const START_FLAGS = [
  // A collection of the young stops its thread for as long as what survives takes to move, and that grows with how much
  // was allocated since the last one: V8 lets it be 64 MB.
  '--max-semi-space-size=16',
  // How many threads compile code and help the collector. Each competes for the processors with the threads that
  // requests wait for, the one that syncs the log among them: V8's default are four.
  '--v8-pool-size=2',
];
