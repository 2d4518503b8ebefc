// Every fault as an unmodified ccxt sees it, and what the exchange did. The page of faults is generated from this, so any
// change of behaviour makes the page stale and fails a test.

import ccxt from 'ccxt';
import { setTimeout as sleep } from 'node:timers/promises';
import { startExchange } from '../../packages/testing/src/index.ts';

const PAIR = 'BTC/USDT';
const SYMBOL = 'BTC-USDT';
const waitMsMax = 20_000;
const metMsMax = 5000;
const quietMs = 700;

const FAULTS = 'packages/bourse/test/sandbox/faults.test.ts';
const FEED = 'packages/bourse/test/sandbox/feed-faults.test.ts';
const CCXT_FEED = 'packages/bourse/test/sandbox/ccxt-feed-faults.test.ts';
/** ccxt pings at the interval that the exchange announces, and gives up after two missing pongs. */
const pingMs = 1000;

/** The class that ccxt throws, and the exchange's code if there is one. */
function nameOf(error) {
  const code =
    error.code ?? /"code":"(\w+)"/.exec(error.message)?.[1] ?? /closing code (\d+)/.exec(error.message)?.[1];
  return `\`${error.constructor.name}\`${code ? ` ${code}` : ''}`;
}

const outcomeOf = (promise, say) => promise.then(say, nameOf);

/** Rows of the page: effect, what ccxt saw, what the exchange did, the test. */
export async function recordFaults() {
  return [...(await recordRequests()), ...(await recordFeed()), ...(await recordMarket())];
}

async function withExchange(options, use) {
  const exchange = await startExchange(options);
  try {
    return await use(exchange);
  } finally {
    await exchange.stop();
  }
}

const recordRequests = () =>
  withExchange({ clock: 'manual' }, async (exchange) => {
    const client = new ccxt.kucoin(exchange.ccxt('alice'));
    await client.loadMarkets();
    const rows = [];
    const isTaken = async (clientOid) =>
      (await client.fetchOpenOrders(PAIR, undefined, undefined, { hf: true })).some(
        ({ clientOrderId }) => clientOrderId === clientOid,
      );
    const place = (clientOid) => client.createOrder(PAIR, 'limit', 'buy', 1, 100, { clientOid, hf: true });
    const add = (effect) =>
      exchange.faults.add({ match: { user: 'alice', route: 'place-order' }, effect, times: 1 });
    const title = 'promise 22: ccxt sees an error for each fault, whether the order was placed or not';
    const late = 'responses can be delayed, and bodies sent slowly';
    for (const [effect, test] of [
      [{ kind: 'error', code: '429000' }, title],
      [{ kind: 'error', status: 503, code: '503000', msg: 'maintenance' }, title],
      [{ kind: 'html' }, title],
      [{ kind: 'drop-request' }, title],
      [{ kind: 'drop-reply' }, title],
      [{ kind: 'truncate', bytes: 12 }, title],
      [{ kind: 'slow-body', bytesPerSecond: 500 }, late],
      [{ kind: 'delay', ms: 300 }, late],
      [{ kind: 'delay', minMs: 100, maxMs: 300, before: true }, late],
    ]) {
      await add(effect);
      const clientOid = `o${rows.length}`;
      const startedAt = performance.now();
      const saw = await outcomeOf(place(clientOid), () =>
        performance.now() - startedAt >= 90 ? 'the order id, late' : 'the order id',
      );
      const did = (await isTaken(clientOid)) ? 'placed the order' : 'nothing';
      rows.push({ effect, saw, did, test: { path: FAULTS, title: test } });
    }
    rows.push(...(await recordLate(exchange, client, place, isTaken)));
    return rows;
  });

async function recordLate(exchange, client, place, isTaken) {
  const rows = [];
  const advance = (ms) => exchange.clock.advance(ms);
  await exchange.faults.add({ effect: { kind: 'late-order', ms: 1000 }, times: 1 });
  const { id } = await place('late');
  const look = () => outcomeOf(client.fetchOrder(id, PAIR, { hf: true }), ({ status }) => `\`${status}\``);
  const [before, takenBefore] = [await look(), await isTaken('late')];
  await advance(1000);
  rows.push({
    effect: { kind: 'late-order', ms: 1000 },
    saw: `the order id; a look-up gives ${before}, and ${await look()} a second later`,
    did: `placed the order ${!takenBefore && (await isTaken('late')) ? 'a second later' : 'at once'}`,
    test: {
      path: FAULTS,
      title: 'a late order has the id that was returned at once, and may still be rejected',
    },
  });
  await exchange.faults.add({ effect: { kind: 'late-cancel', ms: 1000 }, times: 1 });
  const said = await outcomeOf(client.cancelOrder(id, PAIR, { hf: true }), () => 'a confirmation');
  const stillThere = await isTaken('late');
  await advance(1000);
  rows.push({
    effect: { kind: 'late-cancel', ms: 1000 },
    saw: said,
    did: `cancelled ${stillThere && !(await isTaken('late')) ? 'a second later' : 'at once'}`,
    test: { path: FAULTS, title: 'a late cancellation may arrive after the order has filled' },
  });
  await advance(1000);
  await place('new');
  await advance(500);
  await exchange.faults.add({
    match: { route: 'list-open-orders' },
    effect: { kind: 'stale-read', ms: 1000 },
    times: 1,
  });
  const [stale, fresh] = [await isTaken('new'), await isTaken('new')];
  rows.push({
    effect: { kind: 'stale-read', ms: 1000 },
    saw: `open orders ${stale ? 'with' : 'without'} the newest; repeated, ${fresh ? 'with' : 'without'} it`,
    did: 'nothing',
    test: { path: FAULTS, title: 'stale reads show earlier orders, balances and books' },
  });
  return rows;
}

