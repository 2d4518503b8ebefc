/** Writes the log and history of a data directory, and compares its mirror with both. */

import assert from 'node:assert/strict';
import { Client } from 'pg';
import { Exchange, formatUnits, type LogRecord } from '@bourse/core';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import { type ClusterKeys, deriveClusterKeys } from '../../../cluster/src/authentication.ts';
import { JetStreamLog } from '../../../cluster/src/stream/jetstream-log.ts';
import { connectTo } from '../../../cluster/src/stream/nats-link.ts';
import { NatsStream } from '../../../cluster/src/stream/nats-stream.ts';
import { RecordMac } from '../../../cluster/src/stream/record-stream.ts';
import { SnapshotStore } from '../../../cluster/src/states/snapshot-store.ts';
import { logDirectory } from '../../../engine/src/file-storage.ts';
import { snapshotPath, Snapshots } from '../../../engine/src/snapshots.ts';
import { INTERVAL_NAMES } from '../../../engine/src/history/candles.ts';
import { historyRecordOf } from '../../../engine/src/history/history-record.ts';
import { SqliteHistoryReader } from '../../../engine/src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../engine/src/history/sqlite/sqlite-history-writer.ts';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { nodeDisk } from '../../../engine/src/io/disk.ts';
import { FileLog } from '../../../engine/src/log/file-log.ts';
import { candleRow, fillRow, ledgerRow, orderRow } from '../../../mirror/src/mirror-batch.ts';
import { type Row, isoTime } from '../../../mirror/src/money-rows.ts';
import { DirectorySource, type MirrorSource } from '../../../mirror/src/mirror.ts';
import { StreamSource } from '../../src/startup/cluster-stream.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import { historyPath } from '../../src/startup/data-directory.ts';
import { knownSeqOf } from '../../src/tools/stopped-directory.ts';

/** More than any of these lists has. */
const ALL = 1_000_000;

/** Writes the records to a log and a history. */
export async function writeLog(
  dir: string,
  records: Iterable<LogRecord>,
  segmentBytes?: number,
): Promise<Exchange> {
  const log = await FileLog.open({
    disk: nodeDisk,
    dir: logDirectory(dir),
    ...(segmentBytes !== undefined && { segmentBytes }),
  });
  const history = new SqliteHistoryWriter(historyPath(dir));
  const exchange = new Exchange();
  const unwritten = [];
  for (const record of records) {
    await log.append(record).durable;
    unwritten.push(historyRecordOf(exchange, exchange.apply(record), record));
  }
  history.write(unwritten);
  history.close();
  await log.close();
  return exchange;
}

/** `count` records of a random flow of every kind of command. */
export function* flowRecords(seed: number, count: number): Generator<LogRecord> {
  const flow = new Flow(seed);
  const exchange = new Exchange();
  const apply = (record: LogRecord): LogRecord => {
    flow.observe(exchange.apply(record).events.decode());
    return record;
  };
  let last: LogRecord | undefined;
  for (let at = 0; at < count; at++) yield (last = apply(flow.next()));
  // An order split over records neither rests nor is done while it continues, so no compared list has it.
  while (last !== undefined && exchange.hasUnfinished)
    yield (last = apply({ ...last, seq: last.seq + 1, commands: [] }));
}

export const sourceOf = (dir: string): DirectorySource =>
  new DirectorySource({ disk: nodeDisk, dir, knownSeq: () => knownSeqOf(dir) });

const keysOf = (stream: string): ClusterKeys => deriveClusterKeys(SANDBOX_SECRET_KEY, stream);

/** A directory, or a stream as `nats://host:port/stream`. */
export async function openSource(where: string): Promise<MirrorSource> {
  if (!where.startsWith('nats://')) return sourceOf(where);
  const { host, pathname } = new URL(where);
  const stream = pathname.slice(1);
  return StreamSource.open({ servers: [`nats://${host}`], stream }, keysOf(stream));
}

/** The same records as a node would append them; the state after some of them goes into the store of snapshots. */
export async function writeStream(
  server: string,
  stream: string,
  records: Iterable<LogRecord>,
  snapshotsAt: readonly number[],
  dir: string,
): Promise<string> {
  const address = { servers: [server], stream };
  const connection = await connectTo(address, 'test');
  const log = await JetStreamLog.open({
    stream: await NatsStream.open({ connection, address, replicas: 1 }),
    clock: nodeClock,
    mac: new RecordMac(keysOf(stream).records),
  });
  const store = await SnapshotStore.open({ connection, stream, keys: keysOf(stream) }, 1);
  const exchange = new Exchange();
  for (const record of records) {
    await log.append(record).durable;
    exchange.apply(record);
    if (!snapshotsAt.includes(record.seq)) continue;
    const snapshots = new Snapshots(nodeDisk, `${dir}/to-store`);
    await snapshots.write(exchange);
    await store.put(record.seq, {
      state: snapshotPath(snapshots.dir, record.seq),
      history: historyPath(dir),
    });
  }
  await log.close();
  return `${server}/${stream}`;
}

