/**
 * npm run sim -- level3 [--minutes N] [--seed N]
 *
 * A busy market on a running exchange for N minutes of exchange time: every level-3 message that a client
 * receives is compared with what `bourse export` writes for the same log, and the client's books with the
 * exchange's. Exits with 1 at the first difference.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BourseClient, Feed } from '@bourse/client';
import type { Command, Exchange, SymbolSet } from '@bourse/core';
import { Level3Book, type Level3Message, type Level3Snapshot } from '@bourse/test-kit/level3-book.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { loadSettings, startExchange } from 'bourse';
import { exportLog } from '../../packages/bourse/src/tools/log-export.ts';
import { nodeDisk } from '../../packages/engine/src/io/disk.ts';
import { Expected, type Row, scaled, type MessageText, messageTextOf } from './expected.ts';

export interface Options {
  readonly seed: number;
  readonly minutes: number;
  readonly log?: (line: string) => void;
}

export interface Result {
  readonly symbols: number;
  readonly messages: number;
  readonly kinds: ReadonlyMap<string, number>;
  /** The number of messages of hidden and iceberg orders. */
  readonly reserved: number;
}

const STEP_MS = 3000;
const COMMANDS_PER_STEP = 8;
const PATIENCE_MS = 120_000;
const QUIET = 'silent';

type Running = Awaited<ReturnType<typeof startExchange>>;

