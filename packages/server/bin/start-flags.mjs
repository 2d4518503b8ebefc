// What V8 takes on the command line alone. A collection of the young stops its thread for as long as what survives
// takes to move, and that grows with how much was allocated since the last one: V8 lets it be 64 MB.

export const START_FLAGS = ['--max-semi-space-size=16'];
