import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settle } from '@bourse/test-kit/manual-clock.ts';
import { order } from '@bourse/test-kit/market.ts';
import { open, refusedAs } from '@bourse/test-kit/test-engine.ts';
import type { CommandResult } from '../src/exchange-port.ts';
import { submit } from '@bourse/test-kit/submit.ts';

describe('the waiter of a command', () => {
  test('is called once, when the command is durable, and never during send', async () => {
    const { log, exchange, sequencer } = await open();
    const seq = exchange.seq + 1;
    const told: string[] = [];
    const waiter = {
      answered: (answer: CommandResult) => told.push(`${answer.seq}`),
      failed: () => told.push('failed'),
    };
    sequencer.send(order(0, 'sell', 1000, 1), waiter, 0);
    await settle();
    assert.deepEqual(told, []);
    log.sync();
    await settle();
    sequencer.stop(new Error('the test is over'));
    assert.deepEqual(told, [`${seq}`]);
  });

  test('may send its next command from the callback, and it enters the next record', async () => {
    const { log, sequencer } = await open();
    log.isAutomatic = true;
    const seqs: number[] = [];
    await new Promise<void>((resolve, failed) => {
      const next = (): void =>
        sequencer.send(
          order(0, 'sell', 1000, 1),
          {
            failed,
            answered({ seq }) {
              seqs.push(seq);
              if (seqs.length < 5) next();
              else resolve();
            },
          },
          0,
        );
      next();
    });
    assert.deepEqual(
      seqs,
      seqs.map((_, at) => seqs[0] + at),
    );
  });

  test('is not called for a rejected command: send throws', async () => {
    const { sequencer } = await open({ queueMax: 1 });
    const told: string[] = [];
    const waiter = { answered: () => told.push('answered'), failed: () => told.push('failed') };
    const waits = submit(sequencer, order(0, 'sell', 1000, 1));
    assert.throws(() => sequencer.send(order(0, 'sell', 1000, 1), waiter, 0), refusedAs('queue-full'));
    sequencer.stop(new Error('the test is over'));
    assert.throws(() => sequencer.send(order(0, 'sell', 1000, 1), waiter, 0), refusedAs('stopped'));
    await assert.rejects(waits, refusedAs('stopped'));
    assert.deepEqual(told, []);
  });
});
