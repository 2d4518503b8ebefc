import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { senderOf } from '@bourse/test-kit/submit.ts';
import type { Command } from '@bourse/core';
import { CommandQueue, RecordBudget, workOf } from '../src/command-queue.ts';
import type { CommandResult, Waiter } from '../src/exchange-port.ts';

const ROOMY = { count: 1024, bytes: 1 << 20, work: 1024 };
const cancel = (user: number, order: number): Command => ({ kind: 'cancel-order', user, symbol: 0, order });
const batch = (user: number, size: number): Command =>
  ({ kind: 'place-orders', user, orders: Array.from({ length: size }, () => ({})) }) as unknown as Command;

function queueOf(commands: readonly Command[], masterOf?: (user: number) => number): CommandQueue {
  const queue = new CommandQueue(masterOf);
  for (const command of commands) queue.add(command, 10, NOBODY, senderOf(command));
  return queue;
}
const NOBODY: Waiter = { answered: () => undefined, failed: () => undefined };

/** Waiters, and the sequence that each was answered with; -1 before. */
function noted(count: number): [seqs: number[], waiters: Waiter[]] {
  const seqs = Array<number>(count).fill(-1);
  const waiters = seqs.map((_, at) => ({
    ...NOBODY,
    answered: ({ seq }: CommandResult) => void (seqs[at] = seq),
  }));
  return [seqs, waiters];
}

/** user/order of each. */
const names = ({ commands }: { readonly commands: readonly Command[] }): string =>
  commands
    .map((each) => `${(each as { user?: number }).user}/${(each as { order?: number }).order}`)
    .join(' ');

