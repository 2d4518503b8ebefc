/** A clock that was fast for a while and is right again: the log's time is ahead of it, and trading goes on. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClock } from '../../src/io/node-clock.ts';
import { credentials, Client, sign, startWhole } from '@bourse/test-tools/server.ts';
import { openDirectoryEngine } from '@bourse/test-tools/directory-engine.ts';
import { makeDirectory } from '@bourse/test-tools/directory.ts';
import { limit, ORDERS } from './trading.ts';

const HOUR_MS = 3_600_000;

test('after a clock was set back orders are taken and cancelled, and each signed request acts once', {
  timeout: 120_000,
}, async (context) => {
  const data = makeDirectory(context);
  await (await startWhole(data)).close();
  const warnings: string[] = [];
  const fast = { ...nodeClock, now: () => nodeClock.now() + HOUR_MS };
  const engine = await openDirectoryEngine(data, { clock: fast, keepSegments: true });
  await engine.submit({ kind: 'change-user', user: 0, tier: 0 });
  assert.equal(engine.aheadMs, 0);
  await engine.close();
  const again = await openDirectoryEngine(data, {
    keepSegments: true,
    onWarning: (each) => warnings.push(each),
  });
  assert.ok(again.aheadMs > HOUR_MS - 60_000 && again.aheadMs <= HOUR_MS + 1000, `${again.aheadMs}`);
  await again.close();
  assert.match(
    warnings.join('\n'),
    /the last record is of .* 3[56]\d\d seconds after what the clock .* says/,
  );

  const running = await startWhole(data);
  try {
    const { baseUrl } = running.connection;
    const body = JSON.stringify(limit('buy', '20000', '0.01'));
    const headers = {
      ...sign(credentials('alice'), 'POST', ORDERS, body),
      'content-type': 'application/json',
    };
    const send = () => fetch(`${baseUrl}${ORDERS}`, { method: 'POST', headers, body });
    const [first, second] = [await send(), await send()];
    assert.equal(first.status, 200, await first.text());
    assert.equal(second.status, 400);
    assert.match(await second.text(), /acts? again/);
    const alice = new Client(baseUrl, 'alice');
    const cancelled = await alice.delete(`${ORDERS}?symbol=BTC-USDT`);
    assert.equal(cancelled.status, 200, cancelled.text);
  } finally {
    await running.close();
  }
});
