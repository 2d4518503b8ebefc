/** The table that client ids and the ids of requests are remembered in. */

import { inFile, type Mutant } from './mutant.ts';

export const TABLE_MUTANTS: readonly Mutant[] = [
  ...inFile('tables/text-table.ts', [
    {
      name: 'a client id belongs to everybody',
      rule: 'R-C1',
      find: 'words[at++] = owner;',
      replace: 'words[at++] = 0;',
    },
    {
      name: 'a client id that was just looked for belongs to everybody',
      rule: 'R-C1',
      find: 'this.isKnown && owner === this.owner && text',
      replace: 'this.isKnown && text',
    },
    {
      name: 'an id that was just looked for is still there when it is removed',
      rule: 'R-C1',
      find: 'rows.remove(row);\n    this.isKnown = false;',
      replace: 'rows.remove(row);',
    },
    {
      name: 'four characters of an id count for nothing',
      rule: 'O1',
      find: 'i < whole; i += 4',
      replace: 'i + 4 < whole; i += 4',
    },
  ]),
  ...inFile('tables/slot-segment.ts', [
    {
      name: 'a removed id hides those that had to make way for it',
      rule: 'R-C1',
      find: 'if (((at - home) & mask) >= ((at - hole) & mask)) {',
      replace: 'if (at < 0 && home < 0) {',
    },
  ]),
  ...inFile('tables/text-rows.ts', [
    {
      name: 'the upper half of the time a request id ends at is lost',
      rule: 'O1',
      find: 'page[at + UPPER] = value / HALF;',
      replace: 'page[at + UPPER] = 0;',
    },
    {
      name: 'an id takes the place of one that is still there',
      rule: 'R-C1',
      find: 'else page[FREED] = page[at];',
      replace: '',
    },
  ]),
];
