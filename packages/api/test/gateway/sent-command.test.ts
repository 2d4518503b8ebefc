import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from '@bourse/core';
import { type CommandResult, Unavailable, type Waiter } from '../../../engine/src/exchange-port.ts';
import { SentCommand, settle, settled } from '../../src/gateway/result.ts';

const COMMAND: Command = { kind: 'cancel-order', user: 1, symbol: 0, order: 7 };
const ANSWER: CommandResult = { outcome: { kind: 'accepted' }, seq: 5, time: 9 };

/** A port whose commands complete when the test completes them. */
function portOf() {
  const waiters: Waiter[] = [];
  return { waiters, send: (_: Command, waiter: Waiter) => void waiters.push(waiter) };
}

/** The results passed to a request. */
function request() {
  const told: unknown[] = [];
  return {
    told,
    succeed: (data: unknown) => void told.push(data),
    refuse: (error: unknown) => void told.push(`refused: ${(error as Error).message}`),
  };
}

describe('a command sent by a route', () => {
  test("completes its request with the route's response, synchronously", () => {
    const port = portOf();
    const awaiting = request();
    settle(new SentCommand(port, COMMAND, 0, ({ seq }) => `record ${seq}`), awaiting);
    assert.deepEqual(awaiting.told, []);
    port.waiters[0].answered(ANSWER);
    assert.deepEqual(awaiting.told, ['record 5']);
  });

  test('fails its request when the route throws on the result, or the command failed', () => {
    const port = portOf();
    const [refused, failed] = [request(), request()];
    const refuse = () => {
      throw new Error('no such order');
    };
    settle(new SentCommand(port, COMMAND, 0, refuse), refused);
    settle(new SentCommand(port, COMMAND, 0, refuse), failed);
    port.waiters[0].answered(ANSWER);
    port.waiters[1].failed(new Unavailable('stopped', 'it has stopped'));
    assert.deepEqual(refused.told, ['refused: no such order']);
    assert.deepEqual(failed.told, ['refused: it has stopped']);
  });

  test('waits for a route that returns a promise', async () => {
    const port = portOf();
    const found = settled(new SentCommand(port, COMMAND, 0, async ({ time }) => time));
    const missing = settled(
      new SentCommand(port, COMMAND, 0, async () => {
        throw new Error('no such order');
      }),
    );
    for (const waiter of port.waiters) waiter.answered(ANSWER);
    assert.equal(await found, 9);
    await assert.rejects(missing, /no such order/);
  });

  test('throws if the port does not accept it', () => {
    const port = {
      send() {
        throw new Unavailable('queue-full', 'too much waits');
      },
    };
    assert.throws(() => new SentCommand(port, COMMAND, 0, () => undefined), /too much waits/);
  });
});

test('any other value of a route is passed on unchanged, and a promise when it resolves', async () => {
  assert.equal(await settled('data'), 'data');
  assert.equal(await settled(Promise.resolve('later')), 'later');
  await assert.rejects(settled(Promise.reject(new Error('refused'))), /refused/);
});
