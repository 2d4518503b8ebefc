/** Imported candles in the mirror: as the exchange's own history keeps them. */

import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Command } from '@bourse/core';
import { MARKET, openMarket } from '@bourse/test-kit/market.ts';
import { PostgresServer, withoutPostgres } from '@bourse/test-kit/postgres-server.ts';
import { Mirror } from '../src/mirror.ts';
import { PostgresConnection } from '../src/postgres-connection.ts';
import { PostgresStore } from '../src/postgres-store.ts';
import { MemorySource } from './memory-source.ts';

/** An import of one candle: its price in hundredths. */
function imported(price: number, symbol = 0, start = 0): Command {
  const candle = { start, open: price, close: price, high: price, low: price };
  return {
    kind: 'import-candles',
    symbol,
    interval: '1min',
    candles: [{ ...candle, volume: 1n, turnover: BigInt(price) }],
  };
}

describe('imported candles', { skip: withoutPostgres(), timeout: 60_000 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.close());

  /** The candles after records with these commands, `[symbol, seconds, open]` each; one transaction per list of records. */
  async function candlesAfter(
    context: TestContext,
    database: string,
    ...batches: readonly (readonly (readonly Command[])[])[]
  ): Promise<unknown[]> {
    const url = server.createDatabase(database);
    const store = await PostgresStore.open(url);
    const connection = new PostgresConnection(url);
    context.after(() => Promise.all([store.close(), connection.close()]));
    const source = new MemorySource([openMarket()]);
    const mirror = await Mirror.open({ source, store });
    for (const records of batches) {
      source.append(...records);
      await mirror.catchUp();
    }
    const rows = await connection.query(
      'SELECT symbol, extract(epoch FROM start)::int AS seconds, open::float FROM bourse.candles ORDER BY 1, 2',
    );
    return rows.map((row) => Object.values(row));
  }

  test('the same candle imported twice in one transaction: the last import wins', async (context) => {
    const found = await candlesAfter(context, 'twice', [
      [imported(1000), imported(2000)],
      [imported(3000), imported(9000, 0, 60_000)],
    ]);
    assert.deepEqual(found, [
      ['AAA-BBB', 0, 30],
      ['AAA-BBB', 60, 90],
    ]);
  });

  test('a new symbol with the code of a removed one has no candle of that one', async (context) => {
    const remove: Command = { kind: 'remove-symbol', symbol: 0 };
    const mirrored = [imported(1000), imported(1000, 0, 60_000)];
    const collected = imported(2000, 0, 120_000);
    const again = [remove, MARKET, imported(3000, 1, 60_000)];
    const expected = [['AAA-BBB', 60, 30]];
    const inOneRecord = await candlesAfter(context, 'onerecord', [mirrored], [[collected, ...again]]);
    assert.deepEqual(inOneRecord, expected);
    const each = [collected, ...again].map((command) => [command]);
    assert.deepEqual(await candlesAfter(context, 'onebatch', [mirrored], each), expected);
    assert.deepEqual(
      await candlesAfter(context, 'batches', [mirrored], ...each.map((one) => [one])),
      expected,
    );
  });
});
