/** Invalid messages on the bus are ignored: an error would stop the reading of all further messages. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES_VERSION } from '@bourse/core';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import type { Bus } from '../src/messages/bus.ts';
import { Dispute } from '../src/states/dispute.ts';
import { OPERATOR } from '../../engine/src/exchange-port.ts';
import { type NodeMessage, readNodeMessage, writeNodeMessage } from '../src/messages/node-messages.ts';
import { Presence } from '../src/leadership/presence.ts';
import { SharedLimits, SharedTraffic } from '../src/shared-traffic.ts';
import { readTail } from '../src/log-turns.ts';

class LoopBus implements Bus {
  readonly isConnected = true;
  readonly said: Uint8Array[] = [];
  readonly #listeners: ((bytes: Uint8Array) => void)[] = [];

  publish(_topic: string, bytes: Uint8Array): void {
    this.said.push(bytes);
  }

  subscribe(_topic: string, onMessage: (bytes: Uint8Array) => void): () => void {
    this.#listeners.push(onMessage);
    return () => undefined;
  }

  hear(text: string): void {
    for (const listener of this.#listeners) listener(Buffer.from(text));
  }
}

const GARBLED = [
  '',
  '{',
  'null',
  '5',
  '[]',
  '{}',
  '{"run":"x"}',
  '{"run":"x","spent":5}',
  '{"run":"x","spent":[null]}',
  '{"run":"x","spent":[["spot",1,"much"]]}',
  '{"run":"x","rows":5}',
  '{"run":"x","rows":[null]}',
  '{"run":"x","rows":[["used"]]}',
  '{"run":"x","rows":[["used",7]]}',
  '{"run":"x","seq":"1","of":"records","digest":5}',
  '{"run":"x","seq":1,"of":"records","digest":null,"asks":true}',
];
const ANNOUNCED = {
  name: 'n2',
  run: 'x',
  url: '',
  rules: 1,
  seq: 5,
  digest: '',
  isLeader: false,
  state: 'following',
  now: 1,
  elapsed: 1,
  offMs: 0,
  why: 'is',
};

test('invalid messages about presence, limits, people and digests are ignored', () => {
  const bus = new LoopBus();
  const clock = new ManualClock();
  const presence = new Presence({ name: 'n1', run: 'here', url: '', rules: RULES_VERSION }, bus, clock);
  const spent: unknown[] = [];
  const pools = { onSpent: () => undefined, noteSpent: (...row: unknown[]) => void spent.push(row) };
  const limits = new SharedLimits(pools, bus, 'here', clock);
  const rows: unknown[] = [];
  const traffic = new SharedTraffic(
    { onRow: () => undefined, noteRow: (row) => void rows.push(row) },
    bus,
    'here',
    clock,
  );
  const dispute = new Dispute({
    bus,
    clock,
    run: 'here',
    digestAfter: () => '1-00',
    state: { seq: 1, hash: () => '00' },
    onLost: () => assert.fail('nobody has another state'),
    onWon: () => assert.fail('nobody has another state'),
  });
  for (const text of GARBLED) bus.hear(text);
  for (const rules of ['3', null, -1, 1.5, [], undefined]) bus.hear(JSON.stringify({ ...ANNOUNCED, rules }));
  bus.hear(JSON.stringify({ ...ANNOUNCED, now: 'noon' }));
  bus.hear(JSON.stringify({ ...ANNOUNCED, name: { length: 3 } }));
  assert.deepEqual(presence.nodes(), []);
  assert.deepEqual([spent, rows], [[], []]);
  bus.hear('{"run":"x","rows":[["used","s-1"]]}');
  assert.deepEqual(rows, [['used', 's-1']]);
  assert.equal(dispute.isOpen, false);
  bus.hear(JSON.stringify(ANNOUNCED));
  assert.deepEqual(
    presence.nodes().map(({ name }) => name),
    ['n2'],
  );
  assert.equal(presence.nextRules(0, []).version, 1, 'what is understood counts');
  limits.close();
  traffic.close();
  dispute.close();
  presence.end();
});

test('invalid messages with commands and records are ignored', () => {
  const message: NodeMessage = {
    kind: 'commands',
    from: 'x',
    term: 1,
    number: 1,
    commands: [
      { id: 1, command: { kind: 'cancel-orders', user: 1 }, sender: 1, until: 5 },
      { id: 2, command: { kind: 'add-user', name: 'n', by: 'user 1' }, sender: 1, until: 5 },
      { id: 3, command: { kind: 'cancel-orders', user: 1 }, sender: OPERATOR, until: 5 },
    ],
  };
  const whole = writeNodeMessage(message);
  assert.deepEqual(readNodeMessage(whole), message, 'with the sender that its node authenticated');
  for (let length = 0; length < whole.length; length++)
    assert.equal(readNodeMessage(whole.subarray(0, length)), null);
  assert.equal(readNodeMessage(Uint8Array.of(200, 1, 2)), null, 'a kind of a newer version');
  assert.equal(readTail(Uint8Array.of(1, 2, 3)), null);
});
