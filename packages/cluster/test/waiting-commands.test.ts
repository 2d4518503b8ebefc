/** Errors for callers whose command has no record yet: they state only what is certain. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATOR, Unavailable } from '../../engine/src/exchange-port.ts';
import { WaitingCommands } from '../src/waiting-commands.ts';

test('a caller that times out learns that nothing was done only if the command never left this node, or came back', () => {
  const waiting = new WaitingCommands();
  const told: string[] = [];
  const add = (name: string, since: number): number => {
    const failed = (error: Error): void => {
      assert.ok(error instanceof Unavailable);
      told.push(`${name}: ${error.reason}`);
    };
    const answered = (): void => assert.fail(`${name} is answered`);
    return waiting.add({ kind: 'add-user', name }, 10, since, { answered, failed }, OPERATOR).id;
  };
  const sent = add('sent', 1000);
  add('kept', 1000);
  add('later', 1001);
  waiting.underWay(sent);
  waiting.giveUpBefore(999);
  assert.deepEqual(told, []);
  waiting.giveUpBefore(1000);
  assert.deepEqual(told, ['sent: unanswered', 'kept: no-leader']);
  assert.deepEqual([waiting.count, waiting.bytes], [1, 10]);
  const back = add('back', 1002);
  waiting.underWay(back);
  // Another node leads: the one before, which may have got it, cannot append any more.
  waiting.takeBack();
  waiting.giveUpBefore(1002);
  assert.deepEqual(told.slice(2), ['later: no-leader', 'back: no-leader']);
});
