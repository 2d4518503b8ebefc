/**
 * Random proposals, approvals, refusals and withdrawals, while roles, operators, root and the policy change and time passes,
 * against a naive model that predicts every outcome. Sometimes the exchange continues from its own snapshot, and at the
 * end another one that applied the same records must be equal.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMarket } from '@bourse/test-kit/market.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Venue } from '@bourse/test-kit/venue.ts';
import {
  type Command,
  Exchange,
  type Outcome,
  type PolicyRule,
  type Role,
  RULES_VERSION,
  statusAt,
} from '../../src/index.ts';

const ROOT = 0;
const ADMIN = 1;
const KEPT_MAX = 500;
const TIER_MAX = 12;
const MINUTE = 60_000;
const SOME_ROLES: readonly Role[] = ['support', 'finance', 'compliance'];
const OPERATORS_MAX = 8;
const CALLS = ['report-deposit', 'change-user', 'set-policy'] as const;

/** Drawn with a frequency proportional to their number of occurrences. */
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const KINDS = [
  ...times(6, 'deposit'),
  ...times(2, 'tier'),
  ...times(14, 'decide'),
  'policy',
  ...times(2, 'operators'),
] as const;
const DECISIONS = [...times(8, 'approve-proposal'), 'refuse-proposal', 'withdraw-proposal'] as const;

interface ModelProposal {
  readonly command: Command;
  readonly proposer: number;
  readonly needed: number;
  readonly roles: readonly Role[];
  readonly expires: number;
  status: 'open' | 'approved' | 'refused' | 'withdrawn' | 'failed';
  readonly approvals: number[];
}

class Model {
  time = 0;
  isRootClosed = false;
  policy: { rules: readonly PolicyRule[]; expiryMs: number } = { rules: [], expiryMs: 24 * 60 * MINUTE };
  money = 0n;
  tier = 0;
  readonly deposits = new Map<string, bigint>();
  readonly operators = new Map<number, readonly Role[]>();
  readonly proposals = new Map<number, ModelProposal>();
  lastProposal = 0;
  lastOperator = 0;

  /** The expected outcome, as a word. */
  take(command: Command): string {
    const { operator = ROOT, call } = command as { operator?: number; call?: string };
    if (call !== undefined && operator !== ROOT && !this.operators.has(operator)) return 'operator-unknown';
    if (call !== undefined && operator === ROOT && this.isRootClosed) return 'root-closed';
    const rule = this.#ruleFor(command, call);
    return rule ? this.#hold(command, operator, rule) : this.#execute(command, operator);
  }

  statusOf({ status, expires }: ModelProposal): string {
    return status === 'open' && expires <= this.time ? 'expired' : status;
  }

