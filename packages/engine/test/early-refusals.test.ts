/** An early rejection equals the outcome in a record, and changes nothing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, Exchange, type Outcome, RULES_VERSION } from '@bourse/core';
import { EarlyRefusals } from '../src/results.ts';
import { OPERATOR } from '../src/exchange-port.ts';
import { nodeClock } from '../src/io/clock.ts';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import { settle } from '@bourse/test-kit/manual-clock.ts';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { open, openWith } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const WORLDS = ofSize(8, 200);
const RECORDS = 1000;
const USERS = [
  'place-order',
  'place-orders',
  'place-stop-order',
  'place-oco-order',
  'test-order',
  'cancel-order',
  'cancel-orders',
  'cancel-stop-order',
  'cancel-oco-order',
  'alter-order',
];

const senderOf = (command: Command): number =>
  USERS.includes(command.kind) && 'user' in command ? (command.user as number) : OPERATOR;

const codesOf = (outcome: Outcome): string[] => {
  if (outcome.kind === 'orders') return outcome.outcomes.flatMap(codesOf);
  return outcome.kind === 'rejected' ? [outcome.rejection.code] : [];
};

test('equals the outcome of the same command in the core, in random worlds', (context) => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= WORLDS; seed++) {
    const flow = new Flow(seed);
    const exchange = new Exchange();
    const refusals = new EarlyRefusals(exchange);
    for (let i = 0; i < RECORDS && !flow.isOver; i++) {
      const record = flow.next();
      const answers = new Map<number, Outcome>();
      const before = i % 100 === 0 ? exchange.hash() : null;
      const { commands } = record;
      const waiters = commands.map((_, at) => ({
        answered: ({ outcome }: { outcome: Outcome }) => void answers.set(at, outcome),
        failed: (error: Error) => assert.fail(error),
      }));
      const batch = { commands: [...commands], waiters, senders: commands.map(senderOf), work: 0 };
      const isDecided = !exchange.hasUnfinished;
      const kept = isDecided ? refusals.rejectCertain(batch, record.time).commands : commands;
      assert.equal(kept.length + answers.size, commands.length);
      if (before !== null) assert.equal(exchange.hash(), before, 'the state is as it was');
      const applied = exchange.apply(record);
      const outcomes = applied.outcomes.decode();
      for (const [at, outcome] of answers) {
        if (outcomes[at]!.kind === 'waits') continue;
        assert.deepEqual(outcome, outcomes[at], `seed ${seed}, record ${record.seq}, command ${at}`);
        for (const code of codesOf(outcome)) {
          counts.set(code, (counts.get(code) ?? 0) + 1);
          const { kind } = commands[at]!;
          counts.set(`${kind} ${code}`, (counts.get(`${kind} ${code}`) ?? 0) + 1);
        }
      }
      flow.observe(applied.events.decode());
    }
  }
  context.diagnostic(JSON.stringify(Object.fromEntries(counts)));
  for (const code of [
    'price-increment',
    'size-increment',
    'market-closed',
    'order-unknown',
    'size-below-min',
    'place-stop-order market-closed',
    'place-oco-order market-closed',
  ]) {
    assert.ok((counts.get(code) ?? 0) > 0, `no ${code} in these worlds`);
  }
});

/** Valid and invalid fields of stop orders and pairs, in all combinations. */
function drawStop(random: Random): Command {
  const user = random.pick([0, 0, 0, 1, 2, 9]);
  const symbol = random.pick([0, 0, 0, 0, 0, 0, 7]);
  if (random.below(4) === 0) {
    const kind = random.pick(['cancel-stop-order', 'cancel-oco-order'] as const);
    return { kind, user, symbol, order: 1 + random.below(40) };
  }
  const price = () => random.pick([900, 1000, 1000, 1000, 1100, 1100, 0, -1, 1000.5]);
  const common = {
    user,
    symbol,
    side: random.pick<'buy' | 'sell'>(['buy', 'sell', 'buy', 'sell', 'short' as 'sell']),
    price: price(),
    size: random.pick([100, 100, 100, 100, 0, 1.5, 10 ** 9, 10 ** 15]),
    stopPrice: price(),
    ...(random.below(3) === 0 && { clientId: random.pick(['a', 'b', 'not printable \n']) }),
  };
  if (random.below(2) === 0) return { kind: 'place-oco-order', ...common, limitPrice: price() };
  const visible = random.below(4) === 0 && { iceberg: true, visibleSize: random.pick([1, 50, 200]) };
  const stop = random.pick<'loss' | 'entry'>(['loss', 'entry', 'entry', 'other' as 'entry']);
  return { kind: 'place-stop-order', type: 'limit', ...common, stop, ...visible };
}

