/**
 * The data of the measurements: the core's flow as a log, and a directory with a million open orders; and
 * their disk.
 */

import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { type Command, Exchange, type LogRecord } from '@bourse/core';
import { SqliteHistoryWriter } from '../../packages/engine/src/history/sqlite/sqlite-history-writer.ts';
import { type Disk, nodeDisk } from '../../packages/engine/src/io/disk.ts';
import { overriding } from '../../packages/engine/src/exchange-port.ts';
import { coreCommands, DEFAULT_FLOW, makeFlow } from '../core/flow.ts';
import { limitOrder, Venue } from '../core/venue.ts';
import { FileLog } from '../../packages/engine/src/log/file-log.ts';
import { NO_HASH } from '../../packages/engine/src/log/record.ts';
import { segmentName, writeHeader } from '../../packages/engine/src/log/segment.ts';
import { Snapshots } from '../../packages/engine/src/snapshots.ts';

/** A disk with a minimum sync time; 0 changes nothing. */
export function slowedBy(syncMs: number): Disk {
  if (syncMs === 0) return nodeDisk;
  const disk = { ...nodeDisk };
  return {
    ...disk,
    async open(path, mode) {
      const file = await disk.open(path, mode);
      return overriding(file, {
        sync: async () => {
          await Promise.all([file.sync(), setTimeout(syncMs)]);
        },
      });
    },
  };
}

const USERS = 1001;
/** Commands per record, as when several callers wait for a sync. */
const RECORD_COMMANDS = 50;

let flow: (Omit<Scene, 'exchange'> & { readonly snapshot: Uint8Array }) | null = null;

export interface Scene {
  readonly exchange: Exchange;
  readonly commands: readonly Command[];
  /** The id of the first order. */
  readonly firstOrder: number;
}

/** An exchange with users, money and the flow's initial book, and the commands that follow. */
export function scene(): Scene {
  if (!flow) {
    const made = makeFlow(DEFAULT_FLOW);
    const venue = new Venue(USERS, 1);
    const commands = coreCommands(made, venue.firstOrder);
    venue.apply(commands.slice(0, made.prefill));
    flow = {
      snapshot: venue.exchange.snapshot(),
      commands: commands.slice(made.prefill),
      firstOrder: venue.firstOrder + made.prefill,
    };
  }
  const { snapshot, ...rest } = flow;
  return { exchange: Exchange.restore(snapshot), ...rest };
}

/** The scene's commands as records that continue its exchange. */
export function recordsOf(exchange: Exchange, commands: readonly Command[]): LogRecord[] {
  const records: LogRecord[] = [];
  for (let at = 0; at < commands.length; at += RECORD_COMMANDS) {
    const seq = exchange.seq + records.length + 1;
    records.push({
      seq,
      time: exchange.time + records.length,
      commands: commands.slice(at, at + RECORD_COMMANDS),
    });
  }
  return records;
}

/** Preparation need not be durable. */
const hastyDisk: Disk = {
  ...nodeDisk,
  async open(path, mode) {
    const file = await nodeDisk.open(path, mode);
    return overriding(file, { sync: async () => undefined });
  },
  syncDirectory: async () => undefined,
};

/** The directory of a long-running exchange: a snapshot, history up to it, and a log after it. */
export async function prepareDirectory(
  dir: string,
  exchange: Exchange,
  records: readonly LogRecord[],
): Promise<void> {
  mkdirSync(`${dir}/log`, { recursive: true });
  await new Snapshots(nodeDisk, `${dir}/snapshots`).write(exchange);
  const first = { firstSeq: exchange.seq + 1, timeBefore: exchange.time, hashBefore: NO_HASH };
  const file = await nodeDisk.open(`${dir}/log/${segmentName(first.firstSeq)}`, 'create');
  file.write(0, writeHeader(first));
  await file.close();
  const log = await FileLog.open({ disk: hastyDisk, dir: `${dir}/log` });
  for (const record of records) await log.append(record).durable;
  await log.close();
  new SqliteHistoryWriter(`${dir}/history.db`).close();
  const db = new DatabaseSync(`${dir}/history.db`);
  db.prepare('UPDATE checkpoint SET seq = ?').run(exchange.seq);
  db.exec("INSERT INTO symbols VALUES (0, 'BTC-USDT', 0, 1, 0, 0)");
  db.close();
}

const MIDDLE = 100_000;
const LEVELS = 20_000;

/** An exchange with funded users and resting orders, none of which trade. */
export function largeExchange(users: number, orders: number): Exchange {
  const venue = new Venue(users, 1);
  let seed = 1;
  const below = (end: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 4294967296) * end);
  };
  for (let at = 0; at < orders; at += 1000) {
    const commands: Command[] = [];
    for (let i = at; i < Math.min(orders, at + 1000); i++) commands.push(restingOrder(i % users, below));
    venue.apply(commands);
  }
  if (venue.exchange.counts.orders !== orders) throw new Error('an order was refused');
  return venue.exchange;
}

export function restingOrder(user: number, below: (end: number) => number): Command {
  const side = below(2);
  const distance = 1 + below(LEVELS);
  return limitOrder(user, 0, side, side === 0 ? MIDDLE - distance : MIDDLE + distance, 1 + below(100), 'GTC');
}