/** How many rows of each table were compared. */
export async function compare(url: string, dir: string, exchange: Exchange): Promise<Record<string, number>> {
  const client = new Client(url);
  await client.connect();
  const history = new SqliteHistoryReader(historyPath(dir));
  try {
    const compared: Record<string, number> = {};
    for (const [table, key, rows] of expectedOf(history, exchange)) {
      const { rows: found } = await client.query<Row>(`SELECT * FROM bourse.${table}`);
      const mirrored = byKey(found.map(plainRow), key);
      const expected = byKey(rows.map(plainRow), key);
      assert.deepEqual(Object.keys(mirrored), Object.keys(expected), `keys of ${table}`);
      for (const id of Object.keys(expected)) assert.deepEqual(mirrored[id], expected[id], `${table} ${id}`);
      compared[table] = rows.length;
    }
    compared['money'] = await compareMoney(client, exchange);
    compared['addresses'] = await compareAddresses(client, exchange);
    return compared;
  } finally {
    history.close();
    await client.end();
  }
}

async function compareAddresses(client: Client, { reference }: Exchange): Promise<number> {
  const { rows } = await client.query<Row>('SELECT * FROM bourse.addresses');
  const line = ({ user_id, currency, chain, address, memo }: Row): string =>
    JSON.stringify([user_id, currency, chain, address, memo]);
  const addresses = reference.users.flatMap(({ number: user_id }) =>
    reference.currencies.flatMap(({ number, code: currency }) =>
      reference
        .addressesOf(user_id, number)
        .map(({ chain, address, memo }) => line({ user_id, currency, chain, address, memo: memo || null })),
    ),
  );
  assert.deepEqual(rows.map(line).toSorted(), addresses.toSorted());
  return rows.length;
}

/** Deposits, questionnaires, withdrawals, fee rules and system accounts, against the exchange itself. */
async function compareMoney(client: Client, exchange: Exchange): Promise<number> {
  const { reference } = exchange;
  const { currencies } = reference;
  const all = async (table: string): Promise<Row[]> =>
    (await client.query<Row>(`SELECT * FROM bourse.${table}`)).rows;
  const money = (units: bigint, currency: number): string => formatUnits(units, currencies[currency].scale);
  const told = (rows: readonly Row[], names: readonly string[]): string[] =>
    rows.map((row) => line(names.map((name) => row[name]))).toSorted();
  const line = (parts: readonly unknown[]): string =>
    parts.map((part) => String(plain(part) ?? '')).join(' ');

  const deposits = reference
    .deposits()
    .map((each) =>
      line([
        each.deposit,
        each.user,
        currencies[each.currency].code,
        money(each.amount, each.currency),
        money(each.fee ?? 0n, each.currency),
        each.txId,
        each.state,
        each.failureCode ?? '',
      ]),
    );
  const depositRows = await all('deposits');
  assert.deepEqual(
    told(depositRows, [
      'deposit_id',
      'user_id',
      'currency',
      'amount',
      'fee',
      'tx_id',
      'state',
      'failure_code',
    ]),
    deposits.toSorted(),
  );
  const questionnaires = reference
    .questionnaires({ limit: Infinity })
    .map((each) =>
      [each.questionnaire, each.travelRuleId, each.user, each.senderType, each.state, each.failureCode].join(
        ' ',
      ),
    );
  assert.deepEqual(
    told(await all('questionnaires'), [
      'questionnaire_id',
      'travel_rule_id',
      'user_id',
      'sender_type',
      'state',
      'failure_code',
    ]),
    questionnaires.toSorted(),
  );
  const kept = new Map(reference.withdrawals().map((each) => [String(each.withdrawal), each]));
  // The mirror has those that the exchange has forgotten, too.
  const found = (await all('withdrawals')).filter((row) => kept.has(String(row['withdrawal_id'])));
  assert.deepEqual(
    told(found, [
      'withdrawal_id',
      'user_id',
      'amount',
      'fee',
      'state',
      'claimed_by',
      'tx_id',
      'failure_reason',
    ]),
    [...kept.values()]
      .map((each) =>
        line([
          each.withdrawal,
          each.user,
          money(each.amount, each.currency),
          money(each.fee, each.currency),
          each.state,
          each.claimedBy ?? '',
          each.txId ?? '',
          each.failureReason ?? '',
        ]),
      )
      .toSorted(),
  );
  for (const row of found) {
    const at = kept.get(String(row['withdrawal_id']))?.claimedAt;
    assert.equal((row['claimed_at'] as Date | null)?.getTime(), at);
    assert.ok((row['updated_at'] as Date) >= ((row['created_at'] as Date | null) ?? new Date(0)));
  }
  const rates = (units: number): string => formatUnits(BigInt(units), 8);
  assert.deepEqual(
    told(await all('fee_rules'), ['user_id', 'symbol', 'maker', 'taker']),
    reference
      .feeRules()
      .map(({ user, symbol, maker, taker }) =>
        line([
          user < 0 ? '' : user,
          symbol < 0 ? '' : reference.symbol(symbol).code,
          rates(maker),
          rates(taker),
        ]),
      )
      .toSorted(),
  );
  for (const row of await all('system_accounts')) {
    const currency = reference.currencyNumber(String(row['currency']));
    if (currency < 0) continue;
    const balance = exchange.systemBalance(
      row['account'] as 'fees' | 'outside' | 'waiting' | 'suspense',
      currency,
    );
    assert.equal(plainRow(row)['balance'], plainRow({ balance: money(balance, currency) })['balance']);
  }
  return depositRows.length + questionnaires.length + found.length;
}

