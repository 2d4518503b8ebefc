/** Commands in flight to the leader: each is accepted once, whatever happens to the messages and the leader. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandCourier, type CourierParts } from '../src/messages/command-courier.ts';
import { CommandIntake } from '../src/leadership/leadership.ts';
import { type NodeMessage, type NumberedCommand, readNodeMessage } from '../src/messages/node-messages.ts';

type Parcel = Extract<NodeMessage, { kind: 'commands' }>;

/** Sent messages stay here until the test delivers them. */
class HeldBus {
  readonly isConnected = true;
  readonly sent: NodeMessage[] = [];
  /** Of the largest message. */
  bytesMax = 0;

  publish(_: string, bytes: Uint8Array): void {
    this.bytesMax = Math.max(this.bytesMax, bytes.length);
    this.sent.push(readNodeMessage(bytes)!);
  }

  subscribe(): () => void {
    return () => undefined;
  }

  parcels(): Parcel[] {
    return this.sent.splice(0).filter((message) => message.kind === 'commands');
  }
}

const courierOf = (bus: HeldBus, parts: Partial<CourierParts> = {}): CommandCourier =>
  new CommandCourier({
    bus,
    run: 'sender',
    elapsed: () => 0,
    clockOf: () => 0,
    isAwaited: () => true,
    onSent: () => undefined,
    ...parts,
  });
const intakeOf = (bus: HeldBus, term: number, elapsed = () => 0): CommandIntake =>
  new CommandIntake(bus, term, { elapsed });
const UNTIL = 4000;
const commandsOf = (...ids: number[]): NumberedCommand[] =>
  ids.map((id) => ({ id, command: { kind: 'add-user', name: `u-${id}` }, sender: id, until: UNTIL }));
/** Twenty orders with all that users may write on them. */
const batchOf = (id: number): NumberedCommand => ({
  id,
  sender: 1,
  until: UNTIL,
  command: {
    kind: 'place-orders',
    user: 1,
    orders: Array.from({ length: 20 }, () => ({
      symbol: 0,
      type: 'limit',
      side: 'buy',
      price: 2 ** 49,
      size: 2 ** 49,
      clientId: 'c'.repeat(40),
      tags: 't'.repeat(20),
      remark: 'r'.repeat(20),
    })),
  },
});
/** The minimum size limit of a log server. */
const MESSAGE_BYTES_MIN = 1 << 20;
const idsOf = (commands: readonly NumberedCommand[]): number[] => commands.map(({ id }) => id);

test('a late parcel of an earlier term is neither accepted nor acknowledged: its commands came with this term', () => {
  const bus = new HeldBus();
  const courier = courierOf(bus);
  courier.begin({ name: 'n1', run: 'leader', term: 5 }, commandsOf(1));
  courier.add(commandsOf(2)[0]);
  courier.flush();
  const late = bus.parcels();
  assert.equal(late.length, 2);

  // Another node led meanwhile; now the first one does again, and gets everything that still waits.
  courier.begin({ name: 'n1', run: 'leader', term: 9 }, commandsOf(1, 2));
  const [again] = bus.parcels();
  const intake = intakeOf(bus, 9);
  assert.deepEqual(idsOf(intake.accept(late[0])), []);
  assert.deepEqual(idsOf(intake.accept(again)), [1, 2]);
  assert.deepEqual(idsOf(intake.accept(late[1])), []);
  assert.deepEqual(bus.sent, [{ kind: 'got', term: 9, number: 1 }]);
});

test('parcels that arrive out of order or twice are accepted once', () => {
  const bus = new HeldBus();
  const courier = courierOf(bus);
  courier.begin({ name: 'n1', run: 'leader', term: 5 }, commandsOf(1));
  for (const command of commandsOf(2, 3)) {
    courier.add(command);
    courier.flush();
  }
  const [first, second, third] = bus.parcels();
  const intake = intakeOf(bus, 5);
  const taken = [third, first, third, second, first, second].map((parcel) => idsOf(intake.accept(parcel)));
  assert.deepEqual(taken, [[3], [1], [], [2], [], []]);
});

test('a parcel that never arrives is skipped once its commands have expired, and no earlier', () => {
  const bus = new HeldBus();
  let now = 0;
  const courier = courierOf(bus, { elapsed: () => now });
  const sent = (id: number): Parcel => {
    courier.add({ ...commandsOf(id)[0], until: now + UNTIL });
    courier.flush();
    return bus.parcels()[0];
  };
  courier.begin({ name: 'n1', run: 'leader', term: 5 }, []);
  const intake = intakeOf(bus, 5, () => now);
  const [late, lost, next] = [sent(1), sent(2), sent(3)];
  assert.deepEqual(idsOf(intake.accept(next)), [3]);
  // However many have overtaken it.
  let id = 3;
  for (; id < 5000; id++) assert.deepEqual(idsOf(intake.accept(sent(id + 1))), [id + 1]);
  // Its deadline is now, and the leader still takes it.
  now = UNTIL;
  assert.deepEqual(idsOf(intake.accept(late)), [1]);
  now = UNTIL + 1;
  assert.deepEqual(idsOf(intake.accept(sent(++id))), [id]);
  assert.deepEqual(idsOf(intake.accept(lost)), []);
  for (const again of [late, next]) assert.deepEqual(idsOf(intake.accept(again)), []);
  assert.equal(intake.remembered, 0);
});

