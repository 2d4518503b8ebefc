/** The tables that ids are found in and orders are listed in. */

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
  ...inFile('matching/orders/order-index.ts', [
    {
      name: 'an order that leaves takes those behind it along',
      rule: 'cancel-order',
      find: 'this.heads[chain] = -next;',
      replace: 'this.heads[chain] = NONE;',
    },
    {
      name: 'the order before one that leaves loses those behind',
      rule: 'cancel-order',
      find: 'nexts[(before << 3) | 7] = next;',
      replace: 'nexts[(before << 3) | 7] = NONE;',
    },
    {
      name: 'orders are alone in their chain',
      rule: 'cancel-order',
      find: 'head === NONE ? row + 1 : -(row + 1)',
      replace: 'row + 1',
    },
    {
      name: 'a chain that is not there yet is looked in',
      rule: 'cancel-order',
      find: 'chain < this.chains ? chain : chain & (this.mask >> 1)',
      replace: 'chain',
    },
  ]),
  ...inFile('matching/orders/own-orders.ts', [
    {
      name: 'the chunk behind one that is given back is lost',
      rule: 'cancel-orders',
      find: 'this.link(chunks[(chunk << 4) | 1], chunks[chunk << 4]);',
      replace: '',
    },
  ]),
  ...inFile('matching/orders/trader-table.ts', [
    {
      name: 'the first chunk of a list is given back and still begins it',
      rule: 'cancel-orders',
      find: 'if (rows[t | 3] === chunk) rows[t | 3] = own.next(chunk);',
      replace: '',
    },
    {
      name: 'the last chunk of a list is given back',
      rule: 'cancel-orders',
      find: 'if ((rows[t | 4] - 1) >> 4 === chunk)',
      replace: 'if (rows[t | 4] >> 4 === chunk)',
    },
    {
      name: 'the latest trader of a user is meant in every symbol',
      rule: 'cancel-orders',
      find: 'latest < 0 || this.rows[latest << 3] === symbol ? latest',
      replace: 'latest >= 0 ? latest',
    },
  ]),
  ...inFile('matching/orders/order-fills.ts', [
    {
      name: 'a restored order that expires counts as untouched',
      rule: '5',
      find: 'fields[4] === 0 && fields[19] === 0 &&',
      replace: 'fields[4] === 0 &&',
    },
  ]),
  ...inFile('matching/orders/order-table.ts', [
    {
      name: 'the texts of an order that is gone stay',
      rule: 'R4',
      find: 'marks[m | 15] = (symbol << 16) | flags;',
      replace: 'marks[m | 15] = (symbol << 16) | flags | (marks[m | 15] & 4096);',
    },
  ]),
  ...inFile('access/once-ids.ts', [
    {
      name: 'an id that was taken again is forgotten by its first time',
      rule: 'O1',
      find: 'if (stretchOf(this.untils.value(row)) === this.oldest) this.untils.remove(row);',
      replace: 'this.untils.remove(row);',
    },
    {
      name: 'an id that was taken again is never forgotten',
      rule: 'O1',
      find: 'if (stretchOf(this.untils.value(row)) !== stretch) this.rowsOf(stretch).push(row);',
      replace: '',
    },
    {
      name: 'an id is forgotten in the stretch it expires in',
      rule: 'O1',
      find: 'while (this.oldest < now && left > 0)',
      replace: 'while (this.oldest <= now && left > 0)',
    },
    {
      name: 'a snapshot has an id twice that was taken again',
      rule: '5',
      find: 'if (until >= time && stretchOf(until) === stretch)',
      replace: 'if (until >= time)',
    },
  ]),
  ...inFile('tables/slot-segment.ts', [
    {
      name: 'a table that grows loses an id',
      rule: 'R-C1',
      find: 'this.clear(capacity);\n    for (let i = 0;',
      replace: 'this.clear(capacity);\n    for (let i = 2;',
    },
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
