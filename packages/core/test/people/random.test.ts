/**
 * Random commands of people, and those of keys and withdrawals that their locks concern, against the rules written a
 * second time (people-model.ts), which predict every outcome and every note of activity, and against the proofs that
 * work once and the keys that must exist. After some of them the exchange continues from its own snapshot, and at the
 * end another one that applied the same records must be equal. All kinds of commands must have been accepted, and all
 * refusals met.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { tell, Venue } from '@bourse/test-kit/venue.ts';
import { type Command, Exchange, type Proof, RULES_VERSION } from '../../src/index.ts';
import { openMarket } from '@bourse/test-kit/market.ts';
import { PeopleModel } from './people-model.ts';

const PEOPLE = ['p-0', 'p-1', 'p-2'];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DEPOSIT = 10_000n;
const ADDRESSES = ['home', 'away'];

/** Each must occur; all of these commands must be accepted somewhere. */
const KINDS = [
  'add-person',
  'open-session',
  'set-session-key',
  'end-sessions',
  'step-up',
  'change-person',
  'lock-person',
  'add-book-address',
  'remove-book-address',
  'restrict-addresses',
  'freeze-person',
  'close-person',
  'add-key',
  'change-key',
  'remove-key',
  'request-withdrawal',
  'report-deposit',
  'settle-withdrawal',
];
const REFUSALS = [
  'person-unknown',
  'session-unknown',
  'person-taken',
  'person-locked',
  'proof-spent',
  'step-up-needed',
  'withdrawals-locked',
  'address-not-listed',
  'person-not-empty',
  'user-frozen',
  'code-taken',
  'key-unknown',
  'funds-insufficient',
];

