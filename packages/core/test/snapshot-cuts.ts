/** Replays the rich world repeatedly, each time from a snapshot of another record. */

import assert from 'node:assert/strict';
import { tell } from '@bourse/test-kit/venue.ts';
import type { LogRecord } from '../src/commands/commands.ts';
import { type Applied, Exchange } from '../src/exchange.ts';
import { richRecords } from './rich-world.ts';
import { MOMENTS } from './snapshot-moments.ts';

/** Throws if a restored exchange differs in outcomes or final state; returns the effects of each record. */
export function goOnFromSnapshots(): readonly string[] {
  for (const [moment, make] of Object.entries(MOMENTS)) goOnFrom(moment, make().records, () => true);
  const { records, built } = richRecords();
  // After every record while it is built, then sometimes.
  return goOnFrom('the rich world', records, (cut) => cut < built || cut % 10 === 0);
}

/** Outcomes and events, and their rows, whose digests are compared. */
function saidBy(exchange: Exchange, record: LogRecord): string {
  const { events, outcomes, finished } = exchange.apply(record);
  const said = { outcomes: outcomes.decode(), events: events.decode(), finished };
  return [tell(said), rowsOf(events), rowsOf(outcomes)].join('\n');
}

function rowsOf({ written: { words, length } }: Applied['events' | 'outcomes']): string {
  return words.subarray(0, length).join(' ');
}

function goOnFrom(
  world: string,
  records: readonly LogRecord[],
  isCut: (cut: number) => boolean,
): readonly string[] {
  const exchange = new Exchange();
  const said = records.map((record) => saidBy(exchange, record));
  const hash = exchange.hash();
  const source = new Exchange();
  for (const [cut, record] of records.entries()) {
    source.apply(record);
    if (!isCut(cut)) continue;
    const restored = Exchange.restore(source.snapshot());
    assert.equal(restored.hash(), source.hash(), `${world}: a snapshot at ${cut}`);
    for (let i = cut + 1; i < records.length; i++) {
      const text = saidBy(restored, records[i]);
      if (text !== said[i]) assert.equal(text, said[i], `${world}: record ${i} after a snapshot at ${cut}`);
    }
    assert.equal(restored.hash(), hash, `${world}: the end after a snapshot at ${cut}`);
  }
  return said;
}
