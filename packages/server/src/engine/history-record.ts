/** From a record just applied to what history wants of it. */

import type { Applied, EndedOrder, Event, Exchange, LogRecord } from '@bourse/core';
import type { AuditedCommand, HistoryRecord } from './history.ts';

/** `exchange` has just applied the record. */
export function historyRecordOf(exchange: Exchange, applied: Applied, record: LogRecord): HistoryRecord {
  const { seq, time } = record;
  const events = applied.events.decode();
  const ended = exchange.endedOrders();
  const restingRates = restingRatesOf(exchange, events, ended);
  return { seq, time, events, ended, restingRates, audited: auditedOf(applied, record) };
}

/** A resting order may have come long ago, so its rates are in no event of this record. */
function restingRatesOf(
  exchange: Exchange,
  events: readonly Event[],
  ended: readonly EndedOrder[],
): number[] {
  const rates: number[] = [];
  let endedById: Map<number, EndedOrder> | null = null;
  for (const event of events) {
    if (event.kind !== 'trade') continue;
    endedById ??= new Map(ended.map((order) => [order.order, order]));
    const { order: id, rate } = event.resting;
    const order = endedById.get(id) ?? exchange.order(id);
    if (!order) throw new Error(`record ${exchange.seq} traded with order ${id}, which is nowhere`);
    rates.push(rate === 'taker' ? order.takerRate : order.makerRate);
  }
  return rates;
}

function auditedOf(applied: Applied, { commands }: LogRecord): AuditedCommand[] {
  if (!commands.some((command) => 'by' in command && command.by !== undefined)) return [];
  const outcomes = applied.outcomes.decode();
  return commands.flatMap((command, at) => {
    if (!('by' in command) || command.by === undefined) return [];
    const outcome = outcomes[at];
    return [{ command, outcome: outcome.kind === 'rejected' ? outcome.rejection.code : 'accepted' }];
  });
}
