/** The rich world again and again, each time from a snapshot taken at another moment of it. */

import assert from 'node:assert/strict';
import { applyTo, tell } from '@bourse/test-tools/venue.ts';
import { Exchange } from '../src/exchange.ts';
import { richRecords } from './rich-world.ts';

/** Throws where a restored exchange says anything else, or ends otherwise; returns what each record led to. */
export function goOnFromSnapshots(): readonly string[] {
  const { records, built } = richRecords();
  const exchange = new Exchange();
  const said = records.map((record) => tell(applyTo(exchange, record)));
  const hash = exchange.hash();
  const source = new Exchange();
  for (const [cut, record] of records.entries()) {
    source.apply(record);
    // Everywhere while it is built, then now and then.
    if (cut >= built && cut % 10 !== 0) continue;
    const restored = Exchange.restore(source.snapshot());
    for (let i = cut + 1; i < records.length; i++) {
      const text = tell(applyTo(restored, records[i]));
      if (text !== said[i]) assert.equal(text, said[i], `record ${i} after a snapshot at ${cut}`);
    }
    assert.equal(restored.hash(), hash, `the end after a snapshot at ${cut}`);
  }
  return said;
}
