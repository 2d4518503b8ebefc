/** What one record may cause, what is remembered, and what looking ahead adds up instead of walking. */

import { inFile, type Mutant } from './mutant.ts';

export const BOUND_MUTANTS: readonly Mutant[] = [
  ...inFile('exchange.ts', [
    {
      name: 'rules 1 has steps too',
      rule: 'T2',
      find: 'state.steps.begin(rules < 2 ? Infinity : ',
      replace: 'state.steps.begin(rules < 1 ? Infinity : ',
    },
    {
      name: 'left over stop orders wait for the next trade',
      rule: 'T2',
      find: 'if (state.steps.isCarriedOn) this.triggerLeftOver();',
      replace: '',
    },
    {
      name: 'client ids become free without a bound',
      rule: 'T2',
      find: 'state.rules < 2 ? Infinity : freedMax',
      replace: 'Infinity',
    },
    {
      name: 'movements are never forgotten',
      rule: 'M',
      find: 'if (state.rules >= 2) forgetMovements(state, freedMax);',
      replace: '',
    },
  ]),
  ...inFile('matching/stops/stops.ts', [
    {
      name: 'a cascade ends in its own record',
      rule: 'T2',
      find: 'if (!state.steps.areLeft || ',
      replace: 'if (',
    },
    {
      name: 'what a record leaves over is forgotten',
      rule: 'T2',
      find: 'state.steps.carryOn(symbol);',
      replace: '',
    },
    {
      name: 'trades of a stop order are no steps',
      rule: 'T2',
      find: 'state.steps.take(1 + book.trades - trades);',
      replace: 'state.steps.take(1);',
    },
    {
      name: 'all stop orders are spread into arguments',
      rule: 'K',
      find: 'const first = state.stops.firstDue(symbol, book.lastPrice);',
      replace:
        'const all: StopOrder[] = [];\nall.push(...state.stops.list());\nconst first = state.stops.firstDue(symbol, book.lastPrice);',
    },
  ]),
  ...inFile('matching/stops/stop-ladder.ts', [
    {
      name: 'the last stop order by price triggers first',
      rule: 'K',
      find: 'if (this.ids[i] < smallest) smallest = this.ids[i];',
      replace: 'smallest = this.ids[i];',
    },
    {
      name: 'a block of stop orders keeps a smallest id that has gone',
      rule: 'K',
      find: 'if (id === this.smallestId) this.findSmallest();',
      replace: '',
    },
    {
      name: 'of the block at the price no stop order is due',
      rule: 'K',
      find: 'return Math.min(smallest, block.smallestUpTo(rank));',
      replace: 'return smallest;',
    },
  ]),
  ...inFile('matching/switches.ts', [
    {
      name: 'expiries and switches need no steps',
      rule: 'T2',
      find: ' || !state.steps.areLeft) return false;',
      replace: ') return false;',
    },
    {
      name: 'a switch is one step, whatever it cancels',
      rule: 'T2',
      find: 'state.steps.take(1 + cancelled.length);',
      replace: 'state.steps.take(1);',
    },
  ]),
  ...inFile('snapshot/snapshot.ts', [
    {
      name: 'a restored exchange forgets what was left over',
      rule: 'T2',
      find: 'state.steps.carryOn(number);',
      replace: 'void number;',
    },
    {
      name: 'a restored exchange remembers movements for ever',
      rule: 'M',
      find: 'state.movements.remember(userOf(id) as number, id, since);',
      replace: '',
    },
  ]),
  ...inFile('matching/check.ts', [
    {
      name: 'one client id more than a user may have',
      rule: '8',
      find: '>= clientIdsPerUserMax',
      replace: '> clientIdsPerUserMax',
    },
    {
      name: 'one client id more than all may have',
      rule: '8',
      find: '>= clientIdsMax',
      replace: '> clientIdsMax',
    },
    {
      name: 'an altered order needs room for its client id',
      rule: '8',
      find: '(old === NO_ORDER ? checkClientIdRoom',
      replace: '(old !== -2 ? checkClientIdRoom',
    },
  ]),
  ...inFile('matching/orders/client-ids.ts', [
    {
      name: 'a master remembers one client id too many',
      rule: '8',
      find: 'shares.countOf(master) > ownMax',
      replace: 'shares.countOf(master) > ownMax + 1',
    },
    {
      name: 'whoever comes last makes room for a client id',
      rule: '8',
      find: 'done.takeOldestOf(shares.heaviest)',
      replace: 'done.takeOldestOf(master)',
    },
    {
      name: 'a client id that is free again keeps its room',
      rule: '8',
      find: 'this.counts[this.table.ownerOf(row)] -= 1;',
      replace: '',
    },
  ]),
  ...inFile('ledger/movement-room.ts', [
    {
      name: 'before rules 6, one movement more than a user may have',
      rule: 'M',
      find: 'state.movements.countOf(user) >= movementsPerUserMax',
      replace: 'state.movements.countOf(user) > movementsPerUserMax',
    },
    {
      name: 'what rules 1 made is forgotten',
      rule: 'M',
      find: 'if (state.rules < 2) return;',
      replace: '',
    },
    {
      name: 'one open withdrawal more than a user may have',
      rule: 'M',
      find: 'state.withdrawals.openOf(user) >= movementsPerUserMax',
      replace: 'state.withdrawals.openOf(user) > movementsPerUserMax',
    },
    {
      name: 'open withdrawals refuse a transfer',
      rule: 'M',
      find: "kind === 'withdrawal' && ",
      replace: '',
    },
    {
      name: 'a master remembers one movement too many',
      rule: 'M',
      find: 'shares.countOf(master) > movementsPerUserMax',
      replace: 'shares.countOf(master) > movementsPerUserMax + 1',
    },
    {
      name: 'whoever comes last makes room for a movement',
      rule: 'M',
      find: 'movements.oldestOf(shares.heaviest)',
      replace: 'movements.oldestOf(master)',
    },
    {
      name: 'one movement more than all may have',
      rule: 'M',
      find: 'state.movements.count < movementsMax',
      replace: 'state.movements.count <= movementsMax',
    },
  ]),
  ...inFile('ledger/movements.ts', [
    {
      name: 'a movement is forgotten a millisecond late',
      rule: 'M',
      find: 'this.since.firstRank > until ?',
      replace: 'this.since.firstRank >= until ?',
    },
  ]),
  ...inFile('tables/shares.ts', [
    {
      name: 'the lightest master makes room',
      rule: 'M',
      find: '-digitsOf(after)',
      replace: 'digitsOf(after)',
    },
    {
      name: 'a master stays as heavy as it was',
      rule: 'M',
      find: 'if (digitsOf(before) === digitsOf(after)) return;',
      replace: 'if (after > 0 && digitsOf(before) >= digitsOf(after)) return;',
    },
  ]),
  ...inFile('state.ts', [
    {
      name: 'client ids of a sub-account are its own',
      rule: '8',
      find: 'new ClientIds(hashKey, (user) => this.users.masterOf(user))',
      replace: 'new ClientIds(hashKey, (user) => user)',
    },
    {
      name: 'withdrawals of a sub-account are its own',
      rule: 'M',
      find: 'new Withdrawals((user) => this.users.masterOf(user))',
      replace: 'new Withdrawals((user) => user)',
    },
  ]),
  ...inFile('ledger/money-out.ts', [
    {
      name: 'a withdrawal is forgotten before it is over',
      rule: 'M',
      find: 'if (!isOpen(withdrawal)) rememberMovement',
      replace: 'rememberMovement',
    },
  ]),
  ...inFile('matching/book/price-ladder.ts', [
    {
      name: 'FOK counts only what shows',
      rule: 'R8',
      find: 'total += table.blockTotal(number);',
      replace: 'for (let i = 0; i < count; i++) total += table.visible(levels[i]);',
    },
    {
      name: 'the level at the limit is not within it',
      rule: 'R8',
      find: 'for (let i = count - 1; ranks[i] >= rank; i--)',
      replace: 'for (let i = count - 1; ranks[i] > rank; i--)',
    },
  ]),
  ...inFile('matching/reach.ts', [
    {
      name: 'own orders that are passed over count',
      rule: 'R11',
      find: 'const own = mode === STP_CO ? ',
      replace: 'const own = mode === -1 ? ',
    },
    {
      name: 'the level where an order is stopped counts twice',
      rule: 'R8',
      find: 'rankOf(side, levels.price(stop)) + 1',
      replace: 'rankOf(side, levels.price(stop))',
    },
    {
      name: 'an ordinary order does not stop a postOnly one that looks ahead',
      rule: 'R11',
      find: 'if (orders.isPostOnly(row)) {',
      replace: 'if (state.time < 0) {',
    },
  ]),
  ...inFile('matching/book/book.ts', [
    {
      name: 'an ordinary order that left is still counted',
      rule: 'R11',
      find: 'if (!orders.isReserved(row)) levels.addOrdinary(level, change);',
      replace: 'if (!orders.isReserved(row)) levels.addOrdinary(level, 1);',
    },
  ]),
  ...inFile('matching/next.ts', [
    {
      name: 'the price bound is measured from an order that nobody sees',
      rule: 'R11',
      find: 'book.bestShownPrice(1 - side) || book.lastPrice || hidden',
      replace: 'hidden',
    },
    {
      name: 'the price bound ignores the last trade',
      rule: 'R11',
      find: '|| book.lastPrice ||',
      replace: '||',
    },
  ]),
  ...inFile('matching/cancel.ts', [
    {
      name: 'an order of another second is meant too',
      rule: 'cancel-order',
      find: 'if (createdSec !== undefined && ',
      replace: 'if (createdSec === null && ',
    },
  ]),
];
