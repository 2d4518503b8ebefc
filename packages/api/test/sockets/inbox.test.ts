/** Messages of one client that arrive all at once. */

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import type { WebSocket } from 'ws';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import { Inbox } from '../../src/sockets/inbox.ts';
import { WorkScheduler } from '../../src/sockets/work-scheduler.ts';

const MESSAGE_MS = 3;

/** A connection that gives everything it has read, paused or not, as ws does. */
class Talker extends EventEmitter {
  isPaused = false;

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  say(...texts: readonly string[]): void {
    for (const text of texts) this.emit('message', Buffer.from(text), false);
  }
}

function start(onMessage: () => void = () => undefined) {
  const clock = new ManualClock();
  const talker = new Talker();
  const heard: string[] = [];
  const inbox = new Inbox(talker as unknown as WebSocket, new WorkScheduler(clock), 'a', (bytes) => {
    heard.push(bytes.toString());
    clock.monotonic += MESSAGE_MS;
    onMessage();
  });
  return { talker, heard, inbox };
}

describe('messages of one client', () => {
  test('are processed at once while the time slice lasts, and then one per slice', async () => {
    const { talker, heard } = start();
    talker.say('1', '2', '3', '4', '5');
    assert.deepEqual(heard, ['1', '2']);
    assert.equal(talker.isPaused, true, 'nothing more is read while some wait');
    await settle();
    assert.deepEqual(heard, ['1', '2', '3', '4', '5']);
    assert.equal(talker.isPaused, false);
  });

  test('wait while the session is on hold, even those already read', async () => {
    const { talker, heard, inbox } = start();
    inbox.hold();
    talker.say('1', '2');
    await settle();
    assert.deepEqual([heard, talker.isPaused], [[], true]);
    inbox.goOn();
    await settle();
    assert.deepEqual([heard, talker.isPaused], [['1', '2'], false]);
  });

  test('are processed once each, even if a handler holds and resumes the session', async () => {
    const { talker, heard, inbox } = start(() => {
      inbox.hold();
      inbox.goOn();
    });
    talker.say('1', '2', '3', '4', '5');
    await settle();
    assert.deepEqual(heard, ['1', '2', '3', '4', '5']);
  });

  test('are dropped when the connection is closing, and its last frames are still read', async () => {
    const { talker, heard, inbox } = start();
    talker.say('1', '2', '3');
    inbox.end();
    await settle();
    assert.deepEqual([heard, talker.isPaused], [['1', '2'], false]);
  });
});
