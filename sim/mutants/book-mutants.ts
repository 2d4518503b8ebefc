/** Matching: who trades first, with whom, at which price and how far. */

import { inFile, type Mutant } from './mutant.ts';

export const BOOK_MUTANTS: readonly Mutant[] = [
  ...inFile('matching/book/book.ts', [
    {
      name: 'time priority reversed',
      rule: 'Matching',
      find: 'const first = this.levels.first(level, VISIBLE_QUEUE);',
      replace: 'const first = this.levels.last(level, VISIBLE_QUEUE);',
    },
    {
      name: 'hidden trades before visible',
      rule: 'R10',
      find: 'return first >= 0 ? first : this.levels.first(level, HIDDEN_QUEUE);',
      replace:
        'const unseen = this.levels.first(level, HIDDEN_QUEUE);\n    return unseen >= 0 ? unseen : first;',
    },
    {
      name: 'next slice keeps its place',
      rule: 'R10',
      find: 'this.dequeue(row, level);\n    this.enqueue(row, level);',
      replace: '',
    },
    {
      name: 'next slice joins in silence',
      rule: 'R10',
      find: 'this.enqueue(row, level);\n    this.messages += this.message.step;\n    this.tell(row);',
      replace: 'this.enqueue(row, level);',
    },
    {
      name: 'next slice is all that remains',
      rule: 'R10',
      find: 'const slice = Math.min(this.orders.visibleSize(row), remaining);',
      replace: 'const slice = remaining;',
    },
    {
      name: 'reduction takes the slice first',
      rule: 'R10',
      find: 'const less = isReserved ? orders.slice(row) - orders.remaining(row) : by;\n    if (less <= 0) return;\n    if (isReserved) orders.setSlice(row, orders.remaining(row));',
      replace:
        'const less = isReserved ? Math.min(orders.slice(row), by) : by;\n    if (isReserved) orders.setSlice(row, orders.slice(row) - less);',
    },
    {
      name: 'a slice that has traded shows as before',
      rule: 'R10',
      find: 'orders.setSlice(row, left);',
      replace: '',
    },
    {
      name: 'book sequence skips a number',
      rule: 'Ids',
      find: '++this.sequence',
      replace: '(this.sequence += 2)',
    },
  ]),
  ...inFile('matching/book/price-ladder.ts', [
    {
      name: 'price priority reversed',
      rule: 'Matching',
      find: 'side === BUY ? price : -price',
      replace: 'side === BUY ? -price : price',
    },
  ]),
  ...inFile('matching/book/near-levels.ts', [
    {
      name: 'any level of the slot will do',
      rule: 'Matching',
      find: 'level >= 0 && this.levels.price(level) === price ? level : -1',
      replace: 'level',
    },
    {
      name: 'a level that is gone is still found',
      rule: 'Matching',
      find: 'if (this.slots[slot] === level + 1) this.slots[slot] = 0;',
      replace: '',
    },
  ]),
  ...inFile('matching/orders/trader-table.ts', [
    {
      name: 'the symbol traded last stands for all',
      rule: 'R7',
      find: 'latest < 0 || this.rows[latest << 3] === symbol ? latest',
      replace: 'latest >= -1 ? latest',
    },
  ]),
  ...inFile('matching/orders/own-orders.ts', [
    {
      name: "a trader's orders end with the first chunk",
      rule: 'cancel-orders',
      find: 'if (next === NONE) return NONE;',
      replace: 'if (next >= NONE) return NONE;',
    },
    {
      name: 'a chunk is given back while orders are in it',
      rule: 'cancel-orders',
      find: '++this.left[place >> 4] === PLACES',
      replace: '++this.left[place >> 4] === 2',
    },
  ]),
  ...inFile('matching/orders/order-index.ts', [
    {
      name: 'an order behind another in its chain is not found',
      rule: 'cancel-order',
      find: 'head > 0 ? -1 : findBehind(row, id, ids, nexts)',
      replace: '-1',
    },
  ]),
  ...inFile('matching/orders/order-fills.ts', [
    {
      name: 'a row keeps the sums of the order before',
      rule: 'Matching',
      find: 'for (let i = 0; i < 8; i++) this.cold[(row << 3) | i] = 0;',
      replace: '',
    },
    {
      name: 'a second fill forgets the first',
      rule: 'Matching',
      find: 'if (!this.isTouched(row)) this.clearCold(row);',
      replace: 'this.clearCold(row);',
    },
    {
      name: 'hidden orders show what the row showed before',
      rule: 'R10',
      find: 'this.isHidden(row) ? 0 : this.slices[row << 1]',
      replace: 'this.slices[row << 1]',
    },
  ]),
  ...inFile('matching/self-trade.ts', [
    {
      name: 'stp CN cancels the resting order too',
      rule: 'R7 CN',
      find: 'if (mode === STP_CN) return true;',
      replace:
        'if (mode === STP_CN) cancelResting(state, resting, DONE.selfTrade);\n  if (mode === STP_CN) return true;',
    },
    {
      name: 'stp CO ends the incoming order',
      rule: 'R7 CO',
      find: 'return mode === STP_CB;',
      replace: 'return true;',
    },
    {
      name: 'stp CB lets the incoming order go on',
      rule: 'R7 CB',
      find: 'return mode === STP_CB;',
      replace: 'return false;',
    },
    {
      name: 'stp DC lets an equal incoming order go on',
      rule: 'R7 DC',
      find: 'if (incomingLeft <= restingLeft) return true;',
      replace: 'if (incomingLeft < restingLeft) return true;',
    },
    {
      name: 'stp DC counts the slice only',
      rule: 'R7 DC',
      find: 'const restingLeft = state.orders.remaining(resting);',
      replace: 'const restingLeft = state.orders.visible(resting) || state.orders.remaining(resting);',
    },
    {
      name: 'stp takes a sub-account for its master',
      rule: 'R7',
      find: 'return state.orders.user(incoming) === state.orders.user(resting);',
      replace:
        'const masterOf = (row: number) => state.users.masterOf(state.orders.user(row));\n  return masterOf(incoming) === masterOf(resting);',
    },
  ]),
  ...inFile('matching/reach.ts', [
    {
      name: 'FOK that just fits is refused',
      rule: 'R8',
      find: 'state.orders.price(row)) >= state.orders.sizeOf(row);',
      replace: 'state.orders.price(row)) > state.orders.sizeOf(row);',
    },
    {
      name: 'FOK counts hidden rest ahead of a stop',
      rule: 'R8',
      find: '(queue === HIDDEN_QUEUE ? all : ahead)',
      replace: 'all',
    },
    {
      name: 'own orders count with CO',
      rule: 'R11',
      find: 'if (own && passesOwn) continue;',
      replace: '',
    },
    {
      name: 'protection looks past where stp would stop',
      rule: 'R11',
      find: 'if (mode === STP_CN || mode === STP_CB) rank',
      replace: 'if (mode === STP_CB) rank',
    },
  ]),
  ...inFile('matching/match-limit.ts', [
    {
      name: 'price protection off for limit orders',
      rule: 'R11',
      find: '&& wouldPass(state, instrument, row, bound)',
      replace: '&& false',
    },
    {
      name: 'price protection by the limit alone',
      rule: 'R11',
      find: '&& wouldPass(state, instrument, row, bound)',
      replace: '',
    },
    {
      name: 'postOnly ends at a hidden order',
      rule: 'R9',
      find: 'if (postOnly && !orders.isReserved(resting))',
      replace: 'if (postOnly)',
    },
    {
      name: 'IOC rests',
      rule: 'R8',
      find: 'time === IOC ? DONE.ioc : RESTS',
      replace: 'RESTS',
    },
  ]),
  ...inFile('matching/match-market.ts', [
    {
      name: 'price protection off for market orders',
      rule: 'R11',
      find: 'if (!isWithin(side, price, bound)) return DONE.protection;',
      replace: '',
    },
    {
      name: 'price bound itself is past it',
      rule: 'R11',
      find: 'if (!isWithin(side, price, bound))',
      replace: 'if (!isWithin(side, price, bound) || price === bound)',
    },
    {
      name: 'market order budget ignores the fee',
      rule: 'Matching',
      find: '/ (RATE_ONE_BIG + BigInt(orders.takerRate(row)))',
      replace: '/ RATE_ONE_BIG',
    },
    {
      name: 'market order trades off the increment',
      rule: 'Matching',
      find: 'floorTo(budget.divideFloor(price), rules.baseIncrement)',
      replace: 'budget.divideFloor(price)',
    },
    {
      name: 'funds too small to trade count as filled',
      rule: 'Matching',
      find: 'return byFunds && traded ? DONE.filled : DONE.fundsEnd;',
      replace: 'return byFunds ? DONE.filled : DONE.fundsEnd;',
    },
  ]),
  ...inFile('reference/instrument.ts', [
    {
      name: 'price bound rounded up',
      rule: 'R11',
      find: 'Math.floor((rest * rate) / LIMIT_RATE_ONE)',
      replace: 'Math.ceil((rest * rate) / LIMIT_RATE_ONE)',
    },
  ]),
];
