import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '@bourse/test-kit/server.ts';
import { type ExchangePort, overriding } from '../../../engine/src/exchange-port.ts';
import { openSandbox } from '../sandbox/exchange.ts';

/** History of a follower whose thread has not started yet. */
const withoutHistory = (port: ExchangePort): ExchangePort =>
  overriding(port, { historyCaughtUp: () => new Promise(() => undefined) });

test('a new exchange is ready before its follower is', async (context) => {
  const server = await startServer({ wrapPort: withoutHistory, isHistoryEmpty: true });
  context.after(() => server.close());
  const reply = await fetch(`${server.url}/api/v1/market/histories?symbol=BTC-USDT`);
  assert.equal(reply.status, 200);
});

test('a new sandbox shows its past trades and history from the first request on', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-fresh-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const ask = async ({ running }: Awaited<ReturnType<typeof openSandbox>>) => {
    const { compatUrl } = running.connection;
    const read = async (path: string) =>
      ((await (await fetch(compatUrl + path)).json()) as { data: unknown }).data;
    return {
      candles: await read('/api/v1/market/candles?symbol=BTC-USDT&type=1hour'),
      statistics: await read('/api/v1/market/stats?symbol=BTC-USDT'),
      trades: await read('/api/v1/market/histories?symbol=BTC-USDT'),
    };
  };
  const first = await openSandbox(dir, { market: 'calm' });
  const begun = await ask(first);
  await first.close();
  const second = await openSandbox(dir, { market: 'calm' });
  const again = await ask(second);
  await second.close();
  assert.equal((begun.candles as unknown[]).length, 1500);
  assert.deepEqual(again, begun, 'the same as a start that reads all of it from history');
});