export async function compareLevel3({ seed, minutes, log = () => undefined }: Options): Promise<Result> {
  const data = mkdtempSync(join(tmpdir(), 'bourse-level3-'));
  const given = { market: 'busy', clock: 'manual', seed, port: 0, logLevel: QUIET };
  const { settings } = loadSettings({
    flags: {},
    env: {},
    file: { name: 'level3', text: JSON.stringify(given) },
  });
  const running = await startExchange({ ...settings, data });
  try {
    return await new Comparison(running, data, seed).run(minutes, log);
  } finally {
    await running.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** One symbol as a subscriber sees it. */
class Listener {
  readonly texts: MessageText[] = [];
  readonly symbol: SymbolSet;
  book: Level3Book | undefined;
  #early: Level3Message[] = [];

  constructor(symbol: SymbolSet) {
    this.symbol = symbol;
  }

  hear(message: Level3Message): void {
    this.texts.push(messageTextOf(message as never));
    if (this.book === undefined) this.#early.push(message);
    else this.book.apply(message);
  }

  begin(snapshot: Level3Snapshot): void {
    this.book = new Level3Book(this.symbol.sizeDecimals, snapshot);
    for (const message of this.#early) this.book.apply(message);
    this.#early = [];
  }
}

class Comparison {
  readonly #running: Running;
  readonly #data: string;
  readonly #random: Random;
  readonly #client: BourseClient;
  readonly #feed: Feed;
  readonly #listeners = new Map<string, Listener>();
  readonly #reserved = new Map<number, bigint>();
  /** Orders of the traders that may still be active, by symbol. */
  #own: { readonly user: number; readonly symbol: number; readonly order: number }[] = [];

  constructor(running: Running, data: string, seed: number) {
    this.#running = running;
    this.#data = data;
    this.#random = new Random(seed);
    this.#client = new BourseClient({ url: running.connection.baseUrl });
    this.#feed = new Feed(this.#client, {
      onLost: (why) => {
        throw new Error(`the feed was lost: ${why}`);
      },
    });
  }

  async run(minutes: number, log: (line: string) => void): Promise<Result> {
    const symbols = await this.#read(({ reference }) => reference.symbols());
    for (const symbol of symbols) this.#listeners.set(symbol.code, new Listener(symbol));
    for (const [code, listener] of this.#listeners) {
      await this.#feed.subscribe<Level3Message>(`/spotMarket/level3:${code}`, ({ data }) =>
        listener.hear(data),
      );
    }
    // Nothing happens while the clock stands still, so the export can be cut where the subscriptions began.
    const beganAt = await this.#read(({ seq }) => seq);
    const beginnings = await this.#read((exchange) => symbols.map((each) => restingOf(exchange, each)));
    const rowsBefore = (await this.#rows()).length;
    for (const [code, listener] of this.#listeners) listener.begin(await this.#snapshot(code));
    const steps = Math.ceil((minutes * 60_000) / STEP_MS);
    for (let step = 1; step <= steps; step++) {
      for (let command = 0; command < COMMANDS_PER_STEP; command++) await this.#trade();
      await this.#advance(STEP_MS);
      await this.#heardAll();
      if (step % 200 === 0)
        log(`${(step * STEP_MS) / 60_000} of ${minutes} minutes, ${this.#heard} messages`);
    }
    const expected = new Map(
      symbols.map(({ code }, at) => [code, new Expected(this.#reserved, beginnings[at])]),
    );
    for (const row of (await this.#rows()).slice(rowsBefore)) expected.get(row.get('symbol')!)!.take(row);
    for (const [code, listener] of this.#listeners) {
      compare(code, expected.get(code)!.texts, listener.texts, beganAt);
      await this.#compareBook(code, listener);
    }
    this.#feed.close();
    return this.#result();
  }

  #result(): Result {
    const kinds = new Map<string, number>();
    for (const { texts } of this.#listeners.values()) {
      for (const each of texts) {
        const kind = each.slice(0, each.indexOf(' '));
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
    const { size: symbols } = this.#listeners;
    return { symbols, messages: this.#heard, kinds, reserved: this.#reserved.size };
  }

  get #heard(): number {
    let heard = 0;
    for (const { texts } of this.#listeners.values()) heard += texts.length;
    return heard;
  }

  #read<T>(ask: (exchange: Exchange) => T): Promise<T> {
    return this.#running.engine.read(ask);
  }

  async #rows(): Promise<Row[]> {
    const rows: Row[] = [];
    let names: readonly string[] | undefined;
    for await (const line of exportLog(nodeDisk, this.#data, 'orders')) {
      const words = line.split(',');
      if (names === undefined) names = words;
      else rows.push(new Map(names.map((name, at) => [name, words[at]])));
    }
    return rows;
  }

  #snapshot(code: string): Promise<Level3Snapshot> {
    return this.#client.http.call('GET', `/api/v3/market/orderbook/level3?symbol=${code}`);
  }

  async #advance(ms: number): Promise<void> {
    const { sandboxUrl, operatorToken } = this.#running.connection;
    const answer = await fetch(`${sandboxUrl}/clock/advance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ms }),
    });
    if (!answer.ok) throw new Error(`the clock did not go on: ${answer.status} ${await answer.text()}`);
    await answer.text();
  }

  /** The socket has delivered everything up to the snapshots. */
  async #heardAll(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    const wanted = await this.#read(({ level3 }) =>
      [...this.#listeners.values()].map((each) => level3.sequence(each.symbol.symbol)),
    );
    const isBehind = () => [...this.#listeners.values()].some(({ book }, at) => book!.sequence < wanted[at]);
    while (isBehind()) {
      if (performance.now() > end) throw new Error('messages are missing');
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Kinds of orders that agents never place: hidden, iceberg, reductions. */
  async #trade(): Promise<void> {
    const random = this.#random;
    const traded = await this.#read((exchange) =>
      [...this.#listeners.values()].filter(
        (each) => exchange.depth(each.symbol.symbol, 'sell', 1).length > 0,
      ),
    );
    const { symbol: terms } = random.pick(traded);
    const user = random.below(2);
    const { symbol } = terms;
    const [best] = await this.#read((exchange) => exchange.depth(symbol, 'sell', 1));
    const price = best.price + (random.below(5) - 2) * stepOf(terms);
    const size = 10 * unit(terms);
    const draw = random.below(10);
    if (draw < 3) await this.#place({ user, symbol, side: 'sell', price, size, hidden: true }, 0n);
    else if (draw < 6) {
      const visibleSize = 2 * unit(terms);
      const shown = scaled(visibleSize, terms.sizeDecimals);
      await this.#place({ user, symbol, side: 'buy', price, size, iceberg: true, visibleSize }, shown);
    } else if (draw < 8) {
      const far = best.price + 20 * stepOf(terms);
      await this.#place({ user, symbol, side: 'sell', price: far, size }, null);
    } else await this.#change();
  }

  async #place(
    fields: Omit<Extract<Command, { kind: 'place-order' }>, 'kind' | 'type'>,
    shown: bigint | null,
  ): Promise<void> {
    const command: Command = { kind: 'place-order', type: 'limit', ...fields };
    const { outcome } = await submit(this.#running.engine, command);
    if (outcome.kind !== 'order') return;
    if (shown !== null) this.#reserved.set(outcome.order, shown);
    this.#own.push({ user: fields.user, symbol: fields.symbol, order: outcome.order });
  }

  async #change(): Promise<void> {
    // The latest order is most likely to still be active.
    const own = this.#own.pop();
    if (own === undefined) return;
    const isReduced = this.#random.below(2) === 0;
    const size = unit(await this.#read(({ reference }) => reference.symbol(own.symbol)));
    const command: Command = isReduced
      ? { kind: 'reduce-order', ...own, size }
      : { kind: 'cancel-order', ...own };
    await submit(this.#running.engine, command);
    if (isReduced) this.#own.push(own);
  }

  async #compareBook(code: string, { book }: Listener): Promise<void> {
    const now = await this.#snapshot(code);
    const rows = (side: readonly (readonly string[])[]) => JSON.stringify(side.map((row) => row.slice(0, 3)));
    if (JSON.stringify(book!.rows('buy')) !== rows(now.bids)) throw new Error(`${code}: the bids differ`);
    if (JSON.stringify(book!.rows('sell')) !== rows(now.asks)) throw new Error(`${code}: the asks differ`);
  }
}

/** The minimum order size, in the symbol's units. */
const unit = ({ baseMinSize, sizeDecimals }: SymbolSet): number =>
  Math.max(1, Math.round(Number(baseMinSize) * 10 ** sizeDecimals));
const stepOf = ({ priceIncrement, priceDecimals }: SymbolSet): number =>
  Math.max(1, Math.round(Number(priceIncrement) * 10 ** priceDecimals));

/** The visible book before the first message. */
function restingOf({ level3 }: Exchange, { symbol, sizeDecimals }: SymbolSet): [number, bigint][] {
  return (['buy', 'sell'] as const).flatMap((side) =>
    level3
      .orders(symbol, side)
      .map(({ order, size }): [number, bigint] => [order, scaled(size, sizeDecimals)]),
  );
}

function compare(
  code: string,
  expected: readonly MessageText[],
  texts: readonly MessageText[],
  since: number,
): void {
  const at = expected.findIndex((each, i) => each !== texts[i]);
  if (at < 0 && expected.length === texts.length) return;
  const where = at < 0 ? expected.length : at;
  throw new Error(
    `${code}, message ${where + 1} since record ${since}: the export says '${expected[where]}', ` +
      `the feed said '${texts[where]}' (${expected.length} and ${texts.length} messages)`,
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
  });
  const minutes = Number(values.minutes);
  const seed = Number(values.seed);
  const whole = (value: number): string => value.toLocaleString('en');
  const started = performance.now();
  const { symbols, messages, kinds, reserved } = await compareLevel3({ seed, minutes, log: console.error });
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `seed ${seed}: ${minutes} minutes of ${symbols} symbols, ${whole(messages)} messages, ` +
      `${whole(reserved)} hidden and iceberg orders: no difference between feed, export and books, ${seconds.toFixed(0)} s`,
  );
  for (const [kind, count] of kinds) console.log(`${kind.padEnd(12)} ${whole(count)}`);
}
