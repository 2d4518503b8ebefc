import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { after, before, describe, it, type TestContext } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import type {
  HistoryReader,
  HistoryRecord,
  Page,
  PostedEntry,
  TradeSide,
} from '../../../src/history/history.ts';
import { MERGED_LANES_MAX } from '../../../src/history/sqlite/lanes.ts';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { TradeWriter } from '../history-world.ts';

const SEED = 77;
const PAGES = 300;
const RECORDS = 3000;
/** Two sides and two types each: more lanes than one statement merges. */
const SYMBOLS = 70;
const QUOTES = [100, 101];
const USERS = [1, 2];
const START = 1_700_000_000_000;

const { opening } = new TradeWriter();
const [DONE_ORDER] = new TradeWriter().trade(10, 10, 1n, 1n).done;

const quoteOf = (symbol: number): number => QUOTES[symbol % 2];

/** Users 1 and 2 trade with each other in all symbols, and occasionally one of them deposits or transfers money. */
function recordAt(seq: number, random: Random): HistoryRecord {
  const time = START + seq;
  let entryCount = 0;
  const entries: PostedEntry[] = [];
  const enter = (): void => {
    const cause = random.pick(['deposit', 'transfer', 'withdrawal'] as const);
    entries.push({
      user: random.pick(USERS),
      account: random.pick(['main', 'trade'] as const),
      currency: random.pick([...QUOTES, 0, 1]),
      change: random.chance(0.5) ? 5n : -5n,
      fee: 0n,
      balance: 50n,
      cause,
      reference: seq,
      entriesBefore: entryCount++,
    });
  };
  if (random.chance(0.2)) enter();
  const trades = Array.from({ length: random.range(0, 2) }, (_, at) => {
    const [price, size] = [random.range(1, 5), random.range(1, 5)];
    const funds = BigInt(price * size);
    const isAllFee = random.chance(0.1);
    const [buyer, seller] = random.chance(0.5) ? USERS : USERS.toReversed();
    const side = (user: number, order: number): TradeSide => ({
      order,
      user,
      type: random.pick(['limit', 'market'] as const),
      fee: 0n,
      feeRate: 0,
      liquidity: 'maker',
      baseChange: BigInt(user === buyer ? size : -size),
      baseBalance: 1000n,
      quoteBalance: 1000n,
    });
    const trade = {
      symbol: random.below(SYMBOLS),
      trade: seq * 2 + at,
      price,
      size,
      side: 'buy' as const,
      time,
      funds,
      buyer: side(buyer, seq * 8 + at),
      seller: { ...side(seller, seq * 8 + 4 + at), ...(isAllFee ? { fee: funds, quoteBalance: null } : {}) },
      entriesBefore: entryCount,
    };
    entryCount += isAllFee ? 3 : 4;
    return trade;
  });
  if (random.chance(0.2)) enter();
  const done = trades.flatMap(({ symbol, buyer, seller }) =>
    [buyer, seller].map(({ order, user, type }) => {
      const side = user === buyer.user ? ('buy' as const) : ('sell' as const);
      return { ...DONE_ORDER, order, user, symbol, side, type, doneAt: time, seq };
    }),
  );
  const symbols =
    seq === 1
      ? Array.from({ length: SYMBOLS }, (_, symbol) => ({
          ...opening.symbols[0],
          symbol,
          base: symbol,
          quote: quoteOf(symbol),
        }))
      : [];
  const rare = {
    movements: [],
    house: [],
    currencies: [],
    symbols,
    imports: [],
    audited: [],
    stops: [],
    ocos: [],
  };
  return { seq, time, rowCount: 1, done, trades, entries, entryCount, ...rare };
}

const KINDS = ['orders', 'fills', 'ledger'] as const;
type Kind = (typeof KINDS)[number];

function list(history: HistoryReader, kind: Kind, filter: { readonly user: number } & Page) {
  return history[kind](filter) as { readonly id: number }[];
}

function filterOf(random: Random) {
  const perhaps = <Value>(name: string, value: Value) => (random.chance(0.25) ? { [name]: value } : {});
  const time = (): number => START + random.below(RECORDS);
  return {
    user: random.pick(USERS),
    ascending: random.chance(0.5),
    ...perhaps('symbol', random.below(SYMBOLS)),
    ...perhaps('side', random.pick(['buy', 'sell'])),
    ...perhaps('type', random.pick(['limit', 'market'])),
    ...perhaps('currency', random.pick([...QUOTES, 0, 1, 2])),
    ...perhaps('account', random.pick(['main', 'trade'])),
    ...perhaps('direction', random.pick(['in', 'out'])),
    ...perhaps('causes', random.pick([['trade'], ['deposit', 'withdrawal'], ['transfer', 'trade']])),
    ...perhaps('from', time()),
    ...perhaps('until', time()),
  };
}