describe('pending commands', () => {
  test('form one record in order of arrival while they fit', () => {
    const queue = queueOf([cancel(1, 1), cancel(2, 2), cancel(1, 3)]);
    assert.equal(names(queue.take(ROOMY)), '1/1 2/2 1/3');
    assert.deepEqual([queue.count, queue.bytes], [0, 0]);
  });

  test('have a total cost: split, returned and complete', () => {
    const queue = queueOf([cancel(1, 1), batch(2, 5), cancel(1, 3)]);
    const cut = queue.take({ ...ROOMY, work: 6 });
    assert.deepEqual([names(cut), cut.work], ['1/1 2/undefined', 6]);
    queue.putBack(cut, 1);
    assert.equal(queue.take(ROOMY).work, 6, 'what was left and what was put back');
    assert.equal(queue.take(ROOMY).work, 0);
  });

  test('are taken from users in turn if they do not fit, each user in order', () => {
    const many = Array.from({ length: 10 }, (_, at) => cancel(1, at));
    const queue = queueOf([...many, cancel(2, 100), cancel(3, 200), cancel(2, 101)]);
    assert.equal(names(queue.take({ ...ROOMY, count: 5 })), '1/0 1/1 2/100 3/200 2/101');
    assert.equal(names(queue.take({ ...ROOMY, count: 5 })), '1/2 1/3 1/4 1/5 1/6');
  });

  test('of the user that has waited longest come first, even if a record holds only one', () => {
    const queue = queueOf([cancel(1, 0), cancel(1, 1), cancel(1, 2), cancel(2, 9), cancel(3, 8)]);
    const one = { ...ROOMY, count: 1 };
    const order = [1, 2, 3, 4].map(() => names(queue.take(one)));
    assert.deepEqual(order, ['1/0', '2/9', '3/8', '1/1']);
  });

  test('never overtake an operator’s command that came before', () => {
    const operator = { kind: 'change-user', user: 5, tier: 1, by: 'ann', why: 'a test' } as Command;
    const queue = queueOf([operator, cancel(1, 0), cancel(1, 1), operator, cancel(2, 0), operator]);
    const two = { ...ROOMY, count: 2 };
    const order = [1, 2, 3, 4].map(() => names(queue.take(two)));
    assert.deepEqual(order, ['5/undefined', '1/0 1/1', '5/undefined', '2/0 5/undefined']);
  });

  test("of a user alternate with those of others, even with an author and a reason, which do not make them an operator's", () => {
    const queue = new CommandQueue();
    const key = { kind: 'add-key', user: 10, key: 'k', by: 'user 1', why: 'its own' } as unknown as Command;
    const subAccount = { kind: 'add-user', name: 'n', parent: 1, by: 'user 1', why: 'its own' } as Command;
    for (let i = 0; i < 100; i++) queue.add(i % 2 === 0 ? key : subAccount, 10, NOBODY, 1);
    queue.add(cancel(2, 7), 10, NOBODY, 2);
    const { commands } = queue.take({ ...ROOMY, count: 2 });
    assert.deepEqual(commands, [key, cancel(2, 7)]);
  });

  test('that must wait stay, with all later ones of their owner, while others proceed', () => {
    const queue = queueOf([cancel(1, 0), cancel(1, 7), cancel(1, 1), cancel(2, 2), cancel(2, 3)]);
    const mustWait = (command: Command): boolean => (command as { order?: number }).order === 7;
    assert.equal(names(queue.take(ROOMY, mustWait)), '1/0 2/2 2/3');
    assert.equal(names(queue.take(ROOMY, mustWait)), '');
    assert.equal(names(queue.take(ROOMY)), '1/7 1/1');
  });

  test('are checked for waiting only at the head of their queue: a long queue does not delay each record', () => {
    const [users, each] = [3, 1000];
    const queue = queueOf(Array.from({ length: users * each }, (_, at) => cancel(at % users, at)));
    let asked = 0;
    const mustWait = (command: Command): boolean => {
      asked++;
      return (command as { user?: number }).user === 1;
    };
    const { commands } = queue.take({ ...ROOMY, count: 10 }, mustWait);
    assert.equal(commands.length, 10);
    assert.ok(asked <= commands.length + users, `${asked} of ${users * each} were asked`);
  });

  test('that are put back come before all others, with their waiters', () => {
    const queue = new CommandQueue();
    const [seqs, waiters] = noted(3);
    for (const [at, waiter] of waiters.entries()) queue.add(cancel(1, at), 10, waiter, 1);
    const taken = queue.take(ROOMY);
    queue.add(cancel(2, 9), 10, NOBODY, 2);
    queue.putBack(taken, 2);
    const again = queue.take(ROOMY);
    assert.equal(names(again), '1/1 1/2 2/9');
    assert.deepEqual([queue.count, queue.bytes], [0, 0]);
    again.waiters[0].answered({ seq: 5 } as never);
    assert.deepEqual(seqs, [-1, 5, -1]);
  });

  test('of sub-accounts count as their master’s', () => {
    const masterOf = (user: number): number => (user >= 10 ? 1 : user);
    const queue = queueOf(
      [cancel(10, 0), cancel(11, 0), cancel(12, 0), cancel(13, 0), cancel(2, 0)],
      masterOf,
    );
    assert.equal(names(queue.take({ ...ROOMY, count: 2 })), '10/0 2/0');
  });

  test('are bounded by cost: a batch of twenty costs twenty, and a larger one is alone in its record', () => {
    const queue = queueOf([batch(1, 20), batch(1, 20), cancel(2, 5), batch(3, 20)]);
    const first = queue.take({ ...ROOMY, work: 30 });
    assert.deepEqual(first.commands.map(workOf), [20, 1]);
    assert.deepEqual(queue.take({ ...ROOMY, work: 5 }).commands.map(workOf), [20]);
    assert.equal(queue.count, 1);
  });

  test('keep their waiters', () => {
    const queue = new CommandQueue();
    const [seqs, waiters] = noted(4);
    for (const [at, user] of [1, 1, 2, 1].entries()) queue.add(cancel(user, at), 10, waiters[at], user);
    for (let taken = 0; taken < 4; ) {
      const next = queue.take({ ...ROOMY, count: 2 });
      taken += next.commands.length;
      for (const [at, command] of next.commands.entries()) {
        next.waiters[at].answered({ seq: (command as { order: number }).order } as never);
      }
    }
    assert.deepEqual(seqs, [0, 1, 2, 3]);
  });

  test('are scheduled fairly in random histories: none is lost or overtaken, and no bound is exceeded', () => {
    const random = new Random(7);
    const queue = new CommandQueue();
    /** The pending commands of each user: the numbers of the orders with their bytes. */
    const left = new Map<number, { order: number; bytes: number }[]>(
      [0, 1, 2, 3, 4].map((user) => [user, []]),
    );
    const bytesLeft = () => [...left.values()].flat().reduce((sum, { bytes }) => sum + bytes, 0);
    for (let order = 0; order < 3000; order++) {
      const user = Math.min(random.below(5), random.below(5));
      const bytes = 1 + random.below(100);
      queue.add(cancel(user, order), bytes, NOBODY, user);
      left.get(user)!.push({ order, bytes });
      if (random.below(8) > 0) continue;
      const bounds = {
        count: 1 + random.below(12),
        bytes: 1 + random.below(500),
        work: 1 + random.below(12),
      };
      const taken = queue.take(bounds);
      const counts = new Map<number, number>();
      let takenBytes = 0;
      for (const each of taken.commands as { user: number; order: number }[]) {
        const next = left.get(each.user)!.shift()!;
        assert.equal(each.order, next.order);
        takenBytes += next.bytes;
        counts.set(each.user, (counts.get(each.user) ?? 0) + 1);
      }
      assert.equal(queue.bytes, bytesLeft());
      assert.ok(taken.commands.length <= Math.min(bounds.count, bounds.work));
      assert.ok(taken.commands.length === 1 || takenBytes <= bounds.bytes);
      const most = Math.max(...counts.values());
      for (const [other, waiting] of left) {
        if (waiting.length > 0)
          assert.ok((counts.get(other) ?? 0) >= most - 1, `user ${other} was passed over`);
      }
    }
  });

  test('are counted by owner if there are many, so that nobody fills the queue', () => {
    const queue = queueOf(Array.from({ length: 5000 }, (_, at) => cancel(1, at)));
    assert.equal(queue.countOf(1), 5000);
    assert.equal(queue.countOf(2), 0);
    queue.take({ ...ROOMY, count: 100 });
    assert.equal(queue.countOf(1), 4900);
  });
});

