/** Mutants of new segments, and of records that nobody waits for. */

import { type EngineMutant, inFile } from './mutant.ts';

const LAZY_TEST = 'packages/engine/test/lazy-records.test.ts';

export const SEGMENTS: readonly EngineMutant[] = inFile('engine/src/log/new-segment.ts', [
  {
    name: 'segments for which there was no room are left lying about',
    rule: 'promise 4',
    test: 'packages/engine/test/log/log-segments.test.ts',
    find: '    await disk.remove(path).catch(() => undefined);\n',
    replace: '',
  },
  {
    name: 'the directory of a new segment is not synced',
    rule: 'promise 1',
    find: '    await disk.rename(`${path}${UNFINISHED}`, path);\n    await disk.syncDirectory(dir);',
    replace: '    await disk.rename(`${path}${UNFINISHED}`, path);',
  },
  {
    name: 'a segment gets its name before its header is durable',
    rule: 'promise 2',
    find: '    await file.sync();\n    return file;',
    replace: '    return file;',
  },
]);

/** Records that nobody waits for. */
export const LAZY: readonly EngineMutant[] = [
  ...inFile('engine/src/log/file-log.ts', [
    {
      name: 'what nobody waited for is taken for durable before it is synced',
      rule: 'promise 10',
      test: LAZY_TEST,
      find: '    this.isBehind = true;\n',
      replace: '',
    },
  ]),
  ...inFile('engine/src/log/tail.ts', [
    {
      name: 'records that nobody waited for make a torn tail look damaged',
      rule: 'promise 2',
      test: 'packages/engine/test/log/log-crash.test.ts',
      find: 'later.find(({ isEarly }) => !isEarly)',
      replace: 'later[0]',
    },
  ]),
  ...inFile('engine/src/sequencer.ts', [
    {
      name: 'a read sees what nobody waited for',
      rule: 'promise 10',
      test: LAZY_TEST,
      find: '    if (!isLazy) this.secure();\n',
      replace: '',
    },
    {
      name: 'nobody waits for a record though somebody watches',
      rule: 'promise 10',
      test: LAZY_TEST,
      find: 'appendLazily?.(record, this.#isWatched())',
      replace: 'appendLazily?.(record, false)',
    },
    {
      name: 'nobody waits for a record where time is the machine’s',
      rule: 'promise 10',
      test: LAZY_TEST,
      find: 'const isLazy = this.#clock.isSimulated && ',
      replace: 'const isLazy = ',
    },
    {
      name: 'nobody waits for a record because one of its commands is an agent’s',
      rule: 'promise 1',
      test: LAZY_TEST,
      find: 'waiters.every((each) => each.isLazy)',
      replace: 'waiters.some((each) => each.isLazy)',
    },
  ]),
];
