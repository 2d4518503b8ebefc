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
      find: 'Math.max(Math.ceil(stepsPerRecordMax / STEPS_PER_MEETING), commands.length)',
      replace: 'stepsPerRecordMax',
    },
    {
      name: 'many commands have no more meetings than one',
      rule: 'T3',
      find: ' / STEPS_PER_MEETING), commands.length)',
      replace: ' / STEPS_PER_MEETING), 0)',
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
      find: '    if (state.unfinished.count > 0) return;',
      replace: '',
    },
    {
      name: 'an unfinished order goes on after what is due and all commands',
      rule: 'T3',
      find: '    if (state.unfinished.count > 0) carryOn(state, () => this.triggerTouched());\n',
      replace:
        '    if (state.unfinished.count > 0 && commands.length === 0) carryOn(state, () => this.triggerTouched());\n',
    },
    {
      name: 'stop orders do not look at what an unfinished order did when it went on',
      rule: 'T3',
      find: 'carryOn(state, () => this.triggerTouched());',
      replace: 'carryOn(state, () => (state.touchedCount = 0));',
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
  ...inFile('matching/stops.ts', [
    {
      name: 'stop orders overtake an unfinished order',
      rule: 'T3',
      find: ' || state.unfinished.isBusy(symbol)',
      replace: '',
    },
  ]),
  ...inFile('matching/carry-on.ts', [
    {
      name: 'the rest of a batch is dropped',
      rule: 'T3',
      find: 'orders.slice(i + 1).map(requestOf)',
      replace: 'orders.slice(orders.length).map(requestOf)',
    },
    {
      name: 'what a batch came to before is not told',
      rule: 'T3',
      find: '[...answer.outcomes, outcome as OrderOutcome]',
      replace: '[outcome as OrderOutcome]',
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
  ...inFile('matching/unfinished.ts', [
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
