/**
 * Failovers under load. Traders place orders at all nodes and retry until they get a response, while nodes and log servers
 * are killed, paused and partitioned one after the other. At the end every acknowledged order must exist exactly once, with
 * the acknowledged id, no other order may exist, and all nodes must have the same state.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { Client } from '../server.ts';
import { ClusterTrader, type Placed } from './table-load.ts';
import type { TestCluster } from './test-cluster.ts';

const FAULTS = [
  'kill-leader',
  'pause-leader',
  'kill-node',
  'kill-log-leader',
  'pause-log-leader',
  'kill-log-server',
  'cut-leader',
  'cut-log-leader',
] as const;
export type Fault = (typeof FAULTS)[number];

/** The faults possible in this cluster. */
export const faultsFor = ({ network }: TestCluster): Fault[] =>
  FAULTS.filter((fault) => network !== null || !fault.startsWith('cut'));

export interface FaultReport {
  readonly failovers: number;
  readonly placed: number;
  readonly triedAgain: number;
  /** A message for each violation. */
  readonly faults: readonly string[];
  /** From each leader fault to the first order acknowledged by another node. */
  readonly takeoverMs: readonly number[];
}

const TRADERS = ['alice', 'bob', 'carol'];
const PAUSE_MS = 4000;
/** About as long as a sign-in takes. */
const BESIDE_MS = 150;
const AGREE_MS_MAX = 120_000;
const PAGE = 100;
/** Client ids of this run's traders: others may have traded before. */
const OWN_ID = /^(alice|bob|carol)-[0-9]+$/;

export interface FaultRun {
  readonly tell?: (line: string) => void;
  /** Other load, which ends before the nodes are compared. */
  readonly beside?: {
    /** Resolves when requests of it are in flight, so that the fault hits them. */
    underWay(): Promise<void>;
    end(): Promise<void>;
  };
}

export async function runFaults(
  cluster: TestCluster,
  random: Random,
  faults: readonly Fault[],
  { tell = () => undefined, beside }: FaultRun = {},
): Promise<FaultReport> {
  const load = new Load(cluster);
  const takeoverMs: number[] = [];
  let placed: Placed[];
  try {
    for (const fault of faults) {
      await cluster.whole(AGREE_MS_MAX);
      await wait(500 + random.below(500));
      await beside?.underWay();
      if (beside) await wait(random.below(BESIDE_MS));
      const { what, isLeader, over } = await strike(cluster, random, fault);
      const ms = await load.nextPlaced();
      if (isLeader) takeoverMs.push(ms);
      tell(`${fault} (${what}): next order acknowledged after ${Math.round(ms)} ms`);
      // A paused server counts as alive for a while: wait, or the next fault could hit it too.
      await over;
    }
  } finally {
    // Otherwise the traders would never stop.
    placed = await load.end();
    await beside?.end();
  }
  await cluster.agreement(AGREE_MS_MAX);
  const wrong = [...load.wrong, ...(await verify(cluster, placed))];
  const triedAgain = placed.filter(({ tries }) => tries > 1).length;
  return { failovers: faults.length, placed: placed.length, triedAgain, faults: wrong, takeoverMs };
}

async function strike(
  cluster: TestCluster,
  random: Random,
  fault: Fault,
): Promise<{ what: string; isLeader: boolean; over: Promise<void> }> {
  const status = await cluster.anyStatus();
  const { nodes, logServers } = cluster.file;
  const isLog = fault.includes('log');
  const leading = isLog ? status.logServers.find(({ isLeader }) => isLeader)?.name : status.leader;
  const candidates: readonly { name: string; pid: number }[] = isLog ? logServers : nodes;
  const isLeader = fault.includes('leader');
  const victim = isLeader
    ? (candidates.find(({ name }) => name === leading) ?? candidates[0])
    : candidates.filter(({ name }) => name !== leading)[random.below(candidates.length - 1)];
  const { network } = cluster;
  let over = Promise.resolve();
  if (fault.startsWith('pause')) {
    process.kill(victim.pid, 'SIGSTOP');
    over = wait(PAUSE_MS).then(() => void process.kill(victim.pid, 'SIGCONT'));
  } else if (fault.startsWith('cut')) {
    if (network === null) throw new Error(`${fault}: this process may not create networks`);
    network.cut(victim.name);
    over = wait(PAUSE_MS).then(() => network.heal(victim.name));
  } else process.kill(victim.pid, 'SIGKILL');
  return { what: victim.name, isLeader: isLeader && !isLog, over };
}

/** Places orders at all nodes, starting with its construction. */
export class Load {
  readonly wrong: string[] = [];
  readonly #placed: Placed[] = [];
  readonly #lanes: Promise<void>[];
  #isEnding = false;
  /** Waiters for an order sent after a time. */
  #awaited: { readonly since: number; readonly resolve: () => void }[] = [];

  constructor(cluster: TestCluster) {
    this.#lanes = TRADERS.map((name, at) => this.#run(new ClusterTrader(() => cluster.urls, name, at), name));
  }

  /** Milliseconds until an order sent from now on is acknowledged. */
  async nextPlaced(): Promise<number> {
    const since = performance.now();
    await new Promise<void>((resolve) => this.#awaited.push({ since, resolve }));
    return performance.now() - since;
  }

  async end(): Promise<Placed[]> {
    this.#isEnding = true;
    await Promise.all(this.#lanes);
    return this.#placed;
  }

  async #run(trader: ClusterTrader, name: string): Promise<void> {
    for (let serial = 1; !this.#isEnding; serial++) {
      const sentAt = performance.now();
      try {
        this.#placed.push(await trader.place(`${name}-${serial}`, String(100 + (serial % 50))));
      } catch (error) {
        this.wrong.push((error as Error).message);
      }
      for (const { since, resolve } of this.#awaited) if (since <= sentAt) resolve();
      this.#awaited = this.#awaited.filter(({ since }) => since > sentAt);
    }
  }
}

/** Compares every order at every node with its response. */
export async function verify(cluster: TestCluster, placed: readonly Placed[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const url of cluster.urls) {
    const found = new Map<string, string[]>();
    for (const name of TRADERS) {
      for (const { clientOid, id } of await doneOrders(new Client(url, name))) {
        if (OWN_ID.test(clientOid)) found.set(clientOid, [...(found.get(clientOid) ?? []), id]);
      }
    }
    for (const { clientOid, orderId } of placed) {
      const ids = found.get(clientOid) ?? [];
      found.delete(clientOid);
      if (ids.length === 0) wrong.push(`${url}: ${clientOid} was acknowledged and is lost`);
      if (ids.length > 1) wrong.push(`${url}: ${clientOid} was executed ${ids.length} times`);
      if (ids.length === 1 && ids[0] !== orderId)
        wrong.push(`${url}: ${clientOid} is ${ids[0]}, acknowledged as ${orderId}`);
    }
    for (const clientOid of found.keys()) wrong.push(`${url}: ${clientOid} was never acknowledged`);
  }
  return wrong;
}

async function doneOrders(client: Client): Promise<{ clientOid: string; id: string }[]> {
  const all: { clientOid: string; id: string }[] = [];
  for (let lastId = 0; ; ) {
    const cursor = lastId > 0 ? `&lastId=${lastId}` : '';
    const { json, text } = await client.get(`/api/v1/hf/orders/done?symbol=BTC-USDT&limit=${PAGE}${cursor}`);
    const { items, lastId: next } = (json.data ?? {}) as { items?: typeof all; lastId?: number };
    if (items === undefined) throw new Error(text);
    all.push(...items);
    if (items.length < PAGE) return all;
    lastId = next!;
  }
}
