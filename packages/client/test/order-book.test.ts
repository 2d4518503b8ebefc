/** The documented calibration, against a feed and snapshots that a test makes up. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BookSnapshot, type BourseClient, OrderBook } from '../src/index.ts';

type Change = [string, string, string];

type Given = BookSnapshot | (() => BookSnapshot | Promise<BookSnapshot>);

class Market {
  isSubscribed = false;
  push: (start: number, end: number, asks: Change[], bids?: Change[]) => void = () => undefined;
  connect: (isConnected: boolean) => void = () => undefined;
  asked = 0;
  /** Returned in order, the last one for ever. A function runs first, so that deltas can arrive in between. */
  readonly snapshots: Given[];

  constructor(snapshots: Given[]) {
    this.snapshots = snapshots;
  }

  follow(): Promise<OrderBook> {
    const feed = {
      subscribe: async (
        _: string,
        take: (message: unknown) => void,
        onConnection: (isConnected: boolean) => void,
      ) => {
        this.isSubscribed = true;
        this.connect = onConnection;
        this.push = (sequenceStart, sequenceEnd, asks, bids = []) =>
          take({ data: { sequenceStart, sequenceEnd, changes: { asks, bids } } });
        return () => {
          this.isSubscribed = false;
        };
      },
    };
    const client = {
      bookSnapshot: async () => {
        const next = this.snapshots[Math.min(this.asked++, this.snapshots.length - 1)]!;
        return typeof next === 'function' ? next() : next;
      },
    };
    return OrderBook.follow(feed as never, client as unknown as BourseClient, 'BTC-USDT');
  }
}

const snapshot = (
  sequence: number,
  asks: [string, string][],
  bids: [string, string][] = [],
): BookSnapshot => ({
  sequence: String(sequence),
  time: 0,
  asks,
  bids,
});

