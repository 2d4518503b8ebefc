/** Mutants of history: its transactions, its packs and runs, and what it forgets. */

import { type EngineMutant, inFile } from './mutant.ts';

const SQLITE = 'packages/engine/test/history/sqlite';

export const HISTORY: readonly EngineMutant[] = [
  ...inFile('engine/src/history/sqlite/sqlite-history-writer.ts', [
    {
      name: 'the checkpoint of history is not in the transaction of its rows',
      rule: 'history',
      test: `${SQLITE}/sqlite-history.test.ts`,
      find: '      addToCandles(this.#db, trades);\n      this.#db\n',
      replace: '      addToCandles(this.#db, trades);\n    });\n    this.#transact(() => {\n      this.#db\n',
    },
    {
      name: 'records that history has are written again',
      rule: 'history',
      test: `${SQLITE}/sqlite-history.test.ts`,
      find: 'if (record.seq <= last) continue;',
      replace: '',
    },
  ]),
  ...inFile('engine/src/history/sqlite/packed-writer.ts', [
    {
      name: 'a transaction that failed leaves fills behind for the next',
      rule: 'history',
      test: `${SQLITE}/sqlite-history.test.ts`,
      find: 'for (const runs of this.#runs()) runs.begin();',
      replace: '',
    },
  ]),
  ...inFile('engine/src/history/sqlite/runs.ts', [
    {
      name: 'of several fills of an order only the first is kept',
      rule: 'history',
      test: `${SQLITE}/sqlite-history.test.ts`,
      find: 'if (run === undefined || run.length > 2) return 0;',
      replace: 'if (run === undefined) return 0;',
    },
  ]),
  ...inFile('engine/src/history/sqlite/run-lanes.ts', [
    {
      name: 'what a page leaves out is left out twice',
      rule: 'history',
      test: `${SQLITE}/deep-pages.test.ts`,
      find: '        left -= ofTransaction;\n',
      replace: '',
    },
    {
      name: 'a transaction that the range cuts is left out whole',
      rule: 'history',
      test: `${SQLITE}/deep-pages.test.ts`,
      find: '    const between = { first: first + 1, last: last - 1 };',
      replace: '    const between = { first, last };',
    },
  ]),
  ...inFile('engine/src/history/sqlite/row-times.ts', [
    {
      name: 'rows that are forgotten are listed until they are removed',
      rule: 'history',
      test: `${SQLITE}/packed-rows.test.ts`,
      find: 'above: Math.max(above, pruned)',
      replace: 'above',
    },
  ]),
  ...inFile('engine/src/history/sqlite/packed-pruning.ts', [
    {
      name: 'the places of orders that are forgotten stay',
      rule: 'history',
      test: `${SQLITE}/packed-rows.test.ts`,
      find: '      place.run(Math.floor(order.order / BUCKET_ORDERS), through);\n',
      replace: '',
    },
    {
      name: 'a transaction is removed before all of it is forgotten',
      rule: 'history',
      test: `${SQLITE}/packed-rows.test.ts`,
      find: "(row['through'] as number) > pruned",
      replace: "(row['id'] as number) > pruned + 100",
    },
  ]),
];
