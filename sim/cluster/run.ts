/**
 * npm run sim -- cluster [--seeds N] [--from SEED]: simulated clusters in which nodes, network and servers fail.
 *
 * Some worlds upgrade their nodes, so they run in a process whose rules have one version more than the product's.
 *
 * One seed, one world: three nodes, clients, and everything that may go wrong between them. First safety: every
 * acknowledged command is in the log exactly once, with the acknowledged outcome. Then, without faults, liveness:
 * there is a leader, commands are acknowledged, and every node reaches the same state.
 */

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { RULES_VERSION } from '@bourse/core';
import { changeOf, environmentOf } from '@bourse/test-kit/changed-sources.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { type Call, checkCalls, lastSeqOf, Replay, sentLateOf } from './history.ts';
import { Network } from './network.ts';
import { JUMP_MS_MAX, NEWEST_RULES, SimNode } from './sim-node.ts';
import { Timeline } from './timeline.ts';

const NODES = ['n1', 'n2', 'n3'];
const CLIENTS = 4;
/** No faults at first, because nobody sets up a cluster during an outage. */
const CALM_MS = 3000;
const TROUBLE_MS = 23_000;
const QUIET_MS = 12_000;
const LAST_MS = 5000;
/** Maximum response time in the last phase. */
const ANSWER_MS_MAX = 3000;
const LOOKS = 2000;

export interface WorldReport {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly commands: number;
  readonly answered: number;
  readonly terms: number;
  /** Number of complete states that nodes compared. */
  readonly snapshots: number;
}

