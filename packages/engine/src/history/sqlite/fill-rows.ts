/** Fills with their ledger entries as rows of a pack. */

import type { ByteSink } from '../../bytes/byte-sink.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import type { LedgerFill } from '../rows.ts';
import { orderLane, readOrderLane } from './codes.ts';
import type { RowHead } from './packs.ts';

export function writeFill(sink: ByteSink, row: LedgerFill): void {
  const { fill, entry, baseChange, baseBalance, quoteBalance } = row;
  sink.whole(fill.order);
  sink.whole(fill.user);
  sink.whole(orderLane(fill));
  sink.whole(fill.trade);
  sink.whole(fill.counterOrder);
  sink.whole(fill.price);
  sink.whole(fill.size);
  sink.amount(fill.fee);
  sink.whole(fill.feeRate);
  sink.whole(fill.liquidity === 'taker' ? 1 : 0);
  sink.whole(entry);
  sink.amount(baseChange);
  sink.amount(baseBalance);
  sink.amount(quoteBalance);
}

/** The funds are not stored: price * size is them exactly, in units of the quote currency. */
export function readFill({ id, seq, time }: RowHead, source: ByteSource): LedgerFill {
  const order = source.whole();
  const user = source.whole();
  const lane = readOrderLane(source.whole());
  const trade = source.whole();
  const counterOrder = source.whole();
  const price = source.whole();
  const size = source.whole();
  const fee = source.amount() ?? 0n;
  const feeRate = source.whole();
  const liquidity = source.whole() === 1 ? 'taker' : 'maker';
  const funds = BigInt(price) * BigInt(size);
  return {
    fill: {
      id,
      seq,
      time,
      ...lane,
      trade,
      order,
      counterOrder,
      user,
      price,
      size,
      funds,
      fee,
      feeRate,
      liquidity,
    },
    entry: source.whole(),
    baseChange: source.amount() ?? 0n,
    baseBalance: source.amount() ?? 0n,
    quoteBalance: source.amount(),
  };
}