  #ruleFor(command: Command, call: string | undefined): PolicyRule | undefined {
    let strictest: PolicyRule | undefined;
    for (const rule of this.policy.rules) {
      if (rule.call !== call) continue;
      const limit = rule.above?.[0]?.amount;
      if (limit !== undefined && command.kind === 'report-deposit' && command.amount <= limit) continue;
      if (!strictest || rule.approvals > strictest.approvals) strictest = rule;
    }
    return strictest;
  }

  #hold(command: Command, proposer: number, { approvals: needed, roles }: PolicyRule): string {
    if (this.proposals.size === KEPT_MAX) {
      const over = [...this.proposals].find(([, each]) => this.statusOf(each) !== 'open');
      if (!over) return 'proposals-in-all';
      this.proposals.delete(over[0]);
    }
    const expires = this.time + this.policy.expiryMs;
    this.proposals.set(++this.lastProposal, {
      command,
      proposer,
      needed,
      roles,
      expires,
      status: 'open',
      approvals: [],
    });
    return 'proposed';
  }

  #execute(command: Command, operator: number): string {
    switch (command.kind) {
      case 'report-deposit': {
        const known = this.deposits.get(command.txId);
        if (known !== undefined) return known === command.amount ? 'deposit' : 'deposit-conflict';
        this.deposits.set(command.txId, command.amount);
        this.money += command.amount;
        return 'deposit';
      }
      case 'change-user':
        if (command.tier! > TIER_MAX) return 'value-invalid';
        this.tier = command.tier!;
        return 'accepted';
      case 'set-policy':
        this.policy = command;
        return 'accepted';
      case 'add-operator':
        this.operators.set(++this.lastOperator, command.roles);
        return 'added';
      case 'change-operator':
        if (!this.operators.has(command.changed)) return 'operator-unknown';
        this.operators.set(command.changed, command.roles);
        return 'accepted';
      case 'remove-operator':
        return this.operators.delete(command.changed) ? 'accepted' : 'operator-unknown';
      case 'close-root':
        if (this.isRootClosed) return 'root-closed';
        this.isRootClosed = true;
        return 'accepted';
      case 'approve-proposal':
      case 'refuse-proposal':
      case 'withdraw-proposal':
        return this.#decide(command.kind, command.proposal, operator);
      default:
        throw new Error(`the model does not know ${command.kind}`);
    }
  }

  #decide(kind: string, id: number, operator: number): string {
    const found = this.proposals.get(id);
    if (!found) return 'proposal-unknown';
    if (kind === 'withdraw-proposal') {
      if (operator !== found.proposer) return 'not-proposer';
    } else {
      if (operator === found.proposer) return 'own-proposal';
      if (!this.#mayApprove(found, operator)) return 'role';
    }
    if (kind === 'approve-proposal' && found.approvals.includes(operator)) return 'approved-already';
    const status = this.statusOf(found);
    if (status !== 'open') return status === 'expired' ? 'expired' : 'proposal-closed';
    if (kind === 'refuse-proposal') found.status = 'refused';
    if (kind === 'withdraw-proposal') found.status = 'withdrawn';
    if (kind !== 'approve-proposal') return 'accepted';
    found.approvals.push(operator);
    const counted = found.approvals.filter((each) => this.#mayApprove(found, each));
    if (counted.length < found.needed) return 'approved';
    found.status = 'approved';
    const came = this.#execute(found.command, found.proposer);
    if (!['deposit', 'accepted'].includes(came)) found.status = 'failed';
    return `approved ${came}`;
  }

  #mayApprove({ roles }: ModelProposal, operator: number): boolean {
    if (operator === ROOT) return !this.isRootClosed;
    return this.operators.get(operator)?.some((role) => roles.includes(role)) ?? false;
  }
}

