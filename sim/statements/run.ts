/** npm run sim -- statements [--users N] [--records N] [--seed N]: a month of statements that must sum to zero. */

import { parseArgs } from 'node:util';
import { runStatements } from './statements.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000' },
    records: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
});
const report = await runStatements(Number(values.users), Number(values.records), Number(values.seed));
console.log(
  `seed ${values.seed}: ${report.users} users, ${report.records} records, ${report.entries} entries, ` +
    `${report.corrections} corrections; ${report.statements} statements sum to zero`,
);
