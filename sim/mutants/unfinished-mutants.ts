/** T3: orders that one record does not get through, and what must not overtake them. */

import { inFile, type Mutant } from './mutant.ts';

export const UNFINISHED_MUTANTS: readonly Mutant[] = [
  ...inFile('exchange.ts', [
    {
      name: 'rules 2 cuts orders too',
      rule: 'T3',
      find: 'rules < 3 ? Infinity : meetingsMax',
      replace: 'rules < 2 ? Infinity : meetingsMax',
    },
    {
      name: 'a record has as many meetings as steps',
      rule: 'T3',
      find: 'Math.ceil(stepsPerRecordMax / STEPS_PER_MEETING)',
      replace: 'stepsPerRecordMax',
    },
    {
      name: 'no order is ever cut',
      rule: 'T3',
      find: 'rules < 3 ? Infinity : meetingsMax',
      replace: 'Infinity',
    },
    {
      name: 'commands overtake an unfinished order',
      rule: 'T3',
      find: 'if (state.unfinished.count > 0 && mustWait(state, command)) {',
      replace: 'if (state.time < 0 && mustWait(state, command)) {',
    },
    {
      name: 'commands behind one that waits do not wait',
      rule: 'T3',
      find: '        state.waits = commands.length - i;\n        for (let left = state.waits; left > 0; left--) state.outcomes.other(WAITS);\n        break;',
      replace: '        state.waits = 1;\n        state.outcomes.other(WAITS);\n        continue;',
    },
    {
      name: 'what is due overtakes an unfinished order',
      rule: 'T3',
      find: 'if (state.unfinished.count === 0) while',
      replace: 'if (state.time > 0) while',
    },
    {
      name: 'an unfinished order goes on after what is due and all commands',
      rule: 'T3',
      find: 'if (state.unfinished.count > 0) carryOn(',
      replace: 'if (state.unfinished.count > 0 && commands.length === 0) carryOn(',
    },
    {
      name: 'stop orders do not look at what an unfinished order did when it went on',
      rule: 'T3',
      find: 'carryOn(state, commands.length > 0, () => this.triggerTouched());',
      replace: 'carryOn(state, commands.length > 0, () => (state.touchedCount = 0));',
    },
    {
      name: 'nothing is due elsewhere while an order is unfinished',
      rule: 'T3',
      find: 'else letDueElsewhereHappen(state, afterEach);',
      replace: '',
    },
    {
      name: 'commands beside an unfinished order have no meetings of their own',
      rule: 'T3',
      find: 'state.steps.leaveMeetings(commands.length);',
      replace: '',
    },
    {
      name: 'many commands give an unfinished order more meetings',
      rule: 'T3',
      find: 'rules < 3 ? Infinity : meetingsMax);',
      replace: 'rules < 3 ? Infinity : Math.max(meetingsMax, commands.length));',
    },
  ]),
  ...inFile('matching/match-limit.ts', [
    {
      name: 'a limit order may always meet one more',
      rule: 'T3',
      find: 'if (steps.meetingsLeft === 0) return UNFINISHED;',
      replace: 'if (steps.meetingsLeft < 0) return UNFINISHED;',
    },
    {
      name: 'an IOC order that went on comes to rest',
      rule: 'T3',
      find: 'return done === RESTS && timeBits(state.orders.flags(row)) === IOC ? DONE.ioc : done;',
      replace: 'return done;',
    },
  ]),
  ...inFile('matching/match-market.ts', [
    {
      name: 'a market order may always meet one more',
      rule: 'T3',
      find: 'if (steps.meetingsLeft === 0) return UNFINISHED;',
      replace: 'if (steps.meetingsLeft < 0) return UNFINISHED;',
    },
    {
      name: 'a market order that goes on forgets what it has traded',
      rule: 'T3',
      find: 'orders.sizeOf(row) - dealt;',
      replace: 'orders.sizeOf(row);',
    },
    {
      name: 'a market buy that goes on spends its fee twice',
      rule: 'T3',
      find: '    budget.add(fee);\n',
      replace: '',
    },
    {
      name: 'an order by funds that goes on has all its funds again',
      rule: 'T3',
      find: '  budget.subtract(cost);\n}',
      replace: '}',
    },
  ]),
  ...inFile('matching/place.ts', [
    {
      name: 'an order that goes on takes the price bound of that moment',
      rule: 'T3',
      find: 'matchMarket(state, instrument, row, order.bound)',
      replace:
        'matchMarket(state, instrument, row, boundOf(instrument, orders.side(row), instrument.book.bestPrice(1 - orders.side(row))))',
    },
    {
      name: 'an order expires so long after it came to rest',
      rule: 'T3',
      find: 'state.expiries.set(orders.id(row), expiresAt)',
      replace: 'state.expiries.set(orders.id(row), state.time + orders.cancelAfterSec(row) * 1000)',
    },
  ]),
  ...inFile('matching/stops/stops.ts', [
    {
      name: 'stop orders overtake an unfinished order',
      rule: 'T3',
      find: ' || state.unfinished.isBusy(symbol)',
      replace: '',
    },
    {
      name: 'a stop order overtakes an unfinished order of its user',
      rule: 'T3',
      find: ' || overtakesOwn(state, first)',
      replace: '',
    },
  ]),
  ...inFile('matching/unfinished/carry-on.ts', [
    {
      name: 'the orders of a batch have no meetings of their own',
      rule: 'T3',
      find: 'if (state.rules >= 5) state.steps.leaveMeetings(orders.length);',
      replace: '',
    },
    {
      name: 'a batch may meet one for all its orders',
      rule: 'T3',
      find: 'state.steps.leaveMeetings(orders.length);',
      replace: 'state.steps.leaveMeetings(1);',
    },
    {
      name: 'rules 4 gives the orders of a batch meetings of their own',
      rule: 'T3',
      find: 'if (state.rules >= 5)',
      replace: 'if (state.rules >= 4)',
    },
    {
      name: 'the rest of a batch is dropped',
      rule: 'T3',
      find: 'orders.slice(i + 1).map(requestOf)',
      replace: 'orders.slice(orders.length).map(requestOf)',
    },
    {
      name: 'what a batch came to before is not told',
      rule: 'T3',
      find: '[...answer.outcomes, outcome]',
      replace: '[outcome]',
    },
    {
      name: 'an answer says that the order came when it was through',
      rule: 'T3',
      find: 'const outcome = dated(state, told as Entry, createdAt);',
      replace: 'const outcome = dated(state, told as Entry, state.time);',
    },
    {
      name: 'the oldest unfinished order takes all meetings',
      rule: 'T3',
      find: 'steps.keepMeetings(sharers)',
      replace: '0',
    },
    {
      name: 'a master takes the money of a sub-account with an unfinished order',
      rule: 'T3',
      find: "if (command.kind === 'transfer') return movesMoneyOfBusy(state, command);",
      replace: '',
    },
    {
      name: 'other users cancel all beside an unfinished order',
      rule: 'T3',
      find: "if (command.kind === 'cancel-orders' && symbol === undefined)",
      replace: 'if (state.time < 0)',
    },
    {
      name: 'a batch of another user overtakes an unfinished order',
      rule: 'T3',
      find: 'return command.orders.some((order) => unfinished.isBusy(order.symbol));',
      replace: 'return false;',
    },
    {
      name: 'a user overtakes his own unfinished order',
      rule: 'T3',
      find: 'if (user !== undefined && unfinished.isOf(user)) return true;',
      replace: '',
    },
  ]),
  ...inFile('matching/unfinished/due-elsewhere.ts', [
    {
      name: 'an expiry in the symbol overtakes an unfinished order',
      rule: 'T3',
      find: 'unfinished.isBusy(orders.symbol(row)) || ',
      replace: '',
    },
    {
      name: 'an expiry of its user overtakes an unfinished order',
      rule: 'T3',
      find: ' || unfinished.isOf(orders.user(row))',
      replace: '',
    },
    {
      name: 'a switch of its user overtakes an unfinished order',
      rule: 'T3',
      find: '  if (unfinished.isOf(user)) return true;\n',
      replace: '',
    },
    {
      name: 'a switch with an order in the symbol overtakes an unfinished order',
      rule: 'T3',
      find: 'traders.firstOrder(traders.find(user, busy)) >= 0',
      replace: 'traders.firstOrder(traders.find(user, busy)) < -1',
    },
    {
      name: 'a switch that names other symbols waits',
      rule: 'T3',
      find: 'symbols.length === 0 || symbols.includes(busy)',
      replace: 'true',
    },
    {
      name: 'what waits for an unfinished order is never due again',
      rule: 'T3',
      find: '  for (const put of putBack) put();\n',
      replace: '',
    },
    {
      name: 'what waits for an unfinished order costs no step',
      rule: 'T3',
      find: '      steps.take(1);\n',
      replace: '',
    },
  ]),
  ...inFile('matching/unfinished/unfinished.ts', [
    {
      name: 'the symbols of the rest of a batch do not wait',
      rule: 'T3',
      find: '[current.symbol, ...answer.rest.map(({ symbol }) => symbol)]',
      replace: '[current.symbol]',
    },
  ]),
  ...inFile('snapshot/snapshot.ts', [
    {
      name: 'a restored exchange forgets unfinished orders',
      rule: 'T3',
      find: '  restoreUnfinished(state, rare.unfinished ?? []);\n',
      replace: '',
    },
  ]),
  ...inFile('snapshot/unfinished.ts', [
    {
      name: 'a restored exchange lets the client id of an unfinished order be used again',
      rule: 'T3',
      find: '    if (texts?.clientId) state.clientIds.take(user, texts.clientId, order);\n',
      replace: '',
    },
  ]),
];
