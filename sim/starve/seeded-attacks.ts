/** Attacks that start with a prepared directory: orders of many sub-accounts, done orders, keys that collide. */

import type { Command, Exchange, OrderRequest, TimeInForce } from '@bourse/core';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Client, type Credentials, startWhole } from '@bourse/test-kit/server.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import type { RunningExchange } from '../../packages/bourse/src/startup/running-exchange.ts';
import { OPEN_HASH_KEY } from '../../packages/core/src/tables/index-table.ts';
import { type Attack, cancelABit, GROWTH_MIB, sendAgain, tradeABit } from './attack.ts';

/** Thirty users of one owner, including the master. */
const SUB_ACCOUNTS = ofSize(9, 29);
/** The limit per user and symbol; about as many as a sub-account had in the first measured attack. */
const PER_SYMBOL = 194;
const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'KCS-USDT', 'LTC-USDT', 'XRP-USDT', 'EOS-USDT', 'ADA-USDT'];
const COLLIDING_IDS = ofSize(6000, 20_000);
const DONE_ORDERS = ofSize(60_000, 200_000);
/** Concurrently, so that not all of them are in memory. */
const SEEDED_AT_ONCE = 60_000;
/** Orders cancelled or sold in one burst also go to responses, history and the log. */
const BURST_GROWTH_MIB = 320;
const MASTER = 'alice';
const MONEY = { USDT: 1_000_000n, BTC: 100n, ETH: 1000n };

/** Filled by `seed`, which runs in the same process as `run`. */
let members: readonly Member[] = [];
let clientIds: readonly string[] = [];
let prices: readonly number[] = [];
let priceUnits = 1;

const limit = (
  symbol: number,
  side: OrderRequest['side'],
  price: number,
  size: number,
  timeInForce: TimeInForce = 'GTC',
): OrderRequest => ({ symbol, type: 'limit', side, price, size, timeInForce });

/** Orders with prices and sizes given as decimals. */
async function unitsOf(seeding: Seeding, code: string) {
  return seeding.read(({ reference }) => {
    const { symbol, priceDecimals, sizeDecimals } = reference.symbols().find((each) => each.code === code)!;
    return { symbol, price: 10 ** priceDecimals, size: 10 ** sizeDecimals };
  });
}

/** Orders that never match and end at once. */
async function seedDone(seeding: Seeding, count: number, idOf: (at: number) => string | undefined) {
  const bob = await seeding.userNamed('bob');
  const { symbol, price, size } = await unitsOf(seeding, 'ETH-USDT');
  for (let from = 0; from < count; from += SEEDED_AT_ONCE) {
    const length = Math.min(SEEDED_AT_ONCE, count - from);
    const orders = Array.from({ length }, (_, at) => {
      const clientId = idOf(from + at);
      return { ...limit(symbol, 'buy', price, size, 'IOC'), ...(clientId !== undefined && { clientId }) };
    });
    await seeding.place(bob, orders);
  }
}

