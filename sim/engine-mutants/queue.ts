/** Mutants of what waits for a record, and of the record's time. */

import { type EngineMutant, inFile } from './mutant.ts';

export const QUEUE: readonly EngineMutant[] = [
  ...inFile('engine/src/command-queue.ts', [
    {
      name: 'later commands of an owner overtake one that must wait',
      rule: 'unfinished orders',
      test: 'packages/engine/test/command-queue.test.ts',
      find: 'lane.next = NOWHERE;',
      replace: 'lane.next = this.#following[place];\n          isLeft = true;',
    },
    {
      name: 'a batch that is cut keeps its callers in the wrong order',
      rule: 'promise 1',
      test: 'packages/engine/test/command-queue.test.ts',
      find: 'taken.waiters.push(waiters[place]);',
      replace: 'taken.waiters.unshift(waiters[place]);',
    },
    {
      name: 'users with a backlog do not take turns',
      rule: 'fair queue',
      test: 'packages/engine/test/command-queue.test.ts',
      find: 'return [...lanes.values()].toSorted((a, b) => a.turn - b.turn);',
      replace: 'return [...lanes.values()];',
    },
    {
      name: 'a record is not bounded by work',
      rule: 'fair queue',
      test: 'packages/engine/test/command-queue.test.ts',
      find: ' && work <= bounds.work;\n        if',
      replace: ';\n        if',
    },
    {
      name: 'whose a command is, is forgotten when what is left moves up',
      rule: 'fair queue',
      test: 'packages/engine/test/command-queue.test.ts',
      find: 'owners[left++] = owners[place];',
      replace: 'left++;',
    },
    {
      name: 'what is left keeps the bytes of what was taken',
      rule: 'fair queue',
      test: 'packages/engine/test/command-queue.test.ts',
      find: 'sizes[left] = sizes[place];',
      replace: '',
    },
  ]),
  ...inFile('engine/src/record-answers.ts', [
    {
      name: 'the answer to an order that goes on comes when it is cut',
      rule: 'unfinished orders',
      test: 'packages/engine/test/carried-on.test.ts',
      find: "if (outcome.kind === 'unfinished') this.#unfinished.set(outcome.order, waiter);\n      else ",
      replace: '',
    },
    {
      name: 'commands that wait for an order are lost',
      rule: 'unfinished orders',
      test: 'packages/engine/test/carried-on.test.ts',
      find: 'this.#queue.putBack(batch, waits);',
      replace: '',
    },
  ]),
  ...inFile('engine/src/sequencer.ts', [
    {
      name: 'the sequencer closes in the middle of an order',
      rule: 'unfinished orders',
      test: 'packages/engine/test/carried-on.test.ts',
      find: 'this.#isClosing && this.#answers.waiting === 0',
      replace: 'this.#isClosing',
    },
    {
      name: 'while time stands, commands go beside what a record left over',
      rule: 'promise 21',
      test: 'packages/engine/test/carried-on.test.ts',
      find: 'this.#isHeldUp ? noCommands() : ',
      replace: '',
    },
    {
      name: 'while time stands, reads see what a record left over',
      rule: 'promise 21',
      test: 'packages/engine/test/carried-on.test.ts',
      find: 'if (!this.#inFlight && !this.#isHeldUp) return',
      replace: 'if (!this.#inFlight) return',
    },
  ]),
  ...inFile('engine/src/log-time.ts', [
    {
      name: 'time goes back with the wall clock',
      rule: 'log time',
      find: 'if (isBelieved && wall >= this.#time) {',
      replace: 'if (isBelieved && wall > 0) {',
    },
    {
      name: 'time stands still while the wall clock is behind',
      rule: 'log time',
      test: 'packages/engine/test/log-time.test.ts',
      find: 'this.#time += passed;',
      replace: '',
    },
    {
      name: 'the wall clock never catches up',
      rule: 'log time',
      test: 'packages/engine/test/log-time.test.ts',
      find: 'const BEHIND_PACE = 1 / 2;',
      replace: 'const BEHIND_PACE = 1;',
    },
  ]),
];
