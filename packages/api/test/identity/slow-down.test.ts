/** Attacks on the delays after failed sign-ins, and on the limit of mails. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failures, SlowDown } from '../../src/identity/slow-down.ts';
import { identityRefusal, wrongCredentials } from '../../src/identity/identity-errors.ts';
import { MailBudget } from '../../src/identity/mail/mail.ts';
import { attemptCounters, countAttempt } from '../../src/identity/sign-in.ts';

const ORIGIN = { ip: '203.0.113.9', device: '' };
const identity = { failures: new Failures(), now: 0 };
const fail = (slow: SlowDown, names: readonly string[], error: Error = wrongCredentials()): Promise<void> =>
  assert.rejects(
    countAttempt(identity, slow.begin(names), undefined, ORIGIN, () => Promise.reject(error)),
    error,
  );
const VICTIM = ['person victim', 'address 1'];

test('an attempt that was not checked does not clear earlier failures', async () => {
  const slow = new SlowDown(() => 0);
  for (let at = 0; at < 4; at++) await fail(slow, VICTIM);
  // The queue of hashes is full, which an attacker can bring about.
  await fail(slow, VICTIM, identityRefusal('busy', 'Too many sign-ins are waiting.'));
  await fail(slow, VICTIM);
  assert.throws(() => slow.begin(VICTIM), /Too many failed sign-ins/);
});

test('many attempts on other accounts do not clear the wait of one', async () => {
  const slow = new SlowDown(() => 0);
  for (let at = 0; at < 5; at++) await fail(slow, VICTIM);
  for (let at = 0; at < 150_000; at++)
    slow.begin([`person ${at}`, `address of ${at}`]).end(at % 2 === 0 ? 'nothing' : 'right');
  for (let at = 0; at < 150_000; at++)
    assert.throws(() => slow.begin(['person victim', `address of ${at}`]), /Too many failed sign-ins/);
});

test('an IPv6 network counts as one address', () => {
  const namesAt = (ip: string) => attemptCounters('login', undefined, { ip, device: '' });
  assert.deepEqual(namesAt('2001:db8:1:2::1'), namesAt('2001:db8:1:2:aaaa::9'));
  assert.notDeepEqual(namesAt('2001:db8:1:2::1'), namesAt('2001:db8:1:3::1'));
});

test('two nodes together send no more mails to one address than one node', () => {
  let now = 0;
  const budgets = [new MailBudget(() => now), new MailBudget(() => now)] as const;
  budgets[0].onSpent((login) => budgets[1].note(login));
  budgets[1].onSpent((login) => budgets[0].note(login));
  const send = (login: string): number =>
    Array.from({ length: 30 }, (_, at) => budgets[at % 2 === 0 ? 0 : 1].spend(login)).filter(Boolean).length;
  assert.deepEqual([send('victim'), send('victim'), send('other')], [10, 0, 10]);
  now = 60 * 60_000;
  assert.equal(send('victim'), 10);
});
