/**
 * A view that starts with the contents of history and follows every record. Records may arrive while history is read:
 * after a start, unfinished orders continue and due events happen. They are buffered, and the view is told the last
 * record that history had.
 */

import type { Exchange } from '@bourse/core';
import {
  type ExchangePort,
  type HistoryReader,
  type Published,
  readSteadily,
  type SteadyRead,
} from '@bourse/engine';

export type MarketRecord = Pick<Published, 'seq' | 'time' | 'marketEvents'>;

export interface Joining<History extends Pick<HistoryReader, 'checkpoint'>, View> {
  readonly port: ExchangePort;
  readonly history: History;
  /** The log was empty at the start, so history need not be awaited. */
  readonly isHistoryEmpty?: boolean;
  /** The query on history. */
  readonly open: (exchange: Exchange) => View;
  readonly take: (view: View, record: MarketRecord, exchange: Exchange, checkpoint: number) => void;
}

export async function joinHistory<History extends Pick<HistoryReader, 'checkpoint'>, View>(
  joining: Joining<History, View>,
): Promise<View> {
  const { port, history, isHistoryEmpty = false, open, take } = joining;
  const late: MarketRecord[] = [];
  let begun: SteadyRead<View> | undefined;
  port.subscribe((published, exchange) => {
    if (begun) take(begun.value, published, exchange, begun.checkpoint);
    else {
      const { seq, time, marketEvents } = published;
      late.push({ seq, time, marketEvents });
    }
  });
  if (!isHistoryEmpty) await port.historyCaughtUp();
  return port.read((exchange) => {
    begun = readSteadily(history, () => open(exchange));
    for (const record of late.splice(0)) take(begun.value, record, exchange, begun.checkpoint);
    return begun.value;
  });
}
