/** Mutants of what waits for a record, and of the record's time. */

import { type EngineMutant, inFile, TESTS } from './mutant.ts';

export const QUEUE: readonly EngineMutant[] = [
  ...inFile('engine/command-queue.ts', [
    {
      name: 'later commands of an owner overtake one that must wait',
      rule: 'unfinished orders',
      test: `${TESTS}/engine/command-queue.test.ts`,
      find: 'if (stop >= 0) places.length = stop;',
      replace: 'if (stop >= 0) places.splice(stop, 1);',
    },
    {
      name: 'a batch that is cut keeps its callers in the wrong order',
      rule: 'promise 1',
      test: `${TESTS}/engine/command-queue.test.ts`,
      find: 'side.waiters.push(all.waiters[place]);',
      replace: 'side.waiters.unshift(all.waiters[place]);',
    },
    {
      name: 'users with a backlog do not take turns',
      rule: 'fair queue',
      test: `${TESTS}/engine/command-queue.test.ts`,
      find: 'return [...lanes.values()].toSorted((a, b) => a.turn - b.turn);',
      replace: 'return [...lanes.values()];',
    },
    {
      name: 'a record is not bounded by work',
      rule: 'fair queue',
      test: `${TESTS}/engine/command-queue.test.ts`,
      find: ' && work + nextWork <= bounds.work;',
      replace: ';',
    },
  ]),
  ...inFile('engine/record-answers.ts', [
    {
      name: 'the answer to an order that goes on comes when it is cut',
      rule: 'unfinished orders',
      test: `${TESTS}/engine/carried-on.test.ts`,
      find: "if (outcome.kind === 'unfinished') this.#unfinished.set(outcome.order, waiter);\n      else ",
      replace: '',
    },
    {
      name: 'commands that wait for an order are lost',
      rule: 'unfinished orders',
      test: `${TESTS}/engine/carried-on.test.ts`,
      find: 'this.#queue.putBack(batch, waits);',
      replace: '',
    },
  ]),
  ...inFile('engine/sequencer.ts', [
    {
      name: 'the sequencer closes in the middle of an order',
      rule: 'unfinished orders',
      test: `${TESTS}/engine/carried-on.test.ts`,
      find: 'this.#isClosing && this.#answers.waiting === 0',
      replace: 'this.#isClosing',
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