type Expected = readonly [table: string, key: readonly string[], rows: readonly Row[]];

function expectedOf(history: SqliteHistoryReader, exchange: Exchange): Expected[] {
  const { reference } = exchange;
  const { users, currencies } = reference;
  const symbolOf = (number: number) => {
    const symbol = reference.symbol(number);
    return [symbol, currencies[symbol.quote].scale] as const;
  };
  const everybody = users.map(({ number }) => number);
  const symbols = Array.from({ length: exchange.counts.symbols }, (_, number) => number);
  const page = { limit: ALL };
  const done = everybody.flatMap((user) => history.orders({ user, ...page }));
  const active = everybody.flatMap((user) => symbols.flatMap((symbol) => exchange.openOrders(user, symbol)));
  const fills = everybody.flatMap((user) => history.fills({ user, ...page }));
  const ledger = everybody.flatMap((user) => history.ledger({ user, ...page }));
  // History keeps the candles of removed symbols, by number; the mirror has codes, which may be used again.
  const listed = reference.symbols().map(({ symbol }) => symbol);
  const candles = listed.flatMap((symbol) =>
    INTERVAL_NAMES.flatMap((interval) =>
      history
        .candles({ symbol, interval, from: 0, until: Infinity, limit: ALL })
        .map((candle) => candleRow(interval, candle, ...symbolOf(symbol))),
    ),
  );
  return [
    [
      'orders',
      ['order_id'],
      [
        ...done.map((order) => orderRow(order, ...symbolOf(order.symbol), order)),
        ...active.map((order) => orderRow(order, ...symbolOf(order.symbol))),
      ],
    ],
    ['fills', ['fill_id'], fills.map((fill) => fillRow(fill, ...symbolOf(fill.symbol)))],
    [
      'ledger',
      ['entry_id'],
      ledger.map((entry) => {
        const { code, scale } = currencies[entry.currency];
        return ledgerRow(entry, code, scale, entry.symbol < 0 ? null : reference.symbol(entry.symbol).code);
      }),
    ],
    ['candles', ['symbol', 'interval', 'start'], candles],
    [
      'audit',
      ['audit_id'],
      history.audit(page).map(({ id, seq, time, by, why, outcome, command }) => ({
        audit_id: id,
        seq,
        time: isoTime(time),
        by,
        why,
        outcome,
        command,
      })),
    ],
    ['balances', ['user_id', 'account', 'currency'], balancesOf(exchange)],
    [
      'users',
      ['user_id'],
      users.map(({ number, name, parent, tier, frozen }) => ({
        user_id: number,
        name,
        parent_id: parent < 0 ? null : parent,
        tier,
        frozen,
      })),
    ],
  ];
}

function balancesOf(exchange: Exchange): Row[] {
  const { users, currencies } = exchange.reference;
  const rows: Row[] = [];
  for (const { number } of users) {
    for (const { type: account, currency, available, hold } of exchange.accounts(number)) {
      const { code, scale } = currencies[currency];
      const money = (units: bigint) => formatUnits(units, scale);
      rows.push({ user_id: number, account, currency: code, available: money(available), hold: money(hold) });
    }
  }
  for (const { number, code, scale } of currencies) {
    for (const account of ['fees', 'outside', 'waiting', 'suspense'] as const) {
      const units = exchange.systemBalance(account, number);
      if (units !== 0n) {
        rows.push({ user_id: -1, account, currency: code, available: formatUnits(units, scale), hold: '0' });
      }
    }
  }
  return rows;
}

/** For a column of any type: times and numbers as text, without trailing zeros. */
function plainRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    const clean = value.toWellFormed().replaceAll('\0', '\ufffd');
    return /^-?\d+\.\d+$/.test(clean) ? clean.replace(/\.?0+$/, '') : clean;
  }
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? plainRow(value as Row) : value;
}

/** A balance of zero equals a missing one. */
const isNothing = ({ available, hold }: Row): boolean => available === '0' && hold === '0';

function byKey(rows: readonly Row[], key: readonly string[]): Record<string, Row> {
  const named = rows
    .filter((row) => !isNothing(row))
    .map((row) => [key.map((name) => String(row[name])).join(' '), row] as const);
  assert.equal(new Set(named.map(([id]) => id)).size, named.length, 'no row is there twice');
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
