// What the console says about a user's freezes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFrozen, userState } from '../src/console/user-state.ts';

const FREE = { freeze: null, masterFreeze: null, closed: false } as const;
const TRADING = { level: 'trading' } as const;
const WITHDRAWALS = { level: 'withdrawals' } as const;
const ALL = { level: 'all' } as const;

test('the state of a user names the level of each freeze, and says if it is the freeze of the master', () => {
  const states = [
    FREE,
    { ...FREE, freeze: ALL },
    { ...FREE, freeze: TRADING },
    { ...FREE, freeze: WITHDRAWALS },
    { ...FREE, masterFreeze: ALL },
    { ...FREE, masterFreeze: TRADING },
    { ...FREE, freeze: WITHDRAWALS, masterFreeze: TRADING },
    { ...FREE, freeze: ALL, closed: true },
  ].map((user) => [isFrozen(user), userState(user)]);
  assert.deepEqual(states, [
    [false, 'Free'],
    [true, 'Frozen'],
    [true, 'Trading frozen'],
    [true, 'Withdrawals frozen'],
    [true, 'Frozen through its master'],
    [true, 'Trading frozen through its master'],
    [true, 'Withdrawals frozen; trading frozen through its master'],
    [true, 'Closed'],
  ]);
});