const BOOK_TEST = 'a book that follows the feed resynchronizes after each fault, and is then correct';
const LOST_TEST = 'pongs can be withheld, tokens rejected, and connections closed';

const recordFeed = () =>
  withExchange({ clock: 'real', settings: { feedPingIntervalMs: pingMs } }, async (exchange) => {
    const maker = new ccxt.kucoin(exchange.ccxt('bob'));
    await maker.loadMarkets();
    const rows = [];
    for (const [effect, more, test] of [
      [{ kind: 'feed-drop' }, { times: 1 }, BOOK_TEST],
      [{ kind: 'feed-duplicate' }, { times: 1 }, BOOK_TEST],
      [{ kind: 'feed-reorder' }, { times: 1 }, BOOK_TEST],
      [{ kind: 'feed-delay', ms: 300 }, { times: 1 }, BOOK_TEST],
      [
        { kind: 'feed-stall', ms: 300 },
        {},
        'during a stall pings are still answered, and all messages are lost',
      ],
      [{ kind: 'feed-disconnect' }, { times: 1 }, LOST_TEST],
    ]) {
      const saw = await watch(exchange, maker, effect, more);
      await exchange.faults.clear();
      rows.push({ effect, saw, did: 'nothing', test: { path: FEED, title: test } });
    }
    rows.push({
      effect: { kind: 'feed-no-pong' },
      saw: await withholdPongs(exchange, maker),
      did: 'nothing',
      test: {
        path: CCXT_FEED,
        title: 'ccxt gives up a connection without pongs, and gets its book on the next one',
      },
    });
    rows.push({
      effect: { kind: 'feed-refuse-token' },
      saw: await refuse(exchange, maker),
      did: 'nothing',
      test: {
        path: CCXT_FEED,
        title: 'ccxt gets an error if its token is rejected, and connects at the next attempt',
      },
    });
    return rows;
  });

async function watcherOf(exchange) {
  const client = new ccxt.pro.kucoin(exchange.ccxt('alice'));
  await client.loadMarkets();
  return client;
}

/** ccxt sends its subscription to the closing connection, and does not handle the resulting rejection. */
async function refuse(exchange, maker) {
  const ignore = () => undefined;
  process.on('unhandledRejection', ignore);
  const client = await watcherOf(exchange);
  try {
    await exchange.faults.add({ match: { user: 'alice' }, effect: { kind: 'feed-refuse-token' }, times: 1 });
    const saw = await outcomeOf(client.watchOrders(PAIR), () => 'orders');
    await sleep(quietMs);
    await exchange.faults.clear();
    return `${saw}; ${await anew(exchange, maker)}`;
  } finally {
    await client.close();
    process.off('unhandledRejection', ignore);
  }
}

async function withholdPongs(exchange, maker) {
  const client = await watcherOf(exchange);
  try {
    await client.watchOrderBook(PAIR);
    const watching = new Watching(client);
    await exchange.faults.add({ effect: { kind: 'feed-no-pong' } });
    await until(() => watching.error);
    watching.end();
    await exchange.faults.clear();
    return `${watching.error}; ${await anew(exchange, maker)}`;
  } finally {
    await client.close();
  }
}