export const SEEDED_ATTACKS: readonly Attack[] = [
  {
    name: 'cancel-all-at-once',
    who: `a master’s ${SUB_ACCOUNTS} sub-accounts`,
    what: `each cancels its ${PER_SYMBOL * SYMBOLS.length} orders, all at the same moment`,
    growthMiBMax: BURST_GROWTH_MIB,
    isBurst: true,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        members = await seeding.addSubAccounts(MASTER, SUB_ACCOUNTS, MONEY);
        for (const code of SYMBOLS) {
          const { symbol, price, size } = await unitsOf(seeding, code);
          const orders = Array.from({ length: PER_SYMBOL }, (_, at) =>
            limit(symbol, 'buy', price + (at * price) / 10, 10 * size),
          );
          for (const { user } of members) await seeding.place(user, orders);
        }
      }),
    prepare: cancelABit,
    run: ({ url }) =>
      Promise.all(members.map((member) => new Client(url, member).delete('/api/v1/hf/orders/cancelAll'))),
  },
  {
    name: 'sweep',
    who: `a master with ${SUB_ACCOUNTS} sub-accounts, and another user`,
    what: `one order that trades with ${SUB_ACCOUNTS * PER_SYMBOL} resting ones, as many as they may have in a symbol`,
    growthMiBMax: BURST_GROWTH_MIB,
    isBurst: true,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        members = await seeding.addSubAccounts(MASTER, SUB_ACCOUNTS, MONEY);
        const { symbol, price, size } = await unitsOf(seeding, 'ETH-USDT');
        const orders = Array.from({ length: PER_SYMBOL }, (_, at) =>
          limit(symbol, 'sell', 2000 * price + (at * price) / 100, size / 100),
        );
        for (const { user } of members) await seeding.place(user, orders);
      }),
    prepare: tradeABit,
    run: ({ url }) =>
      new Client(url, 'bob').post('/api/v1/hf/orders', {
        symbol: 'ETH-USDT',
        type: 'limit',
        side: 'buy',
        price: '2100',
        size: String((SUB_ACCOUNTS * PER_SYMBOL) / 100),
      }),
  },
  {
    name: 'colliding-client-ids',
    who: 'one key',
    what: `look-ups of ${COLLIDING_IDS} done orders whose client ids collide in a hash without a secret`,
    growthMiBMax: GROWTH_MIB,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        clientIds = collidingClientIds(await seeding.userNamed('bob'), COLLIDING_IDS);
        await seedDone(seeding, COLLIDING_IDS, (at) => clientIds[at]);
      }),
    run(target, signal) {
      let serial = 0;
      return sendAgain(signal, 8, () => {
        const id = clientIds[(serial++ * 7919) % clientIds.length];
        return new Client(target.url, 'bob').get(`/api/v1/hf/orders/client-order/${id}?symbol=ETH-USDT`);
      });
    },
  },
  {
    name: 'colliding-levels',
    who: `a master with ${SUB_ACCOUNTS} sub-accounts`,
    what: `placing and cancelling beside ${SUB_ACCOUNTS * PER_SYMBOL} price levels that collide in a hash without a key`,
    growthMiBMax: GROWTH_MIB,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        members = await seeding.addSubAccounts(MASTER, SUB_ACCOUNTS, MONEY);
        const { symbol, price, size } = await unitsOf(seeding, 'BTC-USDT');
        // Above the bystander's sell price, so that it never matches them.
        prices = collidingPrices(1_000_000 * price, price / 10, (SUB_ACCOUNTS + 1) * PER_SYMBOL);
        priceUnits = price;
        for (const [at, { user }] of members.entries()) {
          const own = prices.slice(at * PER_SYMBOL, (at + 1) * PER_SYMBOL);
          await seeding.place(
            user,
            own.map((each) => limit(symbol, 'sell', each, size / 1e5)),
          );
        }
      }),
    run(target, signal) {
      const bob = new Client(target.url, 'bob');
      const free = prices.slice(SUB_ACCOUNTS * PER_SYMBOL);
      return sendAgain(signal, 1, async () => {
        for (let at = 0; at + 20 <= free.length && !signal.aborted; at += 20) {
          const orderList = free.slice(at, at + 20).map((units) => ({
            symbol: 'BTC-USDT',
            type: 'limit',
            side: 'sell',
            price: (units / priceUnits).toFixed(1),
            size: '0.00001',
          }));
          await bob.post('/api/v1/hf/orders/multi/sync', { orderList });
        }
        await bob.delete('/api/v1/hf/orders?symbol=BTC-USDT');
      });
    },
  },
  {
    name: 'whole-books',
    who: `a master with ${SUB_ACCOUNTS} sub-accounts`,
    what: `reading the whole book of ${SUB_ACCOUNTS * PER_SYMBOL} levels, beside orders that change it`,
    growthMiBMax: GROWTH_MIB,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        members = await seeding.addSubAccounts(MASTER, SUB_ACCOUNTS, MONEY);
        const { symbol, price, size } = await unitsOf(seeding, 'BTC-USDT');
        for (const [at, { user }] of members.entries()) {
          const orders = Array.from({ length: PER_SYMBOL }, (_, each) =>
            limit(symbol, 'sell', (1_000_000 + at * PER_SYMBOL + each) * price, size / 1e5),
          );
          await seeding.place(user, orders);
        }
      }),
    prepare: tradeABit,
    run(target, signal) {
      let serial = 0;
      return sendAgain(signal, 32, () => {
        const client = new Client(target.url, serial++ % 2 === 0 ? 'bob' : members[serial % members.length]);
        if (serial % 8 !== 0) return client.get('/api/v3/market/orderbook/level2?symbol=BTC-USDT');
        const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '1', size: '0.1' };
        return client.post('/api/v1/hf/orders', { ...order, timeInForce: 'IOC' });
      });
    },
  },
  {
    name: 'recent-orders',
    who: 'one key',
    what: `GET /api/v1/limit/orders with ${DONE_ORDERS} done orders, as often as the pool allows`,
    growthMiBMax: GROWTH_MIB,
    seed: (dir) => Seeding.of(dir, (seeding) => seedDone(seeding, DONE_ORDERS, () => undefined)),
    run: (target, signal) =>
      sendAgain(signal, 4, () => new Client(target.url, 'bob', 'family').get('/api/v1/limit/orders')),
  },
];

