/**
 * The fault table of a cluster: one fault after the other under load. Per fault it measures the outage window, the longest
 * pause after the fault ended, and the time until every node is ready. These must be zero: acknowledged orders that are
 * lost or duplicated, orders executed although their client was told that they were not, and missed feed sequences.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '../server.ts';
import { FeedWatch } from './feed-watch.ts';
import { TableLoad, TRADERS, type LoadResults } from './table-load.ts';
import type { TestCluster } from './test-cluster.ts';

export interface FaultRow {
  readonly fault: string;
  readonly windowMs: number;
  /** The longest pause after the fault ended. */
  readonly secondMs: number;
  /** From the end of the fault until every node is ready. */
  readonly readyMs: number;
  readonly answered: number;
  readonly refused: number;
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
  readonly gaps: number;
  readonly feedMessages: number;
  /** A message for each other violation. */
  readonly wrong: readonly string[];
}

export interface FaultOf {
  readonly name: string;
  /** Needs network namespaces, which only root can create. */
  readonly isApart?: boolean;
  /** Resolves when the fault is over; the cluster restarts processes that died. */
  strike(scene: Scene): Promise<void>;
}

export interface Scene {
  readonly cluster: TestCluster;
  /** The leader, and another node. */
  readonly leader: string;
  readonly other: string;
  /** The stream leader, and the other log servers. */
  readonly logLeader: string;
  readonly logOthers: readonly string[];
  /** Wall clock offset per node in milliseconds, from its next start on. */
  readonly skews: Map<string, number>;
}

const WHOLE_MS_MAX = 120_000;
const BEFORE_MS = 1000;
const AFTER_MS = 1500;
const READY_LOOK_MS = 20;
const PAGE = 100;

const pidOf = ({ cluster }: Scene, name: string): number =>
  [...cluster.file.nodes, ...cluster.file.logServers].find((each) => each.name === name)!.pid;
const kill = (scene: Scene, names: readonly string[]): void => {
  for (const name of names) process.kill(pidOf(scene, name), 'SIGKILL');
};

async function stop(scene: Scene, names: readonly string[], ms: number): Promise<void> {
  const pids = names.map((name) => pidOf(scene, name));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await wait(ms);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
}

async function drop(scene: Scene, name: string, ways: readonly ('in' | 'out')[], ms: number): Promise<void> {
  const { network } = scene.cluster;
  const peers = [scene.logLeader, ...scene.logOthers].filter((each) => each !== name);
  for (const way of ways) network!.drop(name, way, peers);
  await wait(ms);
  network!.dropNothing(name);
}

const stops = (
  what: string,
  names: (scene: Scene) => readonly string[],
  seconds: readonly number[],
): FaultOf[] =>
  seconds.map((each) => ({
    name: `${what} stopped for ${each} s`,
    strike: (scene) => stop(scene, names(scene), 1000 * each),
  }));

const partition = (what: string, name: (scene: Scene) => string): FaultOf[] =>
  (
    [
      ['hears nothing of the log', ['in'], 10],
      ['is not heard by the log', ['out'], 10],
      ['and the log are cut off', ['in', 'out'], 10],
      ['and the log are cut off', ['in', 'out'], 60],
    ] as const
  ).map(([how, ways, seconds]) => ({
    name: `${what} ${how}, ${seconds} s`,
    isApart: true,
    strike: (scene) => drop(scene, name(scene), ways, 1000 * seconds),
  }));

const wrongClock = (ms: number): FaultOf => ({
  name: `leader's clock ${Math.abs(ms) / 1000} s ${ms > 0 ? 'ahead' : 'behind'}`,
  async strike(scene) {
    const { skews, leader } = scene;
    skews.set(leader, ms);
    kill(scene, [leader]);
    await wait(12_000);
    skews.delete(leader);
    kill(scene, [leader]);
  },
});

export const FAULT_TABLE: readonly FaultOf[] = [
  { name: 'leader killed', strike: async (scene) => kill(scene, [scene.leader]) },
  { name: 'follower killed', strike: async (scene) => kill(scene, [scene.other]) },
  { name: "stream's leader killed", strike: async (scene) => kill(scene, [scene.logLeader]) },
  { name: 'log server killed', strike: async (scene) => kill(scene, [scene.logOthers[0]]) },
  ...stops('leader', ({ leader }) => [leader], [3, 10, 60]),
  ...stops('follower', ({ other }) => [other], [10]),
  ...stops("stream's leader", ({ logLeader }) => [logLeader], [3, 10, 60]),
  ...stops('log server', ({ logOthers }) => [logOthers[0]], [10]),
  ...partition('leader', ({ leader }) => leader),
  ...partition('follower', ({ other }) => other),
  ...partition("stream's leader", ({ logLeader }) => logLeader),
  wrongClock(120_000),
  wrongClock(-120_000),
  {
    name: 'log server killed, its store wiped',
    async strike(scene) {
      kill(scene, [scene.logOthers[0]]);
      rmSync(join(scene.cluster.dir, 'log', scene.logOthers[0], 'jetstream'), {
        recursive: true,
        force: true,
      });
    },
  },
  {
    name: 'follower killed, its directory wiped',
    async strike(scene) {
      kill(scene, [scene.other]);
      rmSync(join(scene.cluster.dir, scene.other), { recursive: true, force: true });
    },
  },
  ...stops('two of three log servers', ({ logLeader, logOthers }) => [logLeader, logOthers[0]], [15]),
  {
    name: 'two of three log servers killed',
    strike: async (scene) => kill(scene, [scene.logLeader, scene.logOthers[0]]),
  },
  {
    name: 'everything killed',
    async strike(scene) {
      const { nodes, logServers } = scene.cluster.file;
      kill(
        scene,
        [...nodes, ...logServers].map(({ name }) => name),
      );
    },
  },
];

