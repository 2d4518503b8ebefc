/** npm run sim -- auctions [--books N] [--seed N]: compares the core's auctions of random books with reference.ts. */

import { parseArgs } from 'node:util';
import { runAuctions } from './auctions.ts';

const { values } = parseArgs({
  options: { books: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const began = process.hrtime.bigint();
const report = runAuctions(Number(values.books), Number(values.seed));
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
console.log(
  `seed ${values.seed}: ${report.books} books, ${report.crossed} crossed, ${report.trades} trades, ` +
    `${report.decidedByReference} in which the reference decides; no difference, ${seconds.toFixed(1)} s`,
);
