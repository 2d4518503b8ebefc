/**
 * A golden run: 306 records that are always the same, and the hashes of their effects.
 *
 * When this changes, behaviour changed: that needs a versioned rule. A log on disk is read again by every later
 * build, and must give the same state and events. So do not write a new hash here just because the test fails. If the hash of the commands differs too, only the run was changed (golden-records.ts, venue.ts).
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Exchange } from '../src/exchange.ts';
import { SNAPSHOT_VERSION } from '../src/snapshot/snapshot.ts';
import { makeRecords } from './golden-records.ts';
import { applyTo, tell } from '@bourse/test-kit/venue.ts';

/**
 * `answers` is the final state as queries return it. If only `state` differs, which is the hash of the snapshot, the
 * content of snapshots changed: then SNAPSHOT_VERSION must be raised.
 */
const GOLDEN = {
  commands: '59f8b061efb767b79c6e731f08e16e7e',
  outcomes: '74e5482e7177976ff7181c8bbcfc9946',
  events: 'f26b24eb5a0c1b0694507ebec1d8d078',
  answers: 'ad3904cfde8c13655ef9aa0ee738ba21',
  state: '49e94acb0bbd46d7797d92b900b7851a',
  snapshotVersion: 1,
};

const hashText = (lines: readonly string[]) =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32);

/** Every query of the exchange, in a fixed order. */
function answersOf(exchange: Exchange): string[] {
  const { users, symbols, currencies } = exchange.counts;
  const answers: unknown[] = [exchange.counts];
  for (let market = 0; market < symbols; market++) {
    answers.push(exchange.lastPrice(market));
    for (const side of ['buy', 'sell'] as const) {
      answers.push(exchange.resting(market, side), exchange.depth(market, side, 100));
    }
    for (let user = 0; user < users; user++) answers.push(exchange.openOrders(user, market));
  }
  for (let money = 0; money < currencies; money++) {
    for (const system of ['fees', 'outside', 'waiting', 'suspense'] as const)
      answers.push(exchange.systemBalance(system, money));
    for (let user = 0; user < users; user++) {
      answers.push(exchange.balance(user, 'main', money), exchange.balance(user, 'trade', money));
    }
  }
  const { people, operators, proposals } = exchange.reference;
  answers.push(people.list(), people.listSessions(), operators.list());
  answers.push(proposals.list());
  return answers.map(tell);
}

test('promise 5: the golden run has the same outcomes, events and state as in earlier versions', (context) => {
  const records = makeRecords();
  const exchange = new Exchange();
  const outcomes: string[] = [];
  const events: string[] = [];
  const seen = new Map<string, number>();
  const count = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1);
  for (const record of records) {
    const said = applyTo(exchange, record);
    for (const outcome of said.outcomes) {
      outcomes.push(tell(outcome));
      count(outcome.kind === 'rejected' ? `refused ${outcome.rejection.code}` : outcome.kind);
    }
    for (const event of said.events) {
      events.push(tell(event));
      count('reason' in event ? `* ${event.kind} ${event.reason}` : `* ${event.kind}`);
    }
    for (const { kind } of record.commands) count(`> ${kind}`);
  }
  context.diagnostic(`${records.length} records, ${events.length} events, ${seen.size} kinds of things`);
  assert.equal([...seen.keys()].filter((name) => name.startsWith('>')).length, 73, 'kinds of commands');
  const found = {
    commands: hashText(records.map(tell)),
    outcomes: hashText(outcomes),
    events: hashText(events),
    answers: hashText(answersOf(exchange)),
    state: exchange.hash(),
    snapshotVersion: SNAPSHOT_VERSION,
  };
  assert.deepEqual(found, GOLDEN);
});

test('a snapshot of format 1 is read, and is the state of the log it was made of', () => {
  const bytes = readFileSync(new URL('golden/format-1.snapshot', import.meta.url));
  const exchange = Exchange.restore(bytes);
  assert.equal(exchange.hash(), GOLDEN.state);
  assert.equal(hashText(answersOf(exchange)), GOLDEN.answers);
});
