/** What an order must obey, what it holds, and what it gives up when it ends, shrinks or is altered. */

import { inFile, type Mutant } from './mutant.ts';

export const ORDER_MUTANTS: readonly Mutant[] = [
  ...inFile('matching/increments.ts', [
    {
      name: 'price increment not checked',
      rule: 'R1',
      find: 'if (!isPositiveMultiple(price, increment))',
      replace: 'if (!isPositiveMultiple(price, 1))',
    },
    {
      name: 'iceberg may show a 21st',
      rule: 'R10',
      find: 'const VISIBLE_SHARE = 20;',
      replace: 'const VISIBLE_SHARE = 21;',
    },
  ]),
  ...inFile('matching/check.ts', [
    {
      name: 'size increment not checked',
      rule: 'R2',
      find: '!isPositiveMultiple(size, rules.baseIncrement)',
      replace: '!isPositiveMultiple(size, 1)',
    },
    {
      name: 'least size refused',
      rule: 'R2',
      find: 'size < rules.baseMinSize',
      replace: 'size <= rules.baseMinSize',
    },
    {
      name: 'largest size refused',
      rule: 'R2',
      find: 'size > rules.baseMaxSize',
      replace: 'size >= rules.baseMaxSize',
    },
    {
      name: 'funds increment not checked',
      rule: 'R3',
      find: 'funds % quoteIncrement !== 0n',
      replace: 'false',
    },
    {
      name: 'largest funds refused',
      rule: 'R3',
      find: 'funds > quoteMaxSize',
      replace: 'funds >= quoteMaxSize',
    },
    {
      name: 'exact minFunds refused',
      rule: 'R5',
      find: 'if (!minFunds.isAbove(value)) return null;',
      replace: 'if (value.isAbove(minFunds)) return null;',
    },
    {
      name: 'minFunds at market by the best price',
      rule: 'R5',
      find: 'book.lastPrice || book.bestPrice',
      replace: 'book.bestPrice',
    },
    {
      name: 'one order too many per symbol',
      rule: 'L active orders per pair',
      find: '- gone >= activeOrdersPerSymbolMax',
      replace: '- gone > activeOrdersPerSymbolMax',
    },
    {
      name: 'one order too many per user',
      rule: 'L active orders per account',
      find: '- gone >= activeOrdersPerUserMax',
      replace: '- gone > activeOrdersPerUserMax',
    },
    {
      name: 'altered order counts twice in the limits',
      rule: 'alter-order',
      find: 'const gone = old === NO_ORDER ? 0 : 1;',
      replace: 'const gone = 0;',
    },
    {
      name: 'altered order counts twice in the book',
      rule: 'alter-order',
      find: '- (old === NO_ORDER ? 0 : orders.remaining(old))',
      replace: '',
    },
    {
      name: 'altered order keeps its money from the new one',
      rule: 'alter-order',
      find: 'available.add(freed);',
      replace: '',
    },
    {
      name: 'all of the money is not enough',
      rule: 'R6',
      find: 'if (need.isAbove(available))',
      replace: 'if (!available.isAbove(need))',
    },
  ]),
  ...inFile('matching/draft.ts', [
    {
      name: 'postOnly counts with IOC',
      rule: 'R9',
      find: 'request.postOnly === true && time < IOC',
      replace: 'request.postOnly === true',
    },
    {
      name: 'FOK keeps its stp',
      rule: 'R8',
      find: 'time === FOK ? STP_CN : mode',
      replace: 'mode',
    },
  ]),
  ...inFile('matching/hold.ts', [
    {
      name: 'hold without fee',
      rule: 'R6',
      find: 'need.add(cost);',
      replace: 'need.copy(cost);',
    },
    {
      name: 'hold forgets the slack',
      rule: 'R6',
      find: 'orders.takerRate(row), orders.slack(row))',
      replace: 'orders.takerRate(row), 0)',
    },
  ]),
  ...inFile('matching/finish.ts', [
    {
      name: 'release dropped on cancel',
      rule: 'R6',
      find: 'release(state, row);\n  finish(state, row, why',
      replace: 'finish(state, row, why',
    },
    {
      name: 'release dropped on reduction',
      rule: 'R6',
      find: 'if (!held.isZero()) state.ledger.release',
      replace: 'if (false) state.ledger.release',
    },
  ]),
  ...inFile('matching/place.ts', [
    {
      name: 'release dropped at the end of an incoming order',
      rule: 'R6',
      find: 'release(state, row);',
      replace: '',
    },
    {
      name: 'fee of a buy by funds counted as given back',
      rule: 'Events of an order',
      find: 'if (!orders.isBuy(row)) return;',
      replace: 'if (orders.isBuy(row)) return;',
    },
  ]),
  ...inFile('matching/alter.ts', [
    {
      name: 'altered size forgets what is filled',
      rule: 'alter-order',
      find: 'newSize - dealt',
      replace: 'newSize',
    },
    {
      name: 'altered to what is filled leaves an order',
      rule: 'alter-order',
      find: 'newSize <= dealt',
      replace: 'newSize < dealt',
    },
    {
      name: 'altered iceberg shows too little',
      rule: 'alter-order',
      find: 'Math.max(visibleSize, leastVisible(size, baseIncrement))',
      replace: 'visibleSize',
    },
    {
      name: 'altered GTT order never expires',
      rule: 'alter-order',
      find: 'if (seconds > 0) orders.setCancelAfterSec(draft, seconds);',
      replace: '',
    },
  ]),
  ...inFile('reference/instrument.ts', [
    {
      name: 'cancel-only takes orders',
      rule: 'S',
      find: "return this.state === 'open' && this.terms.enableTrading;",
      replace: "return this.state !== 'halted' && this.terms.enableTrading;",
    },
    {
      name: 'enableTrading does not matter',
      rule: 'S',
      find: "return this.state === 'open' && this.terms.enableTrading;",
      replace: "return this.state === 'open';",
    },
  ]),
  ...inFile('matching/cancel.ts', [
    {
      name: 'halted market lets cancel',
      rule: 'S',
      find: "return instrument.state === 'halted' ?",
      replace: 'return false ?',
    },
    {
      name: 'cancelling all cancels in halted markets too',
      rule: 'S',
      find: "if (instrument.state !== 'halted') cancelAllOf",
      replace: 'cancelAllOf',
    },
    {
      name: "anybody's order can be cancelled",
      rule: 'cancel-order',
      find: 'orders.user(row) !== name.user || ',
      replace: '',
    },
  ]),
];
