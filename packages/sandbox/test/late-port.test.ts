/** Late orders that are then split over records: the id that their owner knows maps to the real one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, OrderOutcome, OrdersOutcome } from '@bourse/core';
import type { ExchangePort, Waiter } from '../../engine/src/exchange-port.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { WallSigned } from '../../api/src/gateway/admission.ts';
import { orderId } from '../../api/src/gateway/ids.ts';
import { LateCommands, latePort } from '../src/faults/faulty-ports.ts';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';

const LATE_MS = 1000;
const CUT_MS = 2000;

test('the alias of a late order that was cut stands for the id of the time when the order came', async () => {
  const clock = new ManualClock();
  let createdAt = 0;
  const outcomes = [5, 6].map((order): OrderOutcome => ({ ...OUTCOME, order }));
  const real = {
    health: { seq: 1 },
    send(_: Command, { answered }: Waiter) {
      createdAt = clock.now();
      // The first arrived with the record that began the batch, the second with the one that completed it.
      const [first, second] = outcomes;
      const outcome: OrdersOutcome = {
        kind: 'orders',
        outcomes: [
          { ...first, createdAt, matchedAt: createdAt },
          { ...second, createdAt: createdAt + CUT_MS, matchedAt: createdAt + CUT_MS },
        ],
      };
      answered({ outcome, seq: 9, time: createdAt + CUT_MS });
    },
  } as unknown as ExchangePort;
  const wallSigned = new WallSigned(clock, LATE_MS);
  const late = new LateCommands(real, clock);
  const port = latePort({ port: real, clock, late, wallSigned, ms: LATE_MS, what: 'orders' });
  const order = { symbol: 0, type: 'limit', side: 'buy', price: 1, size: 1 } as const;
  const command: Command = { kind: 'place-orders', user: 0, orders: [order, order] };
  const { outcome, time } = await submit(port, command);
  assert.ok(outcome.kind === 'orders');
  const shown = outcome.outcomes.map((each) => orderId((each as OrderOutcome).order, time));
  await clock.pass(LATE_MS);
  await settle();
  assert.deepEqual(late.aliases.inward(shown), [orderId(5, createdAt), orderId(6, createdAt + CUT_MS)]);
});

test('late orders that are rejected together get no ids, and delay nothing', async () => {
  const clock = new ManualClock();
  let thrown: unknown = 'not called';
  const real = {
    health: { seq: 1 },
    send(_: Command, { answered }: Waiter) {
      const outcome = { kind: 'rejected', rejection: { code: 'user-frozen', user: 0 } } as const;
      try {
        answered({ outcome, seq: 9, time: clock.now() });
        thrown = undefined;
      } catch (error) {
        thrown = error;
      }
    },
  } as unknown as ExchangePort;
  const late = new LateCommands(real, clock);
  const wallSigned = new WallSigned(clock, LATE_MS);
  const port = latePort({ port: real, clock, late, wallSigned, ms: LATE_MS, what: 'orders' });
  const order = { symbol: 0, type: 'limit', side: 'buy', price: 1, size: 1 } as const;
  await submit(port, { kind: 'place-orders', user: 0, orders: [order, order] });
  await clock.pass(LATE_MS);
  await settle();
  // The engine ends if a waiter throws.
  assert.equal(thrown, undefined);
});

const OUTCOME: OrderOutcome = {
  kind: 'order',
  order: 0,
  clientId: '',
  done: '',
  size: 1,
  funds: 0n,
  dealSize: 0,
  dealFunds: 0n,
  remaining: 1,
  cancelledSize: 0,
  cancelledFunds: 0n,
};
