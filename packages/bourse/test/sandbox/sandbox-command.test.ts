import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fieldsOf } from '../../../sandbox/src/control/call-fields.ts';
import { SANDBOX_CALLS } from '../../src/cli/sandbox.ts';
import { CONTROL_ROUTES } from '../../../sandbox/src/control/plugin.ts';
import { EFFECT_SCHEMAS } from '../../../sandbox/src/faults/fault-rules.ts';
import { SignedClient } from './client.ts';
import { sandboxFor } from './exchange.ts';

const main = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));

async function setUp(context: TestContext) {
  const sandbox = await sandboxFor(context);
  const file = `${sandbox.dir}/connection.json`;
  writeFileSync(file, JSON.stringify(sandbox.running.connection));
  const begin = (words: string, ...fields: string[]) =>
    spawn(process.execPath, [main, 'sandbox', ...words.split(' '), ...fields, '--connect', file]);
  const run = async (words: string, ...fields: string[]) => {
    const child = begin(words, ...fields);
    let [out, err] = ['', ''];
    child.stdout.on('data', (piece) => (out += piece));
    child.stderr.on('data', (piece) => (err += piece));
    const code = await new Promise<number>((resolve) => child.on('close', resolve));
    return { code, out, err };
  };
  const json = async <T>(words: string, ...fields: string[]): Promise<T> => {
    const { code, out, err } = await run(words, ...fields, '--json');
    assert.equal(code, 0, `${words}: ${err}`);
    return JSON.parse(out) as T;
  };
  return { ...sandbox, begin, run, json };
}

test('every call of the control API has its command', () => {
  assert.deepEqual(
    [...SANDBOX_CALLS.values()].map(({ id }) => id).toSorted(),
    CONTROL_ROUTES.map(({ id }) => id).toSorted(),
  );
});

test('commands, call ids and summaries use the same word for removing anything', () => {
  const removals = CONTROL_ROUTES.filter(({ method, path }) => method === 'DELETE' && path.includes('/:'));
  const wordsOf = (id: string) => [...SANDBOX_CALLS].find(([, call]) => call.id === id)![0];
  assert.ok(removals.length >= 5);
  for (const { id, summary } of removals) {
    const words = wordsOf(id);
    // A scenario is ended: it can be started again.
    if (words !== 'scenarios end') assert.match(`${words} ${id}`, /^\w+ remove remove-\w+$/);
    assert.doesNotMatch(`${words} ${id} ${summary}`, /delete/i);
  }
});

test('bourse sandbox makes the calls and prints their responses', async (context) => {
  const { json, run, call } = await setUp(context);
  const { time } = await call<{ time: number }>('GET', '/clock');
  assert.equal((await json<{ time: number }>('clock advance', 'ms=1000')).time, time + 1000);
  assert.match(
    (await run('clock show')).out,
    /^mode +manual\nspeed +0\ntime +2026-01-01 00:00:\d\d\.\d{3}Z$/m,
  );
  const user = await json<{ name: string }>('users add', 'name=dave', 'balances.USDT=1000');
  assert.equal(user.name, 'dave');
  assert.deepEqual(await json('faucet', 'user=dave', 'currency=USDT', 'amount=5', 'account=trade'), {
    balance: '1005',
  });
  await json('snapshots take', 'name=here');
  assert.match((await run('snapshots list')).out, /^id +name +seq +time\ns1 +here/);
  assert.equal((await json<{ time: number }>('snapshots restore', 's1')).time, time + 1000);
  // A code is a text though it looks like a number, a status is a number.
  const fault = await json<{ id: string; effect: object; times: number }>(
    'faults add',
    'match.user=alice',
    'effect.kind=error',
    'effect.code=429000',
    'effect.status=429',
    'times=1',
  );
  assert.deepEqual([fault.effect, fault.times], [{ kind: 'error', code: '429000', status: 429 }, 1]);
  await json('faults remove', fault.id);
  assert.deepEqual(await json('market show'), { preset: 'quiet', seed: 1, symbols: [] });
});

