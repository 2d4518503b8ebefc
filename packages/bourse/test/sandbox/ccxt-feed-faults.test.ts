import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Watched } from './ccxt-watcher.ts';
import { SignedClient } from './client.ts';
import type { TestSandbox } from './exchange.ts';
import { faultTest } from './fault-test.ts';

const WATCHER = fileURLToPath(new URL('./ccxt-watcher.ts', import.meta.url));
const BOOK = 'watchOrderBook BTC/USDT';

/** An unmodified ccxt; each call answers how its watching ended. */
async function startWatcher(
  { running }: TestSandbox,
  context: TestContext,
): Promise<(call: string) => Promise<Watched>> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', WATCHER, running.connection.compatUrl, 'alice'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  context.after(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Watched> => {
    const { value, done } = await lines.next();
    assert.ok(!done, 'ccxt has ended');
    return JSON.parse(value) as Watched;
  };
  assert.equal((await next()).saw, 'ready');
  return (call) => {
    child.stdin.write(`${call}\n`);
    return next();
  };
}

const hitsOf = async (sandbox: TestSandbox): Promise<number> =>
  (await sandbox.call<{ hits: number }[]>('GET', '/faults')).reduce((sum, { hits }) => sum + hits, 0);

faultTest(
  'ccxt gives up a connection without pongs, and gets its book on the next one',
  async (sandbox, context) => {
    const watch = await startWatcher(sandbox, context);
    assert.equal((await watch(BOOK)).saw, 'watched');
    await sandbox.call('POST', '/faults', { match: {}, effect: { kind: 'feed-no-pong' } });
    const { saw } = await watch(BOOK);
    assert.match(saw, /^RequestTimeout: .*ping-pong keepalive missing on time/);
    assert.equal(await hitsOf(sandbox), 1);
    await sandbox.call('DELETE', '/faults');
    assert.deepEqual(await watch(BOOK), { saw: 'watched', unhandled: [] });
  },
  // It pings at the announced interval.
  { clock: 'real', feedPingIntervalMs: '1000' },
);

faultTest(
  'ccxt gets an error if its token is rejected, and connects at the next attempt',
  async (sandbox, context) => {
    const watch = await startWatcher(sandbox, context);
    const effect = { kind: 'feed-refuse-token' };
    await sandbox.call('POST', '/faults', { match: { user: 'alice' }, effect, times: 1 });
    const refused = await watch('watchOrders');
    assert.equal(refused.saw, 'AuthenticationError: kucoin token is invalid');
    // It still sends its subscription to the closing connection.
    assert.ok(refused.unhandled.every((message) => message.startsWith('WebSocket is not open')));
    assert.equal(await hitsOf(sandbox), 1);
    const watching = watch('watchOrders');
    const alice = new SignedClient(sandbox.running.connection, 'alice');
    const isOver = watching.then(() => true);
    for (let price = 10; !(await Promise.race([isOver, pause(100)])); price++) {
      await alice.place({ price: String(price) });
    }
    assert.equal((await watching).saw, 'watched');
  },
  { clock: 'real' },
);

const pause = (ms: number): Promise<false> => new Promise((resolve) => setTimeout(resolve, ms, false));