// Prepares a data directory with an attack's initial state: sub-accounts, money, orders. An exchange in this
// process creates it through its engine; the attack then targets a process with the usual limits.

interface Member extends Credentials {
  readonly name: string;
  readonly user: number;
}

const BATCH = 20;
/** Concurrent batches; the queue's bound for one owner is far above. */
const AT_ONCE = 500;

class Seeding {
  readonly #exchange: RunningExchange;

  private constructor(exchange: RunningExchange) {
    this.#exchange = exchange;
  }

  static async of(dir: string, work: (seeding: Seeding) => Promise<void>): Promise<void> {
    const exchange = await startWhole(dir, { operatorPoolWeight: 1e9 });
    try {
      await work(new Seeding(exchange));
    } finally {
      await exchange.close();
    }
  }

  read<T>(query: (exchange: Exchange) => T): Promise<T> {
    return this.#exchange.engine.read(query);
  }

  userNamed(name: string): Promise<number> {
    return this.read(({ reference }) => reference.users.findIndex((user) => user.name === name));
  }

  symbol(code: string): Promise<number> {
    return this.read(({ reference }) => reference.symbols().find((each) => each.code === code)!.symbol);
  }

  /** With their own keys, and this much of each currency, in whole coins, in TRADE. */
  async addSubAccounts(master: string, count: number, money: Record<string, bigint>): Promise<Member[]> {
    const added: Member[] = [];
    for (let at = 0; at < count; at++) {
      const name = `${master}-starve-${at}`;
      await this.#operate('/v1/users', { name, parentId: master });
      const key = await this.#operate(`/v1/users/${name}/keys`, { permissions: ['General', 'Spot'] });
      const user = await this.userNamed(name);
      for (const [code, whole] of Object.entries(money)) await this.#fund(user, code, whole);
      added.push({ name, user, ...(key as unknown as Credentials) });
    }
    return added;
  }

  /** In batches; a rejection is an error. */
  async place(user: number, orders: readonly OrderRequest[]): Promise<void> {
    for (let at = 0; at < orders.length; at += BATCH * AT_ONCE) {
      const part = orders.slice(at, at + BATCH * AT_ONCE);
      const batches = Array.from({ length: Math.ceil(part.length / BATCH) }, (_, batch) =>
        this.#submit({
          kind: 'place-orders',
          user,
          orders: part.slice(batch * BATCH, (batch + 1) * BATCH),
        }),
      );
      await Promise.all(batches);
      await this.#exchange.engine.historyCaughtUp();
    }
  }

  async #fund(user: number, code: string, whole: bigint): Promise<void> {
    const { currency, chain, scale } = await this.read(({ reference }) => {
      const number = reference.currencyNumber(code);
      const { chains, scale: decimals } = reference.currencies[number];
      return { currency: number, chain: chains[0].chainId, scale: decimals };
    });
    const moved = { user, currency, amount: whole * 10n ** BigInt(scale) };
    const name = `starve-${user}-${code}`;
    await this.#submit({ kind: 'report-deposit', ...moved, chain, txId: name, travelRule: false });
    await this.#submit({
      kind: 'transfer',
      ...moved,
      type: 'internal',
      clientId: name,
      from: 'main',
      to: 'trade',
    });
  }

  async #submit(command: Command): Promise<void> {
    const { outcome } = await submit(this.#exchange.engine, command);
    const refused =
      outcome.kind === 'orders' ? outcome.outcomes.find(({ kind }) => kind === 'rejected') : outcome;
    if (refused?.kind === 'rejected') throw new Error(`${command.kind}: ${JSON.stringify(refused)}`);
  }

  async #operate(path: string, body: object): Promise<Record<string, unknown>> {
    const { operatorUrl, operatorToken } = this.#exchange.connection;
    const answer = await fetch(operatorUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, reason: 'starve' }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }
}