class World {
  venue = new Venue(new Exchange());
  readonly model = new Model();
  readonly random: Random;
  readonly seen = new Set<string>();
  readonly #moneyBefore: bigint;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.venue.rules = RULES_VERSION;
    this.venue.do(...openMarket());
    this.#moneyBefore = this.#money;
    this.act({ kind: 'add-operator', name: 'admin', roles: ['admin'], token: 'admin' });
  }

  get #money(): bigint {
    return this.venue.exchange.balance(0, 'main', 0).available;
  }

  step(): void {
    const { random } = this;
    this.venue.time += random.pick([0, 0, 0, 0, 1, 1000, MINUTE, 20 * MINUTE]);
    this.act(this.#draw());
    if (random.chance(0.01)) this.goOnFromSnapshot();
    if (random.chance(0.05)) this.compare();
  }

  act(command: Command): void {
    this.model.time = this.venue.time;
    const wanted = this.model.take(command);
    const [outcome] = this.venue.try(command).outcomes;
    assert.equal(
      wordOf(outcome!),
      wanted,
      JSON.stringify(command, (_, value) => String(value)),
    );
    this.seen.add(wanted);
  }

  compare(): void {
    const { reference } = this.venue.exchange;
    const { model } = this;
    assert.equal(this.#money - this.#moneyBefore, model.money, 'money');
    assert.equal(reference.users[0]!.tier, model.tier, 'tier');
    assert.deepEqual(
      reference.operators.list().map(({ id }) => id),
      [...model.operators.keys()],
    );
    assert.deepEqual(
      reference.proposals.list().map((each) => [each.id, statusAt(each, this.venue.time)]),
      Array.from(model.proposals, ([id, each]) => [id, model.statusOf(each)]),
    );
  }

  goOnFromSnapshot(): void {
    const { exchange, records, time } = this.venue;
    const restored = new Venue(Exchange.restore(exchange.snapshot()), time);
    assert.equal(restored.exchange.hash(), exchange.hash());
    restored.rules = RULES_VERSION;
    restored.records.push(...records);
    this.venue = restored;
  }

  end(): void {
    this.compare();
    const again = new Exchange();
    for (const record of this.venue.records) again.apply(record);
    assert.equal(again.hash(), this.venue.exchange.hash());
  }

  /** Mostly an existing operator; otherwise root, a removed one, or one that never existed. */
  #somebody(): number {
    const { random, model } = this;
    if (random.chance(0.8)) return random.pick([...model.operators.keys()]);
    return random.below(model.lastOperator + 2);
  }

  #draw(): Command {
    const { random } = this;
    const operator = this.#somebody();
    const signed = operator === ROOT ? { by: 'root' } : { by: `op ${operator}`, operator };
    if (random.chance(0.001)) return { kind: 'close-root', call: 'close-root', operator: ADMIN, by: 'admin' };
    switch (random.pick(KINDS)) {
      case 'deposit': {
        const txId = `tx ${random.below(150)}`;
        const amount = BigInt(1 + random.below(20));
        return {
          kind: 'report-deposit',
          user: 0,
          currency: 0,
          chain: 'net',
          amount,
          txId,
          travelRule: false,
          call: CALLS[0],
          ...signed,
        };
      }
      case 'tier':
        return { kind: 'change-user', user: 0, tier: random.below(TIER_MAX + 3), call: CALLS[1], ...signed };
      case 'policy':
        return {
          kind: 'set-policy',
          rules: Array.from({ length: random.below(4) }, () => this.#rule()),
          expiryMs: random.pick([MINUTE, 60 * MINUTE, 24 * 60 * MINUTE, 24 * 60 * MINUTE]),
          call: CALLS[2],
          ...signed,
        };
      case 'operators':
        return this.#drawOperators();
      default: {
        const { lastProposal, proposals } = this.model;
        const open = [...proposals].filter(([, { status }]) => status === 'open').map(([id]) => id);
        const proposal =
          open.length > 0 && random.chance(0.8)
            ? random.pick(open.slice(-4))
            : random.below(lastProposal + 3);
        const what = random.pick(DECISIONS);
        return { kind: what, proposal, call: what, ...signed } as Command;
      }
    }
  }

  #rule(): PolicyRule {
    const { random } = this;
    const call = random.pick(CALLS);
    const hasAmount = call === 'report-deposit' && random.chance(0.5);
    return {
      call,
      ...(hasAmount && { above: [{ currency: 0, amount: BigInt(random.below(15)) }] }),
      approvals: random.pick([1, 1, 2, 3]),
      roles: random.chance(0.7) ? [...SOME_ROLES, 'admin'] : this.#roles(),
    };
  }

  #roles(): Role[] {
    const some = SOME_ROLES.filter(() => this.random.chance(0.5));
    return some.length > 0 ? some : ['finance'];
  }

  /** By the exchange itself, because permissions are not the subject here. The admin stays. */
  #drawOperators(): Command {
    const { random, model } = this;
    const changed = 2 + random.below(model.lastOperator + 1);
    const what = random.pick(['add', 'change', 'change', 'remove']);
    const name = `op ${model.lastOperator + 1}`;
    if (what === 'add' && model.operators.size < OPERATORS_MAX)
      return { kind: 'add-operator', name, roles: this.#roles(), token: `hash of ${name}` };
    if (what !== 'remove') return { kind: 'change-operator', changed, roles: this.#roles() };
    return { kind: 'remove-operator', changed };
  }
}

function wordOf(outcome: Outcome): string {
  if (outcome.kind === 'rejected') return outcome.rejection.code;
  if (outcome.kind !== 'approved' || outcome.executed === null) return outcome.kind;
  return `approved ${wordOf(outcome.executed.outcome)}`;
}

test('proposals match a naive model in random histories', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= ofSize(4, 100); seed++) {
    const world = new World(seed);
    try {
      for (let step = 0; step < 1000; step++) world.step();
      world.end();
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
    for (const word of world.seen) seen.add(word);
  }
  const wanted = [
    'proposed',
    'approved',
    'approved deposit',
    'approved accepted',
    'approved deposit-conflict',
    'approved value-invalid',
    'own-proposal',
    'role',
    'approved-already',
    'expired',
    'proposal-closed',
    'not-proposer',
    'operator-unknown',
    'root-closed',
  ];
  assert.deepEqual(
    wanted.filter((word) => !seen.has(word)),
    [],
    'what no run came to',
  );
});