async function synced(book: OrderBook, syncs: number): Promise<void> {
  for (let i = 0; i < 2000 && !(book.isSynced && book.syncs >= syncs); i++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.ok(book.isSynced && book.syncs >= syncs, 'synced in time');
}

test('deltas before the snapshot are dropped, and those after it applied', async () => {
  const market: Market = new Market([
    () => {
      market.push(8, 9, [['100', '7', '9']]);
      market.push(10, 11, [
        ['101', '2', '10'],
        ['102', '3', '11'],
      ]);
      market.push(12, 12, [['100', '0', '12']]);
      return snapshot(10, [
        ['100', '1'],
        ['101', '2'],
      ]);
    },
  ]);
  const book = await market.follow();
  assert.deepEqual(book.levels('asks'), [
    ['101', '2'],
    ['102', '3'],
  ]);
  assert.equal(book.sequence, 12);
});

test('a snapshot that is older than the first delta is requested again', async () => {
  const market: Market = new Market([
    () => {
      market.push(20, 20, [['100', '5', '20']]);
      return snapshot(10, []);
    },
    snapshot(19, [['101', '1']]),
  ]);
  const book = await market.follow();
  assert.equal(market.asked, 2);
  assert.deepEqual(book.levels('asks'), [
    ['100', '5'],
    ['101', '1'],
  ]);
});

test('a gap requests a new snapshot, and until it arrives the old levels stay', async () => {
  let meanwhile: unknown;
  const market: Market = new Market([
    snapshot(1, [['100', '1']]),
    // Older than the gap: the book cannot begin with it.
    snapshot(2, [['99', '9']]),
    () => {
      meanwhile = [book.sequence, book.levels('asks')];
      return snapshot(5, [['103', '1']]);
    },
  ]);
  const book = await market.follow();
  let changes = 0;
  book.onChange = () => changes++;
  market.push(2, 2, [['101', '1', '2']]);
  assert.equal(changes, 1);
  market.push(4, 5, [
    ['103', '1', '4'],
    ['101', '0', '5'],
  ]);
  assert.equal(book.isSynced, false);
  assert.deepEqual(book.best('sell'), ['100', '1']);
  await synced(book, 2);
  assert.deepEqual(meanwhile, [
    2,
    [
      ['100', '1'],
      ['101', '1'],
    ],
  ]);
  assert.deepEqual(book.levels('asks'), [['103', '1']]);
});

test('a delta with price 0 changes only the sequence, and overlapping deltas are not a gap', async () => {
  const book = await (async () => {
    const market = new Market([snapshot(1, [['100', '1']])]);
    const made = await market.follow();
    market.push(2, 2, [['0', '0', '2']]);
    market.push(2, 4, [
      ['100', '9', '2'],
      ['100', '8', '4'],
    ]);
    return made;
  })();
  assert.equal(book.sequence, 4);
  assert.deepEqual(book.levels('asks'), [['100', '8']]);
});

test('a lost connection leaves the book unsynced until it is back, even if nothing changes meanwhile', async () => {
  const market = new Market([snapshot(1, [['100', '1']]), snapshot(9, [['90', '1']])]);
  const book = await market.follow();
  market.connect(false);
  assert.equal(book.isSynced, false);
  market.connect(true);
  await synced(book, 2);
  assert.deepEqual(book.levels('asks'), [['90', '1']]);
});

test('a book whose first snapshot fails rejects, and leaves neither a subscription nor an unhandled rejection', async () => {
  const fail = () => Promise.reject(new Error('too many requests'));
  const market = new Market([fail]);
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    await assert.rejects(market.follow(), /too many requests/);
    assert.equal(market.isSubscribed, false);
    // A subscription that remains would be notified of the next connection.
    market.connect(false);
    market.connect(true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(unhandled, []);
    assert.equal(market.asked, 1);
  } finally {
    process.off('unhandledRejection', note);
  }
});

/** A snapshot that arrives when the test lets it. */
function later(): { readonly given: () => Promise<BookSnapshot>; arrive: (snapshot: BookSnapshot) => void } {
  let arrive!: (snapshot: BookSnapshot) => void;
  const arrival = new Promise<BookSnapshot>((resolve) => (arrive = resolve));
  return { given: () => arrival, arrive };
}

test('a snapshot that arrives after the connection was lost does not make the book synced', async () => {
  const late = later();
  const market = new Market([snapshot(1, [['100', '1']]), late.given, snapshot(9, [['90', '1']])]);
  const book = await market.follow();
  market.push(3, 3, [['101', '1', '3']]);
  market.connect(false);
  late.arrive(snapshot(3, [['101', '1']]));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(book.isSynced, false);
  assert.equal(market.asked, 2, 'no request without a connection');
  market.connect(true);
  await synced(book, 2);
  assert.deepEqual(book.levels('asks'), [['90', '1']]);
});

test('a snapshot requested before a reconnect is dropped, because it may miss changes', async () => {
  const late = later();
  const market = new Market([snapshot(1, [['100', '1']]), late.given, snapshot(9, [['90', '1']])]);
  const book = await market.follow();
  market.push(3, 3, [['101', '1', '3']]);
  market.connect(false);
  market.connect(true);
  late.arrive(snapshot(3, [['101', '1']]));
  await synced(book, 2);
  assert.deepEqual(book.levels('asks'), [['90', '1']]);
});

test('a connection lost before the first snapshot arrives rejects', async () => {
  const late = later();
  const market = new Market([late.given]);
  const following = market.follow();
  await new Promise((resolve) => setImmediate(resolve));
  market.connect(false);
  late.arrive(snapshot(1, []));
  await assert.rejects(following, { name: 'ConnectionLost' });
  assert.equal(market.isSubscribed, false);
});

test('levels are sorted by exact price, not by text or floating point', async () => {
  const prices = ['9.5', '10', '100.1', '100.10000000000000001', '0.00000001', '2'];
  const book = await new Market([
    snapshot(
      1,
      prices.map((price): [string, string] => [price, '1']),
      prices.map((price) => [price, '1']),
    ),
  ]).follow();
  const sorted = ['0.00000001', '2', '9.5', '10', '100.1', '100.10000000000000001'];
  assert.deepEqual(
    book.levels('asks').map(([price]) => price),
    sorted,
  );
  assert.deepEqual(
    book.levels('bids', 2).map(([price]) => price),
    sorted.toReversed().slice(0, 2),
  );
  assert.equal(book.best('sell')![0], '0.00000001');
  assert.equal(book.best('buy')![0], '100.10000000000000001');
});