describe('the budget of a record', () => {
  test('grows while full records are quick, and shrinks while few commands are pending', () => {
    const budget = new RecordBudget(1024);
    const start = budget.work;
    for (let i = 0; i < 10; i++) budget.update(budget.work, 1, 'full');
    assert.equal(budget.work, 1024);
    for (let i = 0; i < 100; i++) budget.update(1, 0, 'everything');
    assert.equal(budget.work, start);
  });

  test('does not shrink below work that was just done in time', () => {
    const budget = new RecordBudget(1024);
    for (let i = 0; i < 10; i++) budget.update(budget.work, 1, 'full');
    for (let i = 0; i < 100; i++) budget.update(512, 1, 'everything');
    assert.equal(budget.work, 512);
  });

  test('ignores records without commands, and records that first continue an order', () => {
    const budget = new RecordBudget(1024);
    budget.update(0, 100, 'everything');
    budget.update(1, 100, 'unfinished');
    assert.equal(budget.work, 64);
    budget.update(1, 100, 'everything');
    assert.equal(budget.work, 1);
  });

  test('is cut to the work that fits the target, and is never 0', () => {
    const budget = new RecordBudget(1024);
    budget.update(64, 50, 'full');
    assert.equal(budget.work, 6);
    budget.update(1, 10_000, 'full');
    assert.equal(budget.work, 1);
    for (let i = 0; i < 20; i++) budget.update(1, 0, 'everything');
    assert.equal(budget.work, 64, 'and recovers');
  });
});
