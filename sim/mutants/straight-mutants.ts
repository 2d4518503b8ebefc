/** The straight ways: of orders that rest at once, and of cancels of untouched orders. */

import { inFile, type Mutant } from './mutant.ts';

/** A straight way that is too strict breaks nothing, because the general one decides then: these are all too lax. */
const broken = (name: string, rule: string, find: string, replace = ''): Omit<Mutant, 'file'> => ({
  name: `straight: ${name}`,
  rule,
  find,
  replace,
});

export const STRAIGHT_MUTANTS: readonly Mutant[] = [
  ...inFile('matching/rest-at-once.ts', [
    broken(
      'price increment not checked',
      'R1',
      'isMultiple(price, rules.priceIncrement)',
      'isMultiple(price, 1)',
    ),
    broken(
      'size increment not checked',
      'R2',
      'isMultiple(size, rules.baseIncrement)',
      'isMultiple(size, 1)',
    ),
    broken('least size not checked', 'R2', ' || size < rules.baseMinSize'),
    broken('largest size not checked', 'R2', ' || size > rules.baseMaxSize'),
    broken('minFunds not checked', 'R5', 'if (rules.minFunds.isAbove(cost)) return false;'),
    broken(
      'a trader that is not known is left to the other way',
      '5',
      'if (trader < 0) return restWithTrader(state, user, request, instrument);',
      'if (trader < 0) return false;',
    ),
    broken(
      'a trader without rates is left to the other way',
      '5',
      'if (takerRate < 0) return restWithTrader(state, user, request, instrument);',
      'if (takerRate < 0) return false;',
    ),
    broken('a frozen user may order', 'Users', ' || !state.users.isActive(user)'),
    broken('a closed market takes orders', 'S', ' || !instrument.isOpen'),
    broken('an order rests though it meets another', 'Matching', ' || book.meets(side, price)'),
    broken(
      "the hold has the maker's fee",
      'R6',
      'need.setFee(cost, takerRate, 0)',
      'need.setFee(cost, makerRate, 0)',
    ),
    broken('the hold has no fee', 'R6', 'need.setFee(cost, takerRate, 0);', 'need.clear();'),
    broken(
      'a client id may be used twice',
      'R4',
      "clientId === '' || state.clientIds.find(user, clientId) === 0",
      'true',
    ),
    broken(
      'a client id is not remembered',
      'R4',
      'if (texts.clientId) state.clientIds.take(user, texts.clientId, id);',
    ),
    broken('hidden orders show', 'R10', '\n  !request.hidden &&'),
    broken('icebergs show', 'R10', ' &&\n  !request.iceberg'),
    broken('a life span is overlooked', 'T', '\n  request.cancelAfterSec === undefined &&'),
    broken('post-only is forgotten', 'R9', 'request.postOnly === true', 'false'),
    broken('self-trade mode is forgotten', 'R7', 'packPlain(side, mode,', 'packPlain(side, STP_NONE,'),
    broken(
      'a trader may have any number of orders',
      'R7',
      'if (!traders.hasRoom(trader, user, activeOrdersPerSymbolMax, activeOrdersPerUserMax)) return false;',
    ),
  ]),
  ...inFile('matching/cancel-untouched.ts', [
    broken('halted market lets cancel', 'S', " || instrument.state === 'halted'"),
    broken(
      "anybody's order can be cancelled",
      'cancel-order',
      ' || orders.trader(row) !== traders.find(user, symbol)',
    ),
    broken(
      'the symbol does not matter',
      'cancel-order',
      'traders.find(user, symbol)',
      'traders.find(user, orders.symbol(row))',
    ),
    broken('a traded order counts as untouched', 'cancel-order', ' || orders.isTouched(row)'),
    broken('every order counts as plain', 'cancel-order', 'moreNeeded(flags) || '),
    broken('the second of its birth does not matter', 'cancel-order', ' || command.createdSec !== undefined'),
    broken(
      'a client id is free at once',
      'R4',
      'if (clientId) rememberClientId(state, orders.user(row), clientId);',
    ),
  ]),
  ...inFile('matching/book/book.ts', [
    broken(
      'the place after it is lost',
      'Matching',
      'if (last >= 0) orders.setNext(last, row);\n    this.sequence++;',
      'this.sequence++;',
    ),
    broken(
      'the next keeps pointing at it',
      'Matching',
      'if (next >= 0) orders.setPrevious(next, previous);\n    this.totals',
      'this.totals',
    ),
    broken(
      'an empty level stays',
      'Matching',
      'if (previous < 0 && next < 0) this.dropIfEmpty(side, level);',
    ),
    broken(
      'an equal price is not met',
      'Matching',
      'side === BUY ? best <= price : best >= price',
      'side === BUY ? best < price : best > price',
    ),
  ]),
  ...inFile('matching/book/level-table.ts', [
    broken('the newest is first', 'Matching', 'if (last < 0) links[l | 8] = row;', 'links[l | 8] = row;'),
    broken('what rests is not counted', 'R8', 'numbers[n | 2] += size;'),
    broken('what left is still counted', 'R8', 'numbers[n | 2] -= size;'),
    broken('the block keeps what left', 'R8', 'this.blockTotals[block] -= size;'),
  ]),
  ...inFile('ledger/ledger.ts', [
    broken(
      'more than is available can be held',
      'R6',
      'if (amount.hi > hi || (amount.hi === hi && amount.lo > rows[at | 1])) return false;',
    ),
  ]),
  ...inFile('events/compound-rows.ts', [
    broken(
      'a hold reads as a release',
      'Ledger',
      'availableChange: isHeld ? -amount : amount',
      'availableChange: amount',
    ),
    broken(
      'the size is not said to be cancelled',
      'cancel-order',
      'cancelledSize: rows[at + 13]',
      'cancelledSize: 0',
    ),
  ]),
];