test('after lost parcels the leader remembers only the numbers of the last seconds, and accepts each parcel once', () => {
  const bus = new HeldBus();
  let now = 0;
  const intake = intakeOf(bus, 5, () => now);
  const parcelOf = (number: number): Parcel => ({
    kind: 'commands',
    from: 'sender',
    term: 5,
    number,
    commands: commandsOf(number),
  });
  let most = 0;
  for (let number = 1; number <= 100_000; number++) {
    now++;
    // One of 500 is lost.
    if (number % 500 === 250) continue;
    for (const accepted of [1, 0]) assert.equal(intake.accept(parcelOf(number)).length, accepted);
    // One that was accepted long ago is not accepted again.
    if (number > UNTIL) assert.equal(intake.accept(parcelOf(number - UNTIL)).length, 0);
    most = Math.max(most, intake.remembered);
  }
  assert.ok(most > UNTIL / 2 && most <= UNTIL + 1, `${most} numbers`);
});

test('a parcel is resent until the leader has it, but not before a reply could have arrived', () => {
  const bus = new HeldBus();
  let now = 1000;
  const courier = courierOf(bus, { elapsed: () => now });
  courier.begin({ name: 'n1', run: 'leader', term: 5 }, commandsOf(1));
  courier.add(commandsOf(2)[0]);
  courier.flush();
  const [first, second] = bus.parcels();
  const sentAgain = (afterMs: number): Parcel[] => {
    now += afterMs;
    courier.sendAgain();
    return bus.parcels();
  };
  assert.deepEqual(sentAgain(399), []);
  assert.deepEqual(sentAgain(1), [first, second], 'both, as they were');
  courier.acknowledge(5, first.number);
  assert.deepEqual(sentAgain(399), []);
  assert.deepEqual(sentAgain(1), [second]);
  // Of an earlier term: this parcel it was not.
  courier.acknowledge(4, second.number);
  assert.deepEqual(sentAgain(400), [second]);
  courier.acknowledge(5, second.number);
  assert.deepEqual(sentAgain(10_000), []);
});

test('batches collected while there was no leader are split into parcels that the servers accept', () => {
  const bus = new HeldBus();
  const courier = courierOf(bus);
  const batches = Array.from({ length: 600 }, (_, i) => batchOf(i + 1));
  courier.begin({ name: 'n1', run: 'leader', term: 5 }, batches);
  const intake = intakeOf(bus, 5);
  const taken = bus.parcels().flatMap((parcel) => idsOf(intake.accept(parcel)));
  assert.deepEqual(taken, idsOf(batches));
  assert.ok(bus.bytesMax < MESSAGE_BYTES_MIN, `${bus.bytesMax} bytes`);
});

test('a command larger than the intended size of a parcel becomes a parcel of its own', () => {
  const bus = new HeldBus();
  const courier = courierOf(bus);
  const long: NumberedCommand = {
    id: 2,
    command: { kind: 'add-user', name: 'u'.repeat(1 << 18) },
    sender: 1,
    until: UNTIL,
  };
  courier.begin({ name: 'n1', run: 'leader', term: 5 }, [...commandsOf(1), long, ...commandsOf(3)]);
  assert.deepEqual(
    bus.parcels().map(({ commands }) => idsOf(commands)),
    [[1], [2], [3]],
  );
});

test('a leader that has been silent gets nothing, and commands whose callers gave up are never sent', () => {
  const bus = new HeldBus();
  let leaderClock: number | null = null;
  const awaited = new Set([1, 2]);
  const sent: number[] = [];
  const courier = courierOf(bus, {
    clockOf: () => leaderClock,
    isAwaited: (id) => awaited.has(id),
    onSent: (id) => sent.push(id),
  });
  courier.begin({ name: 'n1', run: 'leader', term: 5 }, commandsOf(1, 2));
  courier.flush();
  courier.sendAgain();
  assert.deepEqual([bus.parcels(), sent], [[], []]);
  awaited.delete(1);
  leaderClock = 70_000;
  courier.flush();
  const [{ commands }] = bus.parcels();
  // The deadline is by the leader's clock, as far as this node knows it.
  assert.deepEqual(
    commands.map(({ id, until }) => [id, until]),
    [[2, 74_000]],
  );
  assert.deepEqual(sent, [2]);
});

test('a parcel is not resent after the last of its deadlines', () => {
  const bus = new HeldBus();
  let now = 0;
  const courier = courierOf(bus, { elapsed: () => now, clockOf: () => now });
  courier.begin({ name: 'n1', run: 'leader', term: 5 }, commandsOf(1));
  for (now = 1000; now <= 4000; now += 1000) courier.sendAgain();
  assert.equal(bus.parcels().length, 5);
  now = 4001;
  courier.sendAgain();
  assert.deepEqual(bus.parcels(), []);
});
