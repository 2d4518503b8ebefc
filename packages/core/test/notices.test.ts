import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currency, symbol as listing } from '@bourse/test-kit/venue.ts';
import type { Command, PublishNotice } from '../src/commands/commands.ts';
import { Exchange } from '../src/exchange.ts';
import { RULES_VERSION } from '../src/rules-version.ts';

const NOTICE: PublishNotice = {
  kind: 'publish-notice',
  title: 'Finer prices',
  text: 'From noon on.',
  url: '',
  types: ['product-updates'],
  language: 'en_US',
  publishAt: 0,
};

/** An exchange with one symbol, and a function that applies records. */
function begin() {
  let exchange = new Exchange();
  exchange.apply({
    seq: 1,
    time: 1_700_000_000_000,
    rules: RULES_VERSION,
    commands: [
      currency('AAA', 4, 8),
      currency('BBB', 4, 8),
      listing('ONE', 0, 1, { priceIncrement: '0.01' }),
    ],
  });
  const apply = (time: number, ...commands: Command[]) =>
    exchange.apply({ seq: exchange.seq + 1, time, rules: RULES_VERSION, commands });
  return {
    get exchange() {
      return exchange;
    },
    apply,
    restore: () => {
      exchange = Exchange.restore(exchange.snapshot());
    },
  };
}

test('an announced change of increments takes effect at its time, before any command of that instant', () => {
  const world = begin();
  const { time } = world.exchange;
  const { symbol, priceIncrement, quoteIncrement } = world.exchange.reference.symbols()[0];
  const at = time + 60_000;
  const finer = '0.005';
  const change = { symbol, at, priceIncrement: finer };
  const outcomes = world.apply(time, { ...NOTICE, change }).outcomes.decode();
  assert.deepEqual(outcomes, [{ kind: 'added', id: 1 }]);
  assert.equal(world.exchange.reference.symbol(symbol).priceIncrement, priceIncrement, 'not yet');
  assert.equal(world.exchange.nextDue, at);
  world.restore();
  assert.equal(world.exchange.nextDue, at, 'a snapshot has it');
  world.apply(at - 1);
  assert.equal(world.exchange.reference.symbol(symbol).priceIncrement, priceIncrement);
  const told = world.apply(at, NOTICE).events.decode();
  assert.deepEqual(
    told.map((event) => event.kind === 'symbol-set' && [event.priceIncrement, event.quoteIncrement]),
    [[finer, quoteIncrement]],
  );
  assert.equal(world.exchange.reference.notices()[0].change?.state, 'done');
  assert.notEqual(world.exchange.nextDue, at);
});

test('removing a notice removes its change, and its number is not reused', () => {
  const world = begin();
  const { time } = world.exchange;
  const { symbol, quoteIncrement } = world.exchange.reference.symbols()[0];
  const change = { symbol, at: time + 1000, quoteIncrement: '1' };
  world.apply(time, { ...NOTICE, change }, { kind: 'remove-notice', notice: 1 });
  world.restore();
  world.apply(time + 2000);
  assert.equal(world.exchange.reference.symbol(symbol).quoteIncrement, quoteIncrement);
  assert.deepEqual(world.apply(time + 2000, NOTICE).outcomes.decode(), [{ kind: 'added', id: 2 }]);
  const [gone] = world.apply(time + 2000, { kind: 'remove-notice', notice: 1 }).outcomes.decode();
  assert.equal(gone.kind === 'rejected' && gone.rejection.code, 'value-invalid');
});

test('an impossible change is rejected when it is announced, or marked as refused when it is due', () => {
  const world = begin();
  const { time } = world.exchange;
  const { symbol } = world.exchange.reference.symbols()[0];
  const refusalOf = (change: PublishNotice['change']) => {
    const [outcome] = world.apply(time, { ...NOTICE, change } as Command).outcomes.decode();
    return outcome.kind === 'rejected' ? outcome.rejection.code : outcome.kind;
  };
  assert.equal(refusalOf({ symbol: 999, at: time + 1, priceIncrement: '1' }), 'symbol-unknown');
  assert.equal(refusalOf({ symbol, at: time - 1, priceIncrement: '1' }), 'value-invalid');
  assert.equal(refusalOf({ symbol, at: time + 1, priceIncrement: '0' }), 'value-invalid');
  assert.equal(refusalOf({ symbol, at: time + 1 }), 'value-invalid');
  assert.equal(world.exchange.reference.notices().length, 0);
});

test('there are at most a thousand notices', () => {
  const world = begin();
  const { time } = world.exchange;
  const many = world.apply(time, ...Array.from({ length: 1001 }, () => NOTICE)).outcomes.decode();
  assert.equal(many.filter(({ kind }) => kind === 'added').length, 1000);
  assert.equal(many[1000].kind, 'rejected');
});