export async function runFault(
  cluster: TestCluster,
  { name, strike }: FaultOf,
  row: string,
  skews: Map<string, number>,
): Promise<FaultRow> {
  const { leader, nodes, logServers } = await cluster.whole(WHOLE_MS_MAX);
  const logLeader = logServers.find(({ isLeader }) => isLeader)!.name;
  const scene: Scene = {
    cluster,
    leader: leader!,
    other: nodes.find((node) => node.name !== leader)!.name,
    logLeader,
    logOthers: logServers.map((server) => server.name).filter((each) => each !== logLeader),
    skews,
  };
  const load = new TableLoad(cluster, row);
  const watches = nodes.map((_, at) => new FeedWatch(() => cluster.urls[at]));
  await wait(BEFORE_MS);
  const since = performance.now();
  await strike(scene);
  const healedAt = performance.now();
  const [readyMs] = await Promise.all([
    untilReady(cluster).then((at) => at - healedAt),
    load
      .nextAnswer()
      .then(() => cluster.whole(WHOLE_MS_MAX))
      .then(() => wait(AFTER_MS)),
  ]);
  const [windowMs, secondMs] = [load.windowMs(since), load.windowMs(healedAt)];
  await load.end();
  await cluster.agreement(WHOLE_MS_MAX);
  for (const watch of watches) await watch.end();
  return {
    fault: name,
    windowMs,
    secondMs,
    readyMs,
    answered: load.placed.size,
    refused: load.refused.size,
    ...(await compare(cluster, load, row)),
    gaps: watches.reduce((sum, { gaps }) => sum + gaps, 0),
    feedMessages: watches.reduce((sum, { messages }) => sum + messages, 0),
    wrong: load.wrong,
  };
}

/** When the last node became ready. */
async function untilReady({ urls }: TestCluster): Promise<number> {
  const isReady = async (url: string): Promise<boolean> => {
    const signal = AbortSignal.timeout(WHOLE_MS_MAX / 100);
    return (await fetch(`${url}/readyz`, { signal }).catch(() => null))?.ok === true;
  };
  const readyAt = await Promise.all(
    urls.map(async (url) => {
      for (
        const until = performance.now() + WHOLE_MS_MAX;
        performance.now() < until;
        await wait(READY_LOOK_MS)
      )
        if (await isReady(url)) return performance.now();
      const last = await fetch(`${url}/readyz`).then(
        (response) => response.text(),
        (error: unknown) => String(error),
      );
      throw new Error(`${url} is not ready after ${WHOLE_MS_MAX / 1000} s: ${last}`);
    }),
  );
  return Math.max(...readyAt);
}

/** Compares the row's orders at every node with the responses of their clients. */
async function compare(
  cluster: TestCluster,
  { placed, refused }: LoadResults,
  row: string,
): Promise<Pick<FaultRow, 'lost' | 'doubled' | 'late'>> {
  const [lost, doubled, late] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const url of cluster.urls) {
    const found = new Map<string, string[]>();
    for (const name of TRADERS) {
      for (const { clientOid, id } of await doneOrders(new Client(url, name), row))
        found.set(clientOid, [...(found.get(clientOid) ?? []), id]);
    }
    for (const [clientOid, orderId] of placed)
      if (!found.get(clientOid)?.includes(orderId)) lost.add(clientOid);
    for (const [clientOid, ids] of found) if (ids.length > 1) doubled.add(clientOid);
    for (const clientOid of refused) if (found.has(clientOid)) late.add(clientOid);
  }
  return { lost: lost.size, doubled: doubled.size, late: late.size };
}

/** Newest first: stops at orders of earlier rows. */
async function doneOrders(client: Client, row: string): Promise<{ clientOid: string; id: string }[]> {
  const all: { clientOid: string; id: string }[] = [];
  for (let lastId = 0; ; ) {
    const cursor = lastId > 0 ? `&lastId=${lastId}` : '';
    const { json, text } = await client.get(`/api/v1/hf/orders/done?symbol=BTC-USDT&limit=${PAGE}${cursor}`);
    const { items, lastId: next } = (json.data ?? {}) as { items?: typeof all; lastId?: number };
    if (items === undefined) throw new Error(text);
    const own = items.filter(({ clientOid }) => clientOid.startsWith(`${row}-`));
    all.push(...own);
    if (items.length < PAGE || own.length === 0) return all;
    lastId = next!;
  }
}

const COLUMNS = [
  'window',
  'second',
  'ready',
  'answered',
  'refused',
  'lost',
  'doubled',
  'late',
  'feed gaps',
  'messages',
];
const FAULT_WIDTH = 44;
const WIDTH = 11;

export const tableHead = (): string =>
  ['fault'.padEnd(FAULT_WIDTH), ...COLUMNS.map((each) => each.padStart(WIDTH))].join('');

export function tableLine(row: FaultRow): string {
  const { fault, windowMs, secondMs, readyMs, answered, refused, lost, doubled, late, gaps, feedMessages } =
    row;
  const times = [windowMs, secondMs, readyMs].map((ms) => `${Math.round(ms)} ms`);
  const cells = [...times, answered, refused, lost, doubled, late, gaps, feedMessages];
  return [fault.padEnd(FAULT_WIDTH), ...cells.map((each) => String(each).padStart(WIDTH))].join('');
}

export const isClean = ({ lost, doubled, late, gaps, wrong }: FaultRow): boolean =>
  lost + doubled + late + gaps + wrong.length === 0;
