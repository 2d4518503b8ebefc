/** The mutated folders, their judges, and the equivalent mutants. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '@bourse/test-kit/random.ts';
import { listFiles, root } from '../../scripts/tree.mjs';
import { checks, type Judge, longChecks, NearTests, simulator, testFile } from './judges.ts';
import { keyOf, type Mutant, mutantsOf, type Place } from './mutant.ts';

export interface Target {
  readonly name: string;
  /** Folders or files. */
  readonly sources: readonly string[];
  readonly judgesOf: (file: string) => readonly Judge[];
}

/** Maximum number of a file's tests that are tried: the nearest catch nearly all that any would. */
const TESTS_MAX = 4;
/** Worlds of the simulator. Most mutants fail in the first few. */
const WORLDS = 100;

const tests = new NearTests();
const near = (file: string): Judge[] => tests.of(file, TESTS_MAX).map((test) => testFile(test));

export const TARGETS: readonly Target[] = [
  {
    name: 'core',
    sources: ['packages/core/src/'],
    judgesOf: (file) => [checks, ...near(file), longChecks],
  },
  {
    name: 'engine',
    sources: ['packages/engine/src/'],
    judgesOf: (file) => [...near(file), simulator(WORLDS)],
  },
  {
    // Decisions of a node. Its use of NATS is tested with real servers, which is too slow for a mutant.
    name: 'cluster',
    sources: [
      'authentication.ts',
      'leadership/',
      'messages/command-',
      'states/',
      'stream/jetstream-log.ts',
      'stream/record-',
      'waiting-commands.ts',
      'log-turns.ts',
    ].map((path) => `packages/cluster/src/${path}`),
    judgesOf: (file) => [...near(file), testFile('sim/cluster/cluster.test.ts')],
  },
  {
    name: 'sandbox',
    sources: ['clock/', 'faults/', 'market/', 'replay/', 'watch/', 'worlds/'].map(
      (folder) => `packages/sandbox/src/${folder}`,
    ),
    judgesOf: near,
  },
  {
    name: 'api',
    sources: [
      'gateway/access/',
      'gateway/admission.ts',
      'gateway/errors/',
      'gateway/money/',
      'gateway/orders/',
      'sockets/',
      'views/',
    ].map((folder) => `packages/api/src/${folder}`),
    judgesOf: near,
  },
];

/** All non-equivalent mutants of a target. */
export function mutantsOfTarget({ sources }: Target): Mutant[] {
  const equivalent = new Set(EQUIVALENT.map(keyOf));
  const files = listFiles();
  const unknown = sources.find((path) => !files.some((file) => file.startsWith(path)));
  if (unknown !== undefined) throw new Error(`no file begins with ${unknown}: it was moved`);
  return files
    .filter((file) => sources.some((path) => file.startsWith(path)) && file.endsWith('.ts'))
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
    .filter((mutant) => !equivalent.has(keyOf(mutant)));
}

/** A sample determined by its seed, of files whose path contains `part`. */
export function sampleOf(target: Target, seed: number, count: number, part = ''): Mutant[] {
  const all = mutantsOfTarget(target).filter(({ file }) => file.includes(part));
  return new Random(seed).shuffle(all).slice(0, count);
}

export interface Equivalent extends Place {
  readonly reason: string;
}

/**
 * Equivalent mutants, which no test can catch. Identified by their code, not by position; the test of this list fails
 * if the code no longer exists.
 */
export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'packages/core/src/matching/cancel.ts',
    scope: 'cancelOrder',
    operator: 'arguments swapped',
    text: 'cancelUntouched(state, command)',
    nth: 1,
    reason: 'the fast path finds no order and falls through to the general path, which does the same',
  },
  {
    file: 'packages/core/src/tables/index-table.ts',
    scope: 'IndexTable.constructor',
    operator: 'statement removed',
    text: 'this.#highFactor = high | 1;',
    nth: 1,
    reason: 'a worse hash only makes searches longer',
  },
  {
    file: 'packages/core/src/matching/rest-at-once.ts',
    scope: 'isTextFree',
    operator: 'and, or',
    text: "clientId === '' || state.clientIds.find(user, clientId) === 0",
    nth: 1,
    reason: 'orders with a client id fall through to the general path, which does the same',
  },
];