class World {
  venue = new Venue();
  readonly random: Random;
  /** Proofs that were accepted, and must not be accepted again. */
  readonly used = new Set<string>();
  readonly model = new PeopleModel();
  /** Kinds of commands that were accepted, and refusals. */
  readonly met = new Set<string>();
  accepted = 0;
  sessions = 0;
  deposits = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.venue.rules = RULES_VERSION;
    this.venue.do(...openMarket());
  }

  get people() {
    return this.venue.exchange.reference.people;
  }

  step(): void {
    const { random, venue } = this;
    venue.time += random.chance(0.02) ? DAY : random.pick([0, 1, 1000, MINUTE, 10 * MINUTE]);
    const person = random.pick(PEOPLE);
    const command = this.#draw(person);
    const version = this.people.get(person)?.version;
    if (command.kind === 'settle-withdrawal')
      venue.do({ kind: 'claim-withdrawal', withdrawal: command.withdrawal });
    const { outcomes, events } = venue.try(command);
    const [outcome] = outcomes;
    const found = outcome.kind === 'rejected' ? outcome.rejection.code : 'accepted';
    const expected = this.model.take(command, venue.time, this.people.get(person)?.user ?? -1);
    assert.equal(found, expected, `${tell(command)} at ${venue.time}`);
    const notes = events.flatMap((event) => (event.kind === 'person-changed' ? [event.what] : []));
    assert.deepEqual(notes, this.model.notes, `${tell(command)} at ${venue.time}`);
    this.met.add(found === 'accepted' ? command.kind : found);
    this.#compare(person);
    if (outcome.kind !== 'rejected') {
      this.accepted++;
      for (const name of this.#onceOf(command, person, version)) {
        assert.ok(!this.used.has(name), `${name} was accepted twice, by ${command.kind}`);
        this.used.add(name);
      }
    }
    this.#check();
    if (random.chance(0.1)) this.venue.exchange.hash();
    if (random.chance(0.05)) this.goOnFromSnapshot();
  }

  /** The person in the model. */
  #compare(person: string): void {
    const found = this.people.get(person);
    const model = this.model.people.get(person);
    const open = this.people.sessionsOf(person).filter(({ expires }) => expires > this.venue.time);
    const { user, login, version, totpStep, lockedUntil, frozenAt, withdrawalsLockedUntil } = found ?? {};
    const keys = this.venue.exchange.reference.keys();
    const shown = found && {
      user,
      login,
      version,
      totpStep,
      codes: found.recoveryCodes,
      lockedUntil,
      frozenAt,
      withdrawalsLockedUntil,
      onlyUntil: found.onlyUntil === Number.MAX_SAFE_INTEGER ? Infinity : found.onlyUntil,
      passkeys: found.passkeys.map(({ id }) => id),
      book: found.book.map(({ id, address, usableFrom }) => [id, { address, usableFrom }]),
      sessions: open.map(({ id, steppedUpAt }) => `${id} ${steppedUpAt}`).toSorted(),
      keys: keys
        .flatMap((each) => (each.user === user && each.session === undefined ? [each.key] : []))
        .toSorted(),
    };
    const expected = model && {
      user: model.user,
      login: model.login,
      version: model.version,
      totpStep: model.totpStep,
      codes: model.codes,
      lockedUntil: model.lockedUntil,
      frozenAt: model.frozenAt,
      withdrawalsLockedUntil: model.withdrawalsLockedUntil,
      onlyUntil: model.onlyUntil,
      passkeys: model.passkeys,
      book: [...model.book],
      sessions: [...model.sessions]
        .flatMap(([id, { expires, steppedUpAt }]) =>
          expires > this.venue.time ? [`${id} ${steppedUpAt}`] : [],
        )
        .toSorted(),
      keys: [...model.keys].toSorted(),
    };
    assert.deepEqual(shown ?? undefined, expected);
  }

  goOnFromSnapshot(): void {
    const { exchange, records, time } = this.venue;
    const restored = new Venue(Exchange.restore(exchange.snapshot()), time);
    assert.equal(restored.exchange.hash(), exchange.hash());
    restored.rules = RULES_VERSION;
    restored.records.push(...records);
    this.venue = restored;
  }

  /** Names of the proofs that the command consumed. A new TOTP secret, or a person of the same name, starts afresh. */
  #onceOf(command: Command, person: string, version = 0): string[] {
    const { proof, spends = [] } = command as { proof?: Proof; spends?: Proof['spends'] };
    const of = `${person} of ${this.people.get(person)?.createdAt}`;
    return [
      ...[...spends, ...(proof?.spends ?? [])].map(({ id }) => `token ${id}`),
      ...(proof?.recoveryCode === undefined ? [] : [`code ${proof.recoveryCode} of ${of}`]),
      ...(proof?.totpStep === undefined || command.kind === 'change-person'
        ? []
        : [`step ${proof.totpStep} of ${of} since ${this.#secretOf(person)}`]),
      ...(command.kind === 'change-person' ? [`version ${version} of ${of}`] : []),
    ];
  }

  #secretOf = (person: string): string => this.people.get(person)?.totp ?? '';

  /** Every session has its key, every signing key a session, and nobody locked has changed. */
  #check(): void {
    const { reference } = this.venue.exchange;
    const keys = reference.keys().filter(({ session }) => session !== undefined);
    const sessions = this.people.listSessions();
    assert.deepEqual(
      keys.map(({ key, session }) => [key, session]).toSorted(),
      sessions.map(({ key, id }) => [key, id]).toSorted(),
    );
    for (const { person } of sessions) assert.notEqual(this.people.get(person), null);
    for (const { user } of this.people.list()) assert.equal(this.people.ofUser(user)?.user, user);
  }

  #draw(person: string): Command {
    const { random, venue } = this;
    const found = this.people.get(person);
    const session = random.pick([...this.people.sessionsOf(person).map(({ id }) => id), 's-none']);
    const proof: Proof = {
      version: (found?.version ?? 1) - (random.chance(0.1) ? 1 : 0),
      ...(random.chance(0.4) && { totpStep: Math.floor(venue.time / 30_000) + random.range(-1, 1) }),
      ...(random.chance(0.2) && {
        recoveryCode: random.pick([...(found?.recoveryCodes ?? []), 'code none']),
      }),
      ...(random.chance(0.3) && { spends: [this.#token()] }),
      ...(random.chance(0.1) && { passkey: { id: this.#passkey(), counter: 0 } }),
    };
    const base = { person, session } as const;
    const owned = found ? this.#drawOwned(found.user, session) : [];
    return random.pick<() => Command>([
      () => ({
        kind: 'add-person',
        person,
        login: random.pick(PEOPLE),
        profile: 'sealed',
        verifier: 'sealed',
        spends: [this.#token()],
      }),
      ...Array.from({ length: 6 }, () => () => this.#open(person, proof)),
      () => ({ kind: 'step-up', ...base, proof }),
      () => ({ kind: 'end-sessions', person, ...(random.chance(0.7) ? { session } : { except: session }) }),
      () => ({ kind: 'set-session-key', ...base, key: this.#key() }),
      () => ({ kind: 'change-person', ...base, proof, verifier: `v ${venue.time}` }),
      () => ({
        kind: 'change-person',
        ...base,
        proof,
        totp: random.chance(0.3) ? null : `t ${venue.time} ${random.bits()}`,
        totpStep: Math.floor(venue.time / 30_000),
        recoveryCodes: [`code ${random.bits()}`, `code ${random.bits()}`],
      }),
      () => ({ kind: 'change-person', person, proof, login: random.pick([...PEOPLE, 'other']) }),
      () => ({ kind: 'lock-person', ...base, until: venue.time + 30 * MINUTE }),
      () => ({ kind: 'restrict-addresses', ...base, on: random.chance(0.5) }),
      () => ({ kind: 'freeze-person', person, since: venue.time - random.pick([0, MINUTE]) }),
      () => ({ kind: 'close-person', ...base }),
      ...Array.from(
        { length: 4 },
        () => (): Command => ({
          kind: 'change-user',
          user: found?.user ?? 0,
          frozen: false,
        }),
      ),
      () => ({
        kind: 'change-person',
        ...base,
        proof,
        addPasskey: { id: this.#passkey(), publicKey: 'public', counter: 0, name: 'sealed' },
      }),
      () => ({ kind: 'change-person', ...base, proof, removePasskey: this.#passkey() }),
      () => ({ kind: 'change-person', ...base, proof, recoveryCodes: [`code ${random.bits()}`] }),
      () => ({
        kind: 'add-book-address',
        ...base,
        id: `b-${random.below(3)}`,
        currency: 0,
        chain: 'net',
        address: random.pick(ADDRESSES),
        memo: '',
        label: 'sealed',
        delayMs: random.pick([0, 60 * MINUTE]),
      }),
      () => ({ kind: 'remove-book-address', ...base, id: `b-${random.below(3)}` }),
      ...owned,
    ])();
  }

  /** Commands about a person's user: keys and money. */
  #drawOwned(user: number, session: string): (() => Command)[] {
    const { random } = this;
    const { reference } = this.venue.exchange;
    const from = random.chance(0.6) ? { session } : {};
    const key = random.pick([...reference.keys().map((each) => each.key), 'k-none']);
    const unpaid = reference
      .withdrawals()
      .filter((each) => each.user === user && each.state === 'processing');
    const withdraw = (): Command => ({
      kind: 'request-withdrawal',
      user,
      currency: 0,
      chain: 'net',
      amount: DEPOSIT,
      feeIncluded: true,
      address: random.pick(ADDRESSES),
      memo: '',
      ...from,
    });
    return [
      withdraw,
      withdraw,
      () => ({
        kind: 'report-deposit',
        user,
        currency: 0,
        chain: 'net',
        amount: DEPOSIT,
        txId: `tx-${++this.deposits}`,
        travelRule: false,
      }),
      () => ({
        kind: 'add-key',
        user,
        key: `a-${random.bits()}`,
        version: 3,
        permissions: [],
        ipAllowList: [],
        secret: 'sealed',
        ...from,
      }),
      () => ({ kind: 'change-key', key, permissions: [], ...from }),
      () => ({ kind: 'remove-key', key: key.startsWith('k-') ? 'k-none' : key }),
      ...unpaid.map(
        ({ withdrawal }) =>
          (): Command => ({
            kind: 'settle-withdrawal',
            withdrawal,
            sent: true,
            txId: `paid ${withdrawal}`,
          }),
      ),
    ];
  }

  #passkey = (): string => `passkey ${this.random.below(4)}`;

  #open(person: string, proof: Proof): Command {
    const session = `s-${++this.sessions}`;
    const { time } = this.venue;
    const terms = { token: `t ${session}`, expires: time + 3 * 60 * MINUTE, address: 'a', key: this.#key() };
    return { kind: 'open-session', person, session, ...terms, proof };
  }

  #key() {
    return { key: `k-${this.random.bits()}`, secret: 'sealed', permissions: [] } as const;
  }

  /** A few for every two days, then new ones: a used one must be rejected for as long as it is valid. */
  #token() {
    const windowMs = 48 * 60 * MINUTE;
    const window = Math.floor(this.venue.time / windowMs);
    return { id: `token ${this.random.below(8)} of ${window}`, until: (window + 1) * windowMs - 1 };
  }
}

test('random people: proofs work once, keys match sessions, and a restored snapshot continues alike', () => {
  const met = new Set<string>();
  for (let seed = 1; seed <= ofSize(3, 60); seed++) {
    const world = new World(seed);
    try {
      for (let step = 0; step < 600; step++) world.step();
      const again = new Exchange();
      for (const record of world.venue.records) again.apply(record);
      assert.equal(again.hash(), world.venue.exchange.hash(), 'the same records give the same state');
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
    assert.ok(world.accepted > 40, `seed ${seed}: only ${world.accepted} commands were accepted`);
    for (const name of world.met) met.add(name);
  }
  const never = [...KINDS, ...REFUSALS].filter((name) => !met.has(name));
  assert.deepEqual(never, [], 'these never occurred');
});