// Keys that collide in a hash table with a known hash: the two hashes here have no secret, as the exchange's
// once had none. With a secret per process or database these keys behave like any others, which the attack
// verifies.

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const GOLDEN = 0x9e3779b1;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs';
const SUFFIX_LENGTH = 4;
const SUFFIXES = ALPHABET.length ** SUFFIX_LENGTH;
const SLOTS = 2 ** 24;

/**
 * Client ids of the user with the same FNV-1a hash. Meet in the middle: all states from which four characters lead to
 * the wanted hash are known, and prefixes are tried until one reaches such a state.
 */
function collidingClientIds(user: number, count: number): string[] {
  const wanted = 0x12345678;
  const states = new Int32Array(SLOTS);
  const suffixes = new Int32Array(SLOTS).fill(-1);
  for (let suffix = 0; suffix < SUFFIXES; suffix++) {
    const state = stateBefore(suffix, wanted);
    let at = slotOf(state);
    while (suffixes[at] >= 0) at = (at + 1) % SLOTS;
    states[at] = state;
    suffixes[at] = suffix;
  }
  const start = Math.imul(FNV_START ^ user, FNV_PRIME);
  const ids: string[] = [];
  for (let serial = 0; ids.length < count; serial++) {
    const prefix = serial.toString(36);
    let state = start;
    for (let i = 0; i < prefix.length; i++) state = Math.imul(state ^ prefix.charCodeAt(i), FNV_PRIME);
    for (let at = slotOf(state); suffixes[at] >= 0; at = (at + 1) % SLOTS) {
      if (states[at] === state) ids.push(prefix + textOf(suffixes[at]));
    }
  }
  return ids.slice(0, count);
}

const slotOf = (state: number): number => Math.imul(state, GOLDEN) >>> 8;

/** The last character is the lowest digit. */
function textOf(suffix: number): string {
  let text = '';
  for (let i = 0, rest = suffix; i < SUFFIX_LENGTH; i++, rest = Math.floor(rest / ALPHABET.length)) {
    text = ALPHABET[rest % ALPHABET.length] + text;
  }
  return text;
}

const INVERSE = inverseOf(FNV_PRIME);

/** The modular inverse of an odd number, modulo 2^32. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

function stateBefore(suffix: number, after: number): number {
  let state = after;
  for (let i = 0, rest = suffix; i < SUFFIX_LENGTH; i++, rest = Math.floor(rest / ALPHABET.length)) {
    state = Math.imul(state, INVERSE) ^ ALPHABET.charCodeAt(rest % ALPHABET.length);
  }
  return state;
}

/** The size of the table; its collisions are also collisions in every smaller one. */
const PLACE_BITS = 15;

/**
 * Prices, as units and steps from the first on, that share a slot in the table of levels if its hash key is the
 * published one.
 */
function collidingPrices(first: number, step: number, count: number): number[] {
  const [lowFactor, highFactor] = OPEN_HASH_KEY;
  const found: number[] = [];
  for (let price = first; found.length < count; price += step) {
    const high = Math.floor(price / 2 ** 32);
    const sum = (Math.imul(price | 0, lowFactor | 1) + Math.imul(high, highFactor | 1)) | 0;
    if (Math.imul(sum ^ (sum >>> 16), GOLDEN) >>> (32 - PLACE_BITS) === 0) found.push(price);
  }
  return found;
}