/** ccxt maintains a book under the fault; then the book is compared, and compared again after a reconnect. */
async function watch(exchange, maker, effect, more) {
  const rule = { match: { topic: '/market/level2' }, effect, ...more };
  const change = async () => {
    await maker.createOrder(PAIR, 'limit', 'buy', 0.01, 100 + ++changes, { hf: true });
  };
  const client = await watcherOf(exchange);
  let saw;
  try {
    await change();
    await client.watchOrderBook(PAIR);
    const watching = new Watching(client);
    const { id } = await exchange.faults.add(rule);
    for (let i = 0; i < 3; i++) await change();
    const isHit = ({ id: of, hits }) => of === id && hits > 0;
    const isMet = await until(async () => (await exchange.faults.list()).some(isHit), metMsMax);
    if (!isMet) throw new Error(`${effect.kind} matched nothing`);
    await until(() => watching.error, 2 * quietMs);
    await exchange.faults.clear();
    if (!watching.error) await change();
    const isRightNow = async () => !watching.error && isRight(client, maker);
    const right = await until(isRightNow, watching.error ? 0 : 2 * quietMs);
    watching.end();
    saw = watching.error ?? `no error, its book is ${right ? 'right' : 'wrong'}`;
  } finally {
    await client.close();
  }
  return saw.endsWith('right') ? saw : `${saw}; ${await anew(exchange, maker)}`;
}

let changes = 0;

/** Keeps watching until it throws or is stopped. */
class Watching {
  error;
  #isEnded = false;

  constructor(client) {
    void this.#go(client);
  }

  end() {
    this.#isEnded = true;
  }

  async #go(client) {
    while (!this.#isEnded) {
      try {
        await client.watchOrderBook(PAIR);
      } catch (error) {
        if (!this.#isEnded) this.error = nameOf(error);
        return;
      }
    }
  }
}

async function isRight(client, maker) {
  const kept = client.orderbooks[PAIR]?.bids.map(([price, size]) => `${price} ${size}`).join();
  const { bids } = await maker.fetchOrderBook(PAIR, 100);
  return kept === bids.map(([price, size]) => `${price} ${size}`).join();
}

/** What a bot does after an error: connects and subscribes again. */
async function anew(exchange, maker) {
  const client = await watcherOf(exchange);
  try {
    await client.watchOrderBook(PAIR);
    return `after a reconnect its book is ${(await until(() => isRight(client, maker))) ? 'right' : 'wrong'}`;
  } finally {
    await client.close();
  }
}

async function until(isMet, ms = waitMsMax) {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(20)) {
    if (await isMet()) return true;
  }
  return false;
}

const MARKET = 'packages/bourse/test/sandbox/market-faults.test.ts';
const minuteMs = 60_000;
const oneSidedMinutesMax = 30;

/** Faults of the market: not rules at the edge but commands in the log. */
const recordMarket = () =>
  withExchange({ clock: 'manual' }, async (exchange) => {
    const client = new ccxt.kucoin(exchange.ccxt('alice'));
    await client.loadMarkets();
    const place = () => client.createOrder(PAIR, 'limit', 'buy', 1, 100, { hf: true });
    const rows = [];
    const note = (name, command, saw, title) =>
      rows.push({ name, command, saw, did: 'does what it says', test: { path: MARKET, title } });
    for (const state of ['cancel-only', 'halted']) {
      const { id } = await place();
      await setState(exchange, state);
      const placed = await outcomeOf(place(), () => 'the id of an order');
      const cancelled = await outcomeOf(client.cancelOrder(id, PAIR, { hf: true }), () => 'a confirmation');
      await setState(exchange, 'open');
      const saw = `placing: ${placed}; cancelling: ${cancelled}`;
      const command = `bourse symbols state ${SYMBOL} ${state} --reason test`;
      note(state, command, saw, 'ccxt sees the errors of a market that is cancel-only or halted');
    }
    await exchange.market.set({ preset: 'crash', symbols: [SYMBOL] });
    const before = (await client.fetchTicker(PAIR)).last;
    await exchange.clock.advance(6 * minuteMs);
    const fall = Math.round(20 * (1 - (await client.fetchTicker(PAIR)).last / before)) * 5;
    note(
      'a crash',
      'bourse sandbox market set preset=crash',
      `a last price about ${fall} % lower after six minutes`,
      'ccxt sees a market crash, and a book with one side empty',
    );
    await exchange.market.set({ preset: 'one-sided' });
    note(
      'a missing side',
      'bourse sandbox market set preset=one-sided',
      `an order book without ${await vanishedSide(exchange, client)}, for a few minutes`,
      'ccxt sees a market crash, and a book with one side empty',
    );
    return rows;
  });

async function vanishedSide(exchange, client) {
  for (let minute = 0; minute < oneSidedMinutesMax; minute++) {
    await exchange.clock.advance(minuteMs);
    const { bids, asks } = await client.fetchOrderBook(PAIR);
    if (bids.length === 0 || asks.length === 0) return bids.length === 0 ? 'bids' : 'asks';
  }
  throw new Error('neither side of the book became empty');
}

async function setState({ connection }, state) {
  const { operatorUrl, operatorToken } = connection;
  const reply = await fetch(`${operatorUrl}/v1/symbols/${SYMBOL}/state`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ state, reason: 'recording the documentation' }),
  });
  if (!reply.ok) throw new Error(await reply.text());
}
