/** The rich world again and again, each time from a snapshot taken at another moment of it. */

import assert from 'node:assert/strict';
import { applyTo, tell } from '@bourse/test-tools/venue.ts';
import type { LogRecord } from '../src/commands/commands.ts';
import { Exchange } from '../src/exchange.ts';
import { richRecords, richVenue } from './rich-world.ts';

/** Throws where a restored exchange says anything else, or ends otherwise; returns what each record led to. */
export function goOnFromSnapshots(): readonly string[] {
  const { records, built } = richRecords();
  const reduced = reducedAtOnce();
  goOnFrom(reduced, (cut) => cut >= reduced.length - 3);
  // Everywhere while it is built, then now and then.
  return goOnFrom(records, (cut) => cut < built || cut % 10 === 0);
}

/** An order that is reduced in the millisecond in which it came, and then cancelled: it looks as if nothing had changed it. */
function reducedAtOnce(): readonly LogRecord[] {
  const venue = richVenue();
  const [user, symbol] = [0, 0];
  const order = venue.place(user, { symbol, type: 'limit', side: 'buy', price: 900_000, size: 1000 });
  venue.do({ kind: 'reduce-order', user, symbol, order, size: 300 });
  venue.time += 1000;
  venue.do({ kind: 'cancel-order', user, symbol, order });
  return venue.records;
}

function goOnFrom(records: readonly LogRecord[], isCut: (cut: number) => boolean): readonly string[] {
  const exchange = new Exchange();
  const said = records.map((record) => tell(applyTo(exchange, record)));
  const hash = exchange.hash();
  const source = new Exchange();
  for (const [cut, record] of records.entries()) {
    source.apply(record);
    if (!isCut(cut)) continue;
    const restored = Exchange.restore(source.snapshot());
    for (let i = cut + 1; i < records.length; i++) {
      const text = tell(applyTo(restored, records[i]));
      if (text !== said[i]) assert.equal(text, said[i], `record ${i} after a snapshot at ${cut}`);
    }
    assert.equal(restored.hash(), hash, `the end after a snapshot at ${cut}`);
  }
  return said;
}
