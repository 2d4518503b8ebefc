/** Time, client ids, stop orders, switches, and what a snapshot must not forget. */

import { inFile, type Mutant } from './mutant.ts';

export const TIME_MUTANTS: readonly Mutant[] = [
  ...inFile('exchange.ts', [
    {
      name: 'what is due happens after the commands',
      rule: 'T1',
      find: 'this.letTimePass(commands.length);',
      replace: [
        'for (const command of commands) {',
        '  execute(state, command);',
        '  if (state.touched.length > 0) this.triggerTouched();',
        '}',
        'this.letTimePass(commands.length);',
        'if (state.seq > 0) return state;',
      ].join('\n'),
    },
    {
      name: 'a symbol is looked at again in the next record',
      rule: 'T2',
      find: 'if (rules >= 4) state.touchedCount = 0;',
      replace: '',
    },
    {
      name: 'a symbol is not looked at again in an old record',
      rule: 'T2',
      find: 'if (rules >= 4) state.touchedCount = 0;',
      replace: 'state.touchedCount = 0;',
    },
    {
      name: 'client id freed a millisecond early',
      rule: 'R-C1',
      find: 'state.time - lookupWindowMs',
      replace: 'state.time - lookupWindowMs + 1',
    },
  ]),
  ...inFile('matching/switches.ts', [
    {
      name: 'GTT order expires late',
      rule: 'T1',
      find: 'if (next > until || ',
      replace: 'if (next >= until || ',
    },
    {
      name: 'switch comes before an expiry of the same instant',
      rule: 'T1',
      find: 'if (expiry === next)',
      replace: 'if (expiry === next && due.firstRank > next)',
    },
    {
      name: 'switch fires a millisecond late',
      rule: 'T1',
      find: 'state.time + timeoutSec * 1000',
      replace: 'state.time + timeoutSec * 1000 + 1',
    },
    {
      name: 'switch passes over halted markets',
      rule: 'set-switch',
      find: 'for (const symbol of targets) cancelAllOf',
      replace:
        "for (const symbol of targets) if (state.instruments.all[symbol].state !== 'halted') cancelAllOf",
    },
  ]),
  ...inFile('matching/orders/done-ids.ts', [
    {
      name: 'client id freed a millisecond late',
      rule: 'R-C1',
      find: 'this.times[oldest << 2] > until',
      replace: 'this.times[oldest << 2] >= until',
    },
  ]),
  ...inFile('matching/orders/client-ids.ts', [
    {
      name: 'client id never freed',
      rule: 'R-C1',
      find: 'if (row === NO_ROW) return;\n      this.free(row);',
      replace: '',
    },
  ]),
  ...inFile('matching/remember-client-id.ts', [
    {
      name: 'client id freed when the order is done',
      rule: 'R-C1',
      find: 'clientId, state.time)',
      replace: 'clientId, 0)',
    },
  ]),
  ...inFile('matching/stops/stop-table.ts', [
    {
      name: 'stop loss waits for a rising price',
      rule: 'K',
      find: "(order.stop === 'loss' ? -order.stopPrice : order.stopPrice)",
      replace: 'order.stopPrice',
    },
    {
      name: 'stop entry does not trigger at its own price',
      rule: 'K',
      find: 'stops.entry.smallestUpTo(lastPrice)',
      replace: 'stops.entry.smallestUpTo(lastPrice - 1)',
    },
  ]),
  ...inFile('matching/stops/stops.ts', [
    {
      name: 'triggered order loses its client id',
      rule: 'K',
      find: "if (clientId !== '') state.orders.setTexts",
      replace: 'if (false) state.orders.setTexts',
    },
    {
      name: 'one stop order too many',
      rule: 'L stop orders per pair',
      find: 'state.stops.count(user, symbol) >= max',
      replace: 'state.stops.count(user, symbol) > max',
    },
    {
      name: 'stop order triggers though the price has moved away',
      rule: 'K',
      find: '  for (;;) {\n    const first = state.stops.firstDue(symbol, book.lastPrice);',
      replace:
        '  const { lastPrice } = book;\n  for (;;) {\n    const first = state.stops.firstDue(symbol, lastPrice);',
    },
  ]),
  ...inFile('matching/stops/stop-life.ts', [
    {
      name: 'stop order that is due when placed waits',
      rule: 'K',
      find: 'state.touch(symbol);',
      replace: '',
    },
  ]),
  ...inFile('snapshot/snapshot.ts', [
    {
      name: 'snapshot forgets the last price',
      rule: 'Snapshot',
      find: 'lastPrice: book.lastPrice,',
      replace: 'lastPrice: 0,',
    },
    {
      name: 'snapshot forgets the client ids of done orders',
      rule: 'Snapshot',
      find: 'clientIds: state.clientIds.listDone(),',
      replace: 'clientIds: [],',
    },
    {
      name: 'snapshot forgets the transfers',
      rule: 'Snapshot',
      find: 'transfers: state.transfers.list(),',
      replace: 'transfers: [],',
    },
    {
      name: 'snapshot forgets the switches',
      rule: 'Snapshot',
      find: 'switches: state.switches.list(),',
      replace: 'switches: [],',
    },
    {
      name: 'restoring forgets the book sequence',
      rule: 'Snapshot',
      find: 'book.sequence = entry.sequence;',
      replace: '',
    },
  ]),
  ...inFile('matching/orders/order-fills.ts', [
    {
      name: 'snapshot forgets the fee slack',
      rule: 'Snapshot',
      find: 'cold[c | 6] = fields[18];',
      replace: '',
    },
    {
      name: 'snapshot forgets that an order was reduced',
      rule: 'Snapshot',
      find: 'fields[4] === 0 && fields[19] === 0 && fields[14] === fields[13]',
      replace: 'fields[4] === 0 && fields[19] === 0',
    },
    {
      name: 'a restored order that was reduced at once counts as untouched',
      rule: 'Snapshot',
      find: 'if (by > 0) this.beginCold(row);',
      replace: '',
    },
  ]),
  ...inFile('snapshot/orders.ts', [
    {
      name: 'restored orders never expire',
      rule: 'Snapshot',
      find: 'if (orders.expiresAt(row) > 0)',
      replace: 'if (false)',
    },
  ]),
];