test('of stop orders and pairs equals the outcome in the core, for any error', (context) => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const exchange = new Exchange();
    exchange.apply({ seq: 1, time: 1, rules: RULES_VERSION, commands: openMarket(3) });
    const freeze: Command = { kind: 'change-user', user: 2, frozen: true };
    exchange.apply({ seq: 2, time: 2, rules: RULES_VERSION, commands: [freeze] });
    for (let seq = 3; seq < 300; seq++) {
      const state = random.pick(['open', 'open', 'open', 'halted'] as const);
      const command: Command =
        random.below(20) === 0 ? { kind: 'set-market-state', symbol: 0, state } : drawStop(random);
      const early = exchange.refuseEarly(command, seq);
      const [outcome] = exchange
        .apply({ seq, time: seq, rules: RULES_VERSION, commands: [command] })
        .outcomes.decode();
      const what = `${command.kind} ${codesOf(outcome!).join()} ${early === null ? 'in a record' : 'early'}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      if (early !== null) assert.deepEqual(early, outcome, `seed ${seed}, record ${seq}`);
    }
  }
  context.diagnostic(JSON.stringify(Object.fromEntries(counts)));
  const terms = ['price-increment', 'size-increment', 'size-above-max', 'market-closed', 'user-frozen'];
  const asked = ['user-unknown', 'symbol-unknown', 'text-invalid', 'value-invalid', ...terms];
  for (const kind of ['place-stop-order', 'place-oco-order']) {
    for (const code of asked) assert.ok(counts.has(`${kind} ${code} early`), `no ${code} of ${kind}`);
    assert.ok(counts.has(`${kind}  in a record`), `no ${kind} was taken`);
  }
  for (const kind of ['cancel-stop-order', 'cancel-oco-order']) {
    assert.ok(counts.has(`${kind} order-unknown early`) && counts.has(`${kind}  in a record`), kind);
  }
});

test('writes no record, but its request id is kept', async () => {
  const { log, sequencer } = await open();
  const records = log.records.length;
  const once = { id: 'signature', until: log.lastTime + 5000 };
  const wrong = { ...order(0, 'sell', 1000, 100), size: -1, once };
  const { outcome } = await submit(sequencer, wrong);
  assert.deepEqual(codesOf(outcome), ['size-increment']);
  const again = await submit(sequencer, { ...wrong, size: 100 });
  assert.deepEqual(codesOf(again.outcome), ['request-repeated']);
  assert.equal(log.records.length, records);
});

test('of a long queue takes one time slice after the other', async () => {
  const { log, sequencer } = await openWith(nodeClock);
  const records = log.records.length;
  const { kind: _, user, ...wrong } = { ...order(0, 'sell', 1000, 100), size: -1 };
  const batch = { kind: 'place-orders', user, orders: Array.from({ length: 20 }, () => wrong) } as Command;
  const answers = Array.from({ length: 2000 }, () => submit(sequencer, batch));
  const last = answers.at(-1)!;
  let isAnswered = false;
  void last.then(() => (isAnswered = true));
  await answers[0];
  await new Promise(setImmediate);
  assert.equal(isAnswered, false, 'other events were handled in between');
  for (const { outcome } of await Promise.all(answers)) {
    assert.deepEqual([...new Set(codesOf(outcome))], ['size-increment']);
  }
  assert.equal(log.records.length, records);
});

test('does not happen after an operator’s command', async () => {
  const { log, sequencer } = await open();
  log.isAutomatic = true;
  const halted = submit(sequencer, { kind: 'set-market-state', symbol: 0, state: 'halted' });
  const refused = submit(sequencer, { ...order(0, 'sell', 1000, 100), size: -1 });
  const [, { outcome }] = await Promise.all([halted, refused]);
  await settle();
  assert.deepEqual(codesOf(outcome), ['market-closed']);
});

test('does not happen with a client id after a command of the same user', async () => {
  const { log, sequencer } = await open();
  log.isAutomatic = true;
  const first = submit(sequencer, { ...order(0, 'sell', 1000, 100), clientId: 'mine' } as Command);
  const second = submit(sequencer, { ...order(0, 'sell', 1000, 100), size: -1, clientId: 'mine' } as Command);
  const [, { outcome }] = await Promise.all([first, second]);
  assert.deepEqual(codesOf(outcome), ['client-id-used']);
});