/** Counts the rows that SQLite returns while `work` runs, and among them those with all columns of their table. */
function handedOver(context: TestContext, work: () => void): { rows: number; wholeRows: number } {
  const counted = { rows: 0, wholeRows: 0 };
  const note = (row: object | undefined): void => {
    if (!row) return;
    counted.rows++;
    if (Object.keys(row).length > 8) counted.wholeRows++;
  };
  const { all, get } = StatementSync.prototype;
  const mocks = [
    context.mock.method(StatementSync.prototype, 'all', function (this: StatementSync, ...values: number[]) {
      const rows = Reflect.apply(all, this, values) as object[];
      rows.forEach(note);
      return rows;
    }),
    context.mock.method(StatementSync.prototype, 'get', function (this: StatementSync, ...values: number[]) {
      const row = Reflect.apply(get, this, values) as object | undefined;
      note(row);
      return row;
    }),
  ];
  work();
  for (const { mock } of mocks) mock.restore();
  return counted;
}

describe('a deep page of a list', () => {
  let folder = '';
  let writer: SqliteHistoryWriter;
  let reader: SqliteHistoryReader;
  const model = new MemoryHistory();

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bourse-history-pages-'));
    writer = new SqliteHistoryWriter(join(folder, 'history.db'));
    reader = new SqliteHistoryReader(join(folder, 'history.db'));
    const random = new Random(SEED);
    const records = Array.from({ length: RECORDS }, (_, at) => recordAt(at + 1, random));
    // Small transactions and two large ones.
    for (let at = 0; at < RECORDS / 4; at += random.range(1, 6)) writer.write(records.slice(0, at));
    writer.write(records.slice(0, RECORDS / 2));
    const time = START + RECORDS / 5;
    while (writer.prune(time));
    for (let at = RECORDS / 2; at < (RECORDS * 3) / 4; at += random.range(1, 6)) {
      writer.write(records.slice(0, at));
    }
    writer.write(records);
    model.write(records);
    model.doneOrders = model.doneOrders.filter((order) => order.doneAt >= time);
    model.fillRows = model.fillRows.filter((row) => row.time >= time);
    model.entries = model.entries.filter((row) => row.time >= time);
  });

  after(() => {
    reader.close();
    writer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`has the same rows as plain filtering, with any filter (seed ${SEED})`, () => {
    const lanes = new Set(model.fillRows.map((row) => `${row.user} ${row.symbol} ${row.side} ${row.type}`));
    assert.ok(lanes.size / USERS.length > MERGED_LANES_MAX, 'there are lanes for more than one statement');
    const random = new Random(SEED);
    let deepest = 0;
    for (let page = 0; page < PAGES; page++) {
      const kind = random.pick(KINDS);
      const filter = filterOf(random);
      const whole = list(model, kind, { ...filter, limit: 1_000_000 });
      const start = random.chance(0.3) && whole.length > 0 ? { after: random.pick(whole).id } : {};
      const left = list(model, kind, { ...filter, ...start, limit: 1_000_000 });
      const skip = random.range(0, left.length + 1);
      const limit = random.range(1, 60);
      const expected = left.slice(skip, skip + limit);
      const asked = { ...filter, ...start, skip, limit };
      assert.deepEqual(list(reader, kind, asked), expected, `page ${page}: ${kind} ${JSON.stringify(asked)}`);
      if (expected.length > 0) deepest = Math.max(deepest, skip);
    }
    assert.ok(deepest > 2000, `the deepest page began at ${deepest}`);
  });

  it('reads only the rows of the page, not those that are skipped', (context) => {
    const page = { user: 1, skip: 1500, limit: 20 };
    for (const kind of KINDS) {
      const { wholeRows } = handedOver(context, () => list(reader, kind, page));
      assert.ok(wholeRows > 0 && wholeRows <= page.limit, `${kind}: ${wholeRows} whole rows`);
    }
    for (const kind of ['orders', 'fills'] as const) {
      const filter = { ...page, side: 'buy' } as const;
      const { rows } = handedOver(context, () => list(reader, kind, { ...filter, skip: 800 }));
      // The user's lanes are looked up one by one.
      assert.ok(rows <= 2 * page.limit + 4 * SYMBOLS, `${kind}: ${rows} rows`);
    }
  });
});
