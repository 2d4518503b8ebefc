/** Tools read the current world, not the one that a restore has discarded. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { SignedClient } from './client.ts';
import { sandboxFor } from './exchange.ts';

const main = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));

function bourse(...args: string[]): { readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return { out: stdout, err: stderr };
}

test('export, log and the tools of a stopped exchange follow a restore', async (context) => {
  const { running, dir, call } = await sandboxFor(context);
  const alice = new SignedClient(running.connection, 'alice');
  const { id } = await call('POST', '/snapshots');
  for (const price of ['101', '102', '103']) await alice.place({ price });
  await call('POST', `/snapshots/${id}/restore`);
  await alice.place({ price: '77' });
  const { seq } = await call<{ seq: number }>('GET', '/');

  const orders = bourse('export', dir, 'orders', '--symbol', 'BTC-USDT', '--json');
  const prices = (JSON.parse(orders.out) as { price: string; type: string }[]).flatMap(({ type, price }) =>
    type === 'received' ? [price] : [],
  );
  assert.deepEqual(prices, ['77']);
  assert.match(orders.err, /was restored from a snapshot; reading .*worlds/);
  const verified = JSON.parse(bourse('log', 'verify', dir, '--json').out) as { lastSeq: number };
  assert.equal(verified.lastSeq, seq);
  assert.doesNotMatch(bourse('log', 'dump', dir, '--symbol', 'BTC-USDT').out, /"10[123]"/);

  const copied = bourse('log', 'copy', dir, `${makeDirectory(context)}/copy`, '--json');
  assert.match(copied.err, /reading .*worlds/);

  // As a kill leaves it: nothing has been moved to its place yet.
  const killed = `${makeDirectory(context)}/killed`;
  cpSync(dir, killed, { recursive: true });
  const checked = JSON.parse(bourse('ledger', 'check', killed, '--json').out) as { seq: number };
  assert.equal(checked.seq, seq);
  const taken = JSON.parse(bourse('snapshot', killed, '--json').out) as { seq: number };
  assert.equal(taken.seq, seq);
  const forked = `${killed}-fork`;
  bourse('fork', killed, '--at', String(seq), '--out', forked);
  const shown = bourse('export', forked, 'orders', '--symbol', 'BTC-USDT');
  assert.match(shown.out, /,77,/);
});
