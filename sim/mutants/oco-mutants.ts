/** OCO orders: pairs of which one cancels the other. */

import { inFile, type Mutant } from './mutant.ts';

export const OCO_MUTANTS: readonly Mutant[] = [
  ...inFile('matching/stops/ocos.ts', [
    {
      name: 'stop price on the side of the price',
      rule: 'P',
      find: "side === 'buy' ? stopPrice > price :",
      replace: "side === 'buy' ? stopPrice >= price :",
    },
    {
      name: 'stop part waits in the wrong direction',
      rule: 'P',
      find: "side === 'buy' ? 'entry' : 'loss'",
      replace: "side === 'buy' ? 'loss' : 'entry'",
    },
    {
      name: 'stop part with the price of the limit part',
      rule: 'P',
      find: 'price: limitPrice, ...shared',
      replace: 'price, ...shared',
    },
    {
      name: 'limit part not marked',
      rule: 'P',
      find: 'state.orders.addFlags(draft, withPaired(0));',
      replace: '',
    },
    {
      name: 'stop part has no limit',
      rule: 'P',
      find: 'const isFull = state.stops.count(user, symbol) >= max;',
      replace: 'const isFull = false;',
    },
    {
      name: 'the price of the triggered order is not checked',
      rule: 'P',
      find: '    checkPrice(limitPrice, priceIncrement),\n',
      replace: '',
    },
    {
      name: 'a cancelled limit part counts as traded',
      rule: 'P',
      find: "traded ? 'traded' : 'cancelled'",
      replace: "'traded'",
    },
    {
      name: "anybody cancels anybody's pair",
      rule: 'P',
      find: 'if (!oco || oco.user !== user ||',
      replace: 'if (!oco ||',
    },
    {
      name: 'client id of a pair never freed',
      rule: 'P',
      find: "if (clientId !== '') rememberClientId(state, user, clientId);",
      replace: '',
    },
  ]),
  ...inFile('matching/stops/stops.ts', [
    {
      name: 'triggered stop part leaves the limit part',
      rule: 'P',
      find: "endPairOf(state, stop.id, 'triggered');",
      replace: '',
    },
    {
      name: 'cancelled stop part leaves the limit part',
      rule: 'P',
      find: "endPairOf(state, stop.id, 'cancelled');",
      replace: '',
    },
  ]),
  ...inFile('matching/trade.ts', [
    {
      name: 'a fill of the resting limit part leaves the stop part',
      rule: 'P',
      find: 'if (orders.isPaired(resting)) state.stirPair(resting, true);',
      replace: '',
    },
    {
      name: 'a fill of the incoming limit part leaves the stop part',
      rule: 'P',
      find: 'if (orders.isPaired(incoming)) state.stirPair(incoming, true);',
      replace: '',
    },
  ]),
  ...inFile('matching/finish.ts', [
    {
      name: 'the end of the limit part leaves the stop part',
      rule: 'P',
      find: 'if (orders.isPaired(row)) state.stirPair(row, false);',
      replace: '',
    },
  ]),
  ...inFile('matching/alter.ts', [
    {
      name: 'an altered order keeps the mark of a pair',
      rule: 'P',
      find: 'withoutPaired(withoutRested(orders.flags(old)))',
      replace: 'withoutRested(orders.flags(old))',
    },
  ]),
  ...inFile('exchange.ts', [
    {
      name: 'a pair ended by time lives until the next command',
      rule: 'P',
      find: 'const afterEach = () => {\n      if (state.touchedCount > 0) this.triggerTouched();',
      replace: 'const afterEach = () => {',
    },
  ]),
  ...inFile('snapshot/snapshot.ts', [
    {
      name: 'snapshot forgets the pairs',
      rule: 'Snapshot',
      find: 'ocos: state.ocos.list(),',
      replace: 'ocos: [],',
    },
    {
      name: 'restoring frees the client ids of pairs',
      rule: 'Snapshot',
      find: "if (oco.clientId !== '') state.clientIds.take(oco.user, oco.clientId, oco.id);",
      replace: '',
    },
  ]),
];
