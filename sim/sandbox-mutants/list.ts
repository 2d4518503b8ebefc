/** The sandbox's mutants: one rule of its worlds, clock, market, faults or watching broken at a time. */

import { type EngineMutant, inFile } from '../engine-mutants/mutant.ts';
import { EDGE } from './edge.ts';

const DETERMINISM = 'packages/bourse/test/sandbox/determinism.test.ts';
const WORLDS = 'packages/bourse/test/sandbox/worlds.test.ts';
const CONTROL = 'packages/bourse/test/sandbox/control.test.ts';
const CONTRACT = 'packages/bourse/test/sandbox/contract.test.ts';
const CLOCK = 'packages/sandbox/test/sandbox-clock.test.ts';
const MARKET = 'packages/bourse/test/sandbox/market/living-market.test.ts';
const REPLAY = 'packages/sandbox/test/market/replay.test.ts';

const SANDBOX_WORLDS: readonly EngineMutant[] = [
  ...inFile('engine/src/io/file-copy.ts', [
    {
      name: 'a fork shares its files with its origin',
      rule: 'forks',
      test: WORLDS,
      only: 'a fork is an exchange of its own',
      find: 'await promises.copyFile(from, to, MODE);',
      replace: 'await promises.link(from, to);',
    },
  ]),
  ...inFile('sandbox/src/worlds/forks.ts', [
    {
      name: 'a fork of a sequence has a record more',
      rule: 'forks',
      test: DETERMINISM,
      only: 'a fork goes on like its origin',
      find: 'await findCut(nodeDisk, logDirectory(world.dir), seq);',
      replace: 'await findCut(nodeDisk, logDirectory(world.dir), seq + 1);',
    },
    {
      name: 'the directory of a fork outlives it',
      rule: 'forks',
      test: WORLDS,
      only: 'a fork is an exchange of its own',
      find: '  await running.close();\n  await removeDirectory(dir);',
      replace: '  await running.close();',
    },
  ]),
  ...inFile('bourse/src/startup/sandbox-world.ts', [
    {
      name: 'a restore forgets the rate windows',
      rule: 'restore',
      test: WORLDS,
      only: 'a restore closes sockets',
      find: '{ throttle: state.throttle, tickerTimes: state.tickerTimes }',
      replace: '{ tickerTimes: state.tickerTimes }',
    },
    {
      name: 'a restore forgets when tickers changed',
      rule: 'restore',
      test: WORLDS,
      only: 'everything is as it was',
      find: '{ throttle: state.throttle, tickerTimes: state.tickerTimes }',
      replace: '{ throttle: state.throttle }',
    },
    {
      name: 'a restore ends sockets as if nothing were the matter',
      rule: 'restore',
      test: WORLDS,
      only: 'a restore closes sockets',
      find: 'const RESTART = 1012;',
      replace: 'const RESTART = 1000;',
    },
  ]),
  ...inFile('bourse/src/startup/sandbox-start.ts', [
    {
      name: 'a restore goes on with the present time',
      rule: 'restore',
      test: WORLDS,
      only: 'everything is as it was',
      find: 'new SandboxClock(nodeClock, state.clock);',
      replace: 'new SandboxClock(nodeClock, { ...state.clock, time: state.clock.time + 60_000 });',
    },
  ]),
  ...inFile('sandbox/src/worlds/world-directories.ts', [
    {
      name: 'a restore forgets history',
      rule: 'restore',
      test: WORLDS,
      only: 'later snapshots stay',
      find: "const FILES = ['log', 'snapshots', HISTORY, CLOCK_FILE];",
      replace: "const FILES = ['log', 'snapshots', CLOCK_FILE];",
    },
    {
      name: 'a restart begins where the sandbox was before it was restored',
      rule: 'restore',
      test: WORLDS,
      only: 'later snapshots stay',
      find: '    if (present !== this.#root) {',
      replace: '    if (present === this.#root) {',
    },
  ]),
  ...inFile('sandbox/src/sandbox.ts', [
    {
      name: 'the present world is given up before the other one stands',
      rule: 'restore',
      test: WORLDS,
      only: 'a restore that fails half-way',
      find: '      let world: World | undefined;\n',
      replace: '      let world: World | undefined;\n      await present.discard(WENT_BACK);\n',
    },
  ]),
];