test('lists are entered with commas, and objects in lists are printed unchanged', async (context) => {
  const { run } = await setUp(context);
  const { out } = await run('market set', 'preset=thin', 'symbols=KCS-USDT,BTC-USDT');
  assert.match(
    out,
    /^preset +thin\nseed +1\nsymbols  \{"symbol":"BTC-USDT",.+\}\n {9}\{"symbol":"KCS-USDT",.+\}\n$/,
  );
});

test('a rejected command prints the reason and ends with its exit code', async (context) => {
  const { run } = await setUp(context);
  for (const [words, fields, code, says] of [
    ['clock advance', ['soon'], 2, /'soon' is not a field: give name=value/],
    ['faults add', ['effect.kind=explode'], 1, /Expected one of: delay, error/],
    ['expect', ['event.kind=trade', 'withinMs=0'], 1, /did not arrive/],
  ] as const) {
    const { code: ended, err } = await run(words, ...fields);
    assert.equal(ended, code, `${words} ${fields.join(' ')}: ${err}`);
    assert.match(err, says);
  }
});

test('contradictory fields are rejected before anything is sent', () => {
  const { body } = CONTROL_ROUTES.find(({ id }) => id === 'add-fault')!;
  const fields = (...given: string[]) => fieldsOf(given, body!, EFFECT_SCHEMAS);
  for (const [given, says] of [
    [['times=1', 'times=2'], /times is given twice/],
    [['times=1', 'times.x=2'], /times already has a value/],
    [['=1'], /is not a field/],
  ] as const) {
    assert.throws(() => fields(...given), { name: 'WrongField', message: says });
  }
  const market = CONTROL_ROUTES.find(({ id }) => id === 'set-sandbox-market')!.body!;
  const symbolsOf = (given: string) => fieldsOf([`symbols=${given}`], market, EFFECT_SCHEMAS)['symbols'];
  for (const given of ['BTC-USDT,KCS-USDT', '["BTC-USDT","KCS-USDT"]']) {
    assert.deepEqual(symbolsOf(given), ['BTC-USDT', 'KCS-USDT']);
  }
  assert.deepEqual(symbolsOf('BTC-USDT'), ['BTC-USDT']);
  const strange = fields('match.__proto__=1', 'effect.kind=feed-disconnect', 'effect.code=1001');
  assert.deepEqual(JSON.parse(JSON.stringify(strange['effect'])), { kind: 'feed-disconnect', code: 1001 });
  assert.ok(Object.hasOwn(strange['match'] as object, '__proto__'));
});

test('expect reports that a manual clock stands still, and waits', async (context) => {
  const { begin, run } = await setUp(context);
  const child = begin('expect', 'event.kind=trade', 'withinMs=1000');
  context.after(() => child.kill());
  let said = '';
  for await (const piece of child.stderr) {
    said += piece;
    if (said.endsWith('\n')) break;
  }
  assert.match(said, /The clock is manual and stands still.*clock advance.*clock=wall/);
  assert.equal(child.exitCode, null);
  const wall = await run('expect', 'event.kind=trade', 'withinMs=0', 'clock=wall');
  assert.doesNotMatch(wall.err, /manual/);
});

test('the tail prints each request as it arrives', async (context) => {
  const { begin, running } = await setUp(context);
  const child = begin('requests tail', 'user=alice');
  context.after(() => child.kill());
  const alice = new SignedClient(running.connection, 'alice');
  const line = new Promise<string>((resolve) => child.stdout.once('data', (piece) => resolve(String(piece))));
  const asking = setInterval(() => void alice.get('/api/v1/accounts').catch(() => undefined), 200);
  const { path, user } = JSON.parse((await line).split('\n')[0]!) as { path: string; user: string };
  clearInterval(asking);
  assert.deepEqual([path, user], ['/compat/api/v1/accounts', 'alice']);
});
