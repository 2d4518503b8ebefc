/** Mutants of what waits for a record, and of the record's time. */

import { type EngineMutant, inFile, TESTS } from './mutant.ts';

export const QUEUE: readonly EngineMutant[] = [
  ...inFile('engine/command-queue.ts', [
    {
      name: 'a batch that is cut keeps its callers in the wrong order',
      rule: 'promise 1',
      test: `${TESTS}/engine/command-queue.test.ts`,
      find: 'side.resolves.push(all.resolves[place]);',
      replace: 'side.resolves.unshift(all.resolves[place]);',
    },
    {
      name: 'users with a backlog do not take turns',
      rule: 'fair queue',
      test: `${TESTS}/engine/command-queue.test.ts`,
      find: 'return [...lanes].toSorted(([a], [b]) => turnOf(a) - turnOf(b));',
      replace: 'return [...lanes];',
    },
    {
      name: 'a record is not bounded by work',
      rule: 'fair queue',
      test: `${TESTS}/engine/command-queue.test.ts`,
      find: ' && work + nextWork <= bounds.work;',
      replace: ';',
    },
  ]),
  ...inFile('engine/log-time.ts', [
    {
      name: 'time goes back with the wall clock',
      rule: 'log time',
      find: 'if (isBelieved && wall >= this.#time) {',
      replace: 'if (isBelieved && wall > 0) {',
    },
    {
      name: 'time stands still while the wall clock is behind',
      rule: 'log time',
      test: `${TESTS}/engine/log-time.test.ts`,
      find: 'this.#time += passed;',
      replace: '',
    },
    {
      name: 'the wall clock never catches up',
      rule: 'log time',
      test: `${TESTS}/engine/log-time.test.ts`,
      find: 'const BEHIND_PACE = 1 / 2;',
      replace: 'const BEHIND_PACE = 1;',
    },
  ]),
];