const TIME: readonly EngineMutant[] = [
  ...inFile('sandbox/src/clock/sandbox-clock.ts', [
    {
      name: 'an advance does not wait for what it set off',
      rule: 'clock',
      test: CLOCK,
      find: '          timer.action();\n        }\n        await this.#calm();',
      replace: '          timer.action();\n        }',
    },
    {
      name: 'what is due inside an advance happens at its end',
      rule: 'clock',
      test: CONTROL,
      only: 'exchange time is what everything is timed by',
      find: 'this.#move(Math.max(0, due - this.#elapsed));',
      replace: 'this.#move(end - this.#elapsed);',
    },
    {
      name: 'time stands only nearly',
      rule: 'clock',
      test: CLOCK,
      find: "mode === 'manual' ? 0 : mode === 'real' ? 1 : speed",
      replace: "mode === 'real' || mode === 'manual' ? 1 : speed",
    },
  ]),
  ...inFile('sandbox/src/sandbox.ts', [
    {
      name: 'where time stood is not kept over a restart',
      rule: 'clock',
      test: CONTROL,
      only: 'a restart goes on where time stood',
      find: '{ time: clock.now(), tickers: services.market.marks }',
      replace: '{ time: 0, tickers: services.market.marks }',
    },
  ]),
];

const MARKETS: readonly EngineMutant[] = [
  ...inFile('sandbox/src/market/living-market.ts', [
    {
      name: 'an agent reads the wall clock',
      rule: 'agents',
      test: DETERMINISM,
      only: 'with agents as well',
      find: 'return Math.floor(this.#clock.now() + this.#port.aheadMs);',
      replace: 'return Math.max(Math.floor(this.#clock.now()), this.#clock.now() + (Date.now() % 50));',
    },
    {
      name: 'a market that was begun later is ended by a restore',
      rule: 'agents',
      test: CONTRACT,
      only: 'a market that was begun later',
      find: 'const { preset: startPreset, seed: startSeed } = this.#start;',
      replace: 'const { preset: startPreset, seed: startSeed } = words;',
    },
  ]),
  ...inFile('sandbox/src/market/step.ts', [
    {
      name: 'agents have chance of their own',
      rule: 'agents',
      test: DETERMINISM,
      only: 'with agents as well',
      find: 'new Random(state.seed, state.step);',
      replace: 'new Random(Math.floor(Math.random() * 1e9), state.step);',
    },
  ]),
  ...inFile('sandbox/src/market/beginning.ts', [
    {
      name: 'agents that leave let their orders stand',
      rule: 'agents',
      test: MARKET,
      find: "return hasOrders ? [{ kind: 'cancel-orders', user, symbol }] : [];",
      replace: 'return [];',
    },
  ]),
  ...inFile('bourse/src/startup/sandbox.ts', [
    {
      name: 'secrets are sealed by chance',
      rule: 'determinism',
      test: DETERMINISM,
      only: 'one advance of a minute',
      find: '{ isRepeatable: true }',
      replace: '{ isRepeatable: false }',
    },
  ]),
  ...inFile('sandbox/src/replay/replay.ts', [
    {
      name: 'a recording is played up to its broken line',
      rule: 'recordings',
      test: REPLAY,
      find: 'await tape\n      .check()',
      replace: "await Promise.resolve({ kind: 'trades' as const, events: 9, firstTime: now, lastTime: now })",
    },
    {
      name: 'a recording begins anew after a restart',
      rule: 'recordings',
      test: REPLAY,
      only: 'goes on with the next line',
      find: 'for (; opened.played < state.played; opened.played++) {',
      replace: 'for (; opened.played < state.played; opened.played = state.played) {',
    },
  ]),
];

export const SANDBOX_MUTANTS: readonly EngineMutant[] = [...SANDBOX_WORLDS, ...TIME, ...MARKETS, ...EDGE];