class World {
  readonly faults: string[] = [];
  readonly calls: Call[] = [];
  readonly nodes: SimNode[];
  readonly network: Network;
  readonly #timeline = new Timeline();
  readonly #random: Random;
  readonly #skews: readonly number[];
  /** By node; increases when a node is restarted with a newer version. */
  readonly #rules: number[];
  #runs = 0;
  #isTrouble = true;
  #isOver = false;
  #tampered: SimNode | null = null;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.network = new Network(this.#timeline, this.#random);
    const isSkewed = this.#random.below(3) === 0;
    this.#skews = NODES.map(() =>
      isSkewed ? this.#random.range(-3_600_000, 3_600_000) : this.#random.below(50),
    );
    const isUpgrade = this.#random.below(2) === 0;
    this.#rules = NODES.map(() => (isUpgrade ? Math.max(1, NEWEST_RULES - 1) : NEWEST_RULES));
    this.nodes = NODES.map((_, at) => this.#start(at));
  }

  async run(): Promise<void> {
    for (let client = 0; client < CLIENTS; client++) this.#send(client, 1);
    this.#timeline.after(CALM_MS, () => this.#trouble());
    await this.#timeline.runUntil(TROUBLE_MS);
    this.#heal();
    await this.#timeline.runUntil(TROUBLE_MS + QUIET_MS);
    const from = this.calls.length;
    await this.#timeline.runUntil(TROUBLE_MS + QUIET_MS + LAST_MS);
    this.#isOver = true;
    await this.#timeline.runUntil(TROUBLE_MS + QUIET_MS + 2 * LAST_MS);
    // The last record may still be in flight to some nodes.
    for (let i = 0; i < LOOKS && !this.#isTogether(); i++)
      await this.#timeline.runUntil(this.#timeline.now + 1);
    this.#checkLiveness(this.calls.slice(from));
    this.#checkStates();
  }

  #start(at: number): SimNode {
    const [name, skewMs, rules] = [NODES[at], this.#skews[at], this.#rules[at]];
    return new SimNode(this.network, this.#timeline, { name, run: `run-${++this.#runs}`, skewMs, rules });
  }

  #send(client: number, serial: number): void {
    if (this.#isOver) return;
    const again = (): void =>
      void this.#timeline.after(this.#random.range(20, 500), () => this.#send(client, serial + 1));
    const ready = this.nodes.filter(({ isReady }) => isReady);
    if (ready.length === 0) return again();
    const node = this.#random.pick(ready);
    const name = `u-${client}-${serial}`;
    const call: Call = {
      name,
      sentAt: this.#timeline.now,
      endedAt: Infinity,
      seq: 0,
      outcome: null,
      refused: null,
    };
    this.calls.push(call);
    const { sequencer } = node;
    submit(sequencer!, { kind: 'add-user', name }).then(
      ({ outcome, seq }) => {
        // The responses of a node whose memory was corrupted on purpose are not checked.
        if (node === this.#tampered && !node.isTampered) return;
        Object.assign(call, { outcome, seq, endedAt: this.#timeline.now });
        if (outcome.kind !== 'added') this.faults.push(`${name} was refused: ${outcome.kind}`);
        else if (node.exchange.reference.users[outcome.id]?.name !== name && node !== this.#tampered) {
          this.faults.push(`${name} was answered by ${node.name}, which does not have it`);
        }
      },
      (error: Error) => Object.assign(call, { refused: error, endedAt: this.#timeline.now }),
    );
    // Occasionally two concurrent commands from one client.
    if (this.#random.below(4) === 0) this.#send(client, serial + 1);
    else again();
  }

  /** Injects faults, some of them concurrently. */
  #trouble(): void {
    if (!this.#isTrouble) return;
    const { network } = this;
    const random = this.#random;
    const at = random.below(NODES.length);
    const node = this.nodes[at];
    const ms = random.range(300, 6000);
    const later = (action: () => void): void => void this.#timeline.after(ms, action);
    const kinds = [
      () => this.#restart(at, ms),
      () => {
        node.process.pause();
        later(() => node.process.resume());
      },
      () => {
        network.cut.add(node.name);
        later(() => network.cut.delete(node.name));
      },
      () => (network.stalledUntil = this.#timeline.now + ms),
      () => {
        [network.lost, network.doubled, network.behind, network.delayMs] = [
          0.1,
          0.1,
          0.3,
          random.range(10, 400),
        ];
        later(() => ([network.lost, network.doubled, network.behind, network.delayMs] = [0, 0, 0, 4]));
      },
      () => {
        network.isFull = true;
        later(() => (network.isFull = false));
      },
      () => node.sequencer?.lead(),
      () => this.#tamper(node),
      () => this.#forge(),
    ];
    random.pick(kinds)();
    this.#timeline.after(random.range(200, 3000), () => this.#trouble());
  }

  #restart(at: number, ms: number): void {
    const { cut, lost } = this.network;
    const isCalm = cut.size === 0 && lost === 0 && this.nodes.every(({ isReady }) => isReady);
    this.nodes[at].kill();
    // Upgrades node by node while all are up: the next start uses the newer version.
    if (isCalm) this.#rules[at] = NEWEST_RULES;
    this.#timeline.after(ms, () => {
      // It may have been killed twice: a real node does not start while another one has its name.
      this.nodes[at].kill();
      this.nodes[at] = this.#start(at);
    });
  }

  /** At most one node per world. */
  #tamper(node: SimNode): void {
    if (this.#tampered !== null || !node.isReady || this.#random.below(3) > 0) return;
    this.#tampered = node;
    node.isTampered = true;
  }

  /** An attacker without the key but with write access: appends and sends recorded messages or garbage. */
  #forge(): void {
    const { network } = this;
    const random = this.#random;
    const { messages } = network;
    for (let left = random.range(1, 5); left > 0; left--) {
      const kind = random.pick(['record', 'aside'] as const);
      const bytes = random.below(3) === 0 ? Buffer.alloc(random.below(100), 7) : random.pick(messages).bytes;
      network.append(kind, bytes, messages.length);
      const { topic, bytes: said } = random.pick(network.recorded);
      network.publish('forger', topic, random.below(3) === 0 ? bytes : said);
    }
    if (random.below(2) === 0) this.#timeline.after(random.below(20), () => this.#forge());
  }

  #heal(): void {
    this.#isTrouble = false;
    const { network, nodes } = this;
    for (const node of nodes) node.process.resume();
    network.cut.clear();
    Object.assign(network, { stalledUntil: 0, isFull: false, lost: 0, doubled: 0, behind: 0, delayMs: 4 });
  }

  #isTogether(): boolean {
    const last = lastSeqOf(this.network.messages);
    return this.nodes.every(({ stopped, exchange }) => stopped !== null || exchange.seq === last);
  }

  #checkLiveness(calls: readonly Call[]): void {
    if (this.#isNobodyOnTime()) return;
    const late = calls.filter(
      ({ outcome, endedAt, sentAt }) => outcome === null || endedAt - sentAt > ANSWER_MS_MAX,
    );
    if (calls.length === 0) this.faults.push('nobody could send anything in the end');
    if (late.length > 0)
      this.faults.push(`${late.length} of the last ${calls.length} commands were not answered in time`);
  }

  /**
   * Every remaining node's clock is far from most clocks, and each reports the state `clock`. They wait for an
   * operator: records would carry a wrong time, and signed requests would be rejected anyway.
   */
  #isNobodyOnTime(): boolean {
    const usual = this.#skews.toSorted((a, b) => a - b)[(this.#skews.length - 1) >> 1];
    return this.nodes.every(
      ({ stopped, sequencer }, at) =>
        stopped !== null || (Math.abs(this.#skews[at] - usual) > JUMP_MS_MAX && sequencer?.state === 'clock'),
    );
  }

  #checkStates(): void {
    const replay = new Replay(this.network);
    this.faults.push(...checkCalls(this.calls, replay), ...sentLateOf(this.calls, replay));
    for (const node of this.nodes) {
      this.faults.push(...node.faults);
      const { stopped, name, exchange, sequencer } = node;
      if (node === this.#tampered && !node.isTampered) {
        if (stopped?.name !== 'Diverged') this.faults.push(`${name} came to another state and goes on`);
        continue;
      }
      // A node that started meanwhile may have adopted the diverging node's digest, and may stop together with it.
      if (stopped?.name === 'Diverged' && this.#tampered !== null) continue;
      if (stopped) this.faults.push(`${name} has stopped: ${stopped.message}`);
      else if (exchange.seq !== replay.exchange.seq)
        this.faults.push(`${name} is at ${exchange.seq}, the log at ${replay.exchange.seq}`);
      else if (exchange.hash() !== replay.exchange.hash())
        this.faults.push(`${name} has another state than the log leads to`);
      else if (sequencer?.waiting) this.faults.push(`${sequencer.waiting} commands wait at ${name} for ever`);
    }
    const isUpgraded = this.#rules.every((rules) => rules === NEWEST_RULES);
    if (isUpgraded && replay.rules.at(-1) !== NEWEST_RULES)
      this.faults.push('all know the new rules, and nobody follows them');
  }
}

async function runWorld(seed: number): Promise<WorldReport> {
  const world = new World(seed);
  await world.run();
  const terms = new Set(world.nodes.map(({ sequencer }) => sequencer?.leader.term)).size;
  const answered = world.calls.filter(({ outcome }) => outcome !== null).length;
  const snapshots = world.nodes.reduce((sum, node) => sum + node.snapshots, 0);
  return { seed, faults: world.faults, commands: world.calls.length, answered, terms, snapshots };
}

if (import.meta.main) {
  const FAULTS_SHOWN = 5;
  /** Seeds that once found a fault. */
  const KEPT = [
    // A node without the new rules is partitioned; both others restart meanwhile, so they do not know about it.
    5017,
    // The leader may not follow its clock, and the node with the best one has stopped.
    5074,
    // A node that stopped because its state diverged keeps reporting that state.
    94,
    // A node is killed again while it is down.
    5100,
    // Servers stall during the append of a record with old commands.
    5024,
    // The clocks of the two remaining nodes differ, and neither may consider itself wrong because of the other.
    226,
  ];
  const IN_CHILD = 'SIM_NEXT_RULES';

  const nextRules = (): Record<string, string> => {
    const file = 'packages/core/src/rules-version.ts';
    const text = (version: number): string => `export const RULES_VERSION = ${version};`;
    return environmentOf([changeOf({ file, find: text(RULES_VERSION), replace: text(RULES_VERSION + 1) })]);
  };

  async function runWorlds(seeds: readonly number[]): Promise<void> {
    let [commands, answered, snapshots] = [0, 0, 0];
    for (const seed of seeds) {
      const report = await runWorld(seed);
      commands += report.commands;
      answered += report.answered;
      snapshots += report.snapshots;
      if (report.faults.length === 0) continue;
      console.log(`seed ${seed}: ${report.faults.length} faults`);
      for (const fault of report.faults.slice(0, FAULTS_SHOWN)) console.log(`  ${fault}`);
      process.exit(1);
    }
    console.log(
      `${seeds.length} worlds, ${commands} commands, ${answered} answered, ${snapshots} whole states compared, no fault`,
    );
    // Such a run would prove nothing.
    if (answered <= commands / 2 || snapshots < seeds.length) throw new Error('too little was done');
  }

  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } },
  });
  if (process.env[IN_CHILD] === undefined) {
    const env = { ...process.env, ...nextRules(), [IN_CHILD]: 'yes' };
    const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit', env });
    process.exitCode = status ?? 1;
  } else {
    await runWorlds([
      ...KEPT,
      ...Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.from) + at),
    ]);
  }
}
