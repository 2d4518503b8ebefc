/**
 * Sends orders to an engine process as fast as it replies, each with its own client id, tracks their
 * results, and checks the directory afterwards.
 */

import { type Command, Exchange, type PlaceOrder } from '@bourse/core';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import { historyRecordOf } from '../../packages/engine/src/history/history-record.ts';
import { SqliteHistoryReader } from '../../packages/engine/src/history/sqlite/sqlite-history-reader.ts';
import { nodeDisk } from '../../packages/engine/src/io/disk.ts';
import { FileLog } from '../../packages/engine/src/log/file-log.ts';
import { LogReader } from '../../packages/engine/src/log/log-reader.ts';
import { canonicalText } from '../compare.ts';
import { type EngineProcess, NoAnswer } from './engine-process.ts';

const USERS = 4;
const AT_ONCE = 64;

interface Acknowledged {
  readonly command: PlaceOrder;
  readonly clientId: string;
  readonly seq: number;
  /** 0 if it was rejected. */
  readonly order: number;
}

export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** Sent, but the process ended or stopped before it replied. */
  unanswered: PlaceOrder[] = [];
  refused = 0;
  readonly #random: Random;
  #sent = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async openMarket(engine: EngineProcess): Promise<void> {
    await Promise.all(openMarket(USERS).map((command: Command) => engine.ask({ command })));
  }

  /** Until the process ends or `isOver` returns true. */
  async run(engine: EngineProcess, isOver: () => boolean): Promise<void> {
    const caller = async (): Promise<void> => {
      while (!isOver()) if (!(await this.send(engine, this.#draw()))) return;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
  }

  /** False if there will be no more replies. */
  async send(engine: EngineProcess, command: PlaceOrder): Promise<boolean> {
    try {
      const { outcome, seq = 0, unavailable } = await engine.ask({ command });
      if (unavailable === 'stopped') this.unanswered.push(command);
      else if (unavailable !== undefined || outcome === undefined) this.refused += 1;
      else {
        const id = outcome.kind === 'order' ? outcome.order : 0;
        this.acknowledged.push({ command, clientId: command.clientId as string, seq, order: id });
      }
      return unavailable !== 'stopped';
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.unanswered.push(command);
      return false;
    }
  }

  #draw(): PlaceOrder {
    const random = this.#random;
    this.#sent += 1;
    const side = random.chance(0.5) ? 'buy' : 'sell';
    // Half of them end at once, to give history some work.
    const more = random.chance(0.5) ? { timeInForce: 'IOC' as const } : {};
    const price = 1000 + 10 * random.below(20);
    return order(random.below(USERS), side, price, 1 + random.below(500), {
      clientId: `k${this.#sent}`,
      ...more,
    });
  }
}

// Checks the directory afterwards: everything acknowledged against the log, and history against the log.

export interface Audit {
  readonly records: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly historyRows: number;
  readonly historyRowsLost: number;
  readonly historyRowsDoubled: number;
  readonly hash: string;
}

/** No other process may use the directory, and every segment from the first on must exist. */
export async function auditDirectory(dir: string, acknowledged: readonly Acknowledged[]): Promise<Audit> {
  const log = await FileLog.open({ disk: nodeDisk, dir: `${dir}/log` });
  const { lastSeq } = log;
  await log.close();
  const expected = new MemoryHistory();
  const exchange = new Exchange();
  const placed = new Map<string, number[]>();
  for await (const record of new LogReader(nodeDisk, `${dir}/log`).read(1, lastSeq)) {
    const applied = exchange.apply(record);
    const outcomes = applied.outcomes.decode();
    expected.write([historyRecordOf(exchange, applied, record)]);
    record.commands.forEach((command, at) => {
      const outcome = outcomes[at];
      if (command.kind !== 'place-order' || (outcome?.kind !== 'order' && outcome?.kind !== 'unfinished'))
        return;
      const { clientId = '' } = command;
      placed.set(clientId, [...(placed.get(clientId) ?? []), outcome.order]);
    });
  }
  const isLost = ({ clientId, order: id }: Acknowledged) => id > 0 && !placed.get(clientId)?.includes(id);
  const { found, wanted } = historyRows(dir, expected, exchange.counts.users);
  return {
    records: lastSeq,
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(isLost).length,
    doubled: [...placed.values()].filter(({ length }) => length > 1).length,
    historyRows: found.length,
    historyRowsLost: missingFrom(found, wanted),
    historyRowsDoubled: missingFrom(wanted, found),
    hash: exchange.hash(),
  };
}

function historyRows(
  dir: string,
  expected: MemoryHistory,
  users: number,
): { found: string[]; wanted: string[] } {
  const reader = new SqliteHistoryReader(`${dir}/history.db`);
  const rowsOf = (history: MemoryHistory | SqliteHistoryReader): string[] => {
    const rows: string[] = [];
    for (let user = 0; user < users; user++) {
      const all = { user, limit: 10_000_000 };
      for (const row of history.orders(all)) rows.push(`order ${canonicalText(row)}`);
      for (const row of history.fills(all)) rows.push(`fill ${canonicalText(row)}`);
      for (const row of history.ledger(all)) rows.push(`entry ${canonicalText(row)}`);
      for (const row of history.transfers(all)) rows.push(`transfer ${canonicalText(row)}`);
      for (const row of history.deposits(all)) rows.push(`deposit ${canonicalText(row)}`);
    }
    return rows;
  };
  try {
    return { found: rowsOf(reader), wanted: rowsOf(expected) };
  } finally {
    reader.close();
  }
}

/** How many of `wanted` are missing in `there`, counting duplicates. */
function missingFrom(there: readonly string[], wanted: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const row of there) counts.set(row, (counts.get(row) ?? 0) + 1);
  return wanted.filter((row) => {
    const count = counts.get(row) ?? 0;
    counts.set(row, count - 1);
    return count <= 0;
  }).length;
}
