/** A cluster of real processes for tests: on free ports, gone with the test. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DemoCluster, type DemoFile, type DemoOptions } from '../../../../scripts/cluster/demo-cluster.ts';
import { findNatsServer } from '../../../../scripts/cluster/nats-server.ts';

export interface ClusterStatus {
  readonly leader: string | null;
  readonly nodes: readonly {
    readonly name: string;
    readonly url: string;
    readonly seq: number;
    readonly digest: string;
    readonly state: string;
    readonly isLeader: boolean;
  }[];
  readonly logServers: readonly {
    readonly name: string;
    readonly state: string;
    readonly isLeader: boolean;
  }[];
}

/** The limits are not what is tested. */
const SETTINGS = [
  '--spot-pool-weight',
  '100000000',
  '--service-pool-weight',
  '100000000',
  '--log-level',
  'error',
];
const LOOK_MS = 100;

export class TestCluster {
  readonly #demo: DemoCluster;
  readonly #dir: string;

  private constructor(demo: DemoCluster, dir: string) {
    this.#demo = demo;
    this.#dir = dir;
  }

  static async start(options: Partial<DemoOptions> = {}): Promise<TestCluster> {
    const dir = mkdtempSync(join(tmpdir(), 'bourse-cluster-'));
    const demo = await DemoCluster.start({
      nodes: 3,
      logServers: 3,
      port: await freeBase(),
      data: dir,
      configOut: join(dir, 'cluster.json'),
      isRestarting: true,
      binary: await findNatsServer(),
      ...options,
      settings: [...SETTINGS, ...(options.settings ?? [])],
    });
    const cluster = new TestCluster(demo, dir);
    process.once('exit', () => cluster.#killAll());
    return cluster;
  }

  get file(): DemoFile {
    return this.#demo.file;
  }

  get urls(): string[] {
    return this.file.nodes.map(({ baseUrl }) => baseUrl);
  }

  /** As that node sees it; null when it does not answer. */
  async status(at: number): Promise<ClusterStatus | null> {
    const { nodes, operatorToken } = this.file;
    const headers = { authorization: `Bearer ${operatorToken}`, 'x-operator': 'test' };
    try {
      const signal = AbortSignal.timeout(2000);
      const response = await fetch(`${nodes[at].operatorUrl}/v1/cluster`, { headers, signal });
      return response.ok ? ((await response.json()) as ClusterStatus) : null;
    } catch {
      return null;
    }
  }

  /** As the first node that answers sees it. */
  async anyStatus(): Promise<ClusterStatus> {
    for (let at = 0; ; at = (at + 1) % this.file.nodes.length) {
      const status = await this.status(at);
      if (status?.leader) return status;
      await wait(LOOK_MS);
    }
  }

  /** Waits until every node is at the same record with the same digest; says what is so otherwise. */
  async agreement(msMax: number): Promise<ClusterStatus> {
    let last: (ClusterStatus | null)[] = [];
    for (const until = Date.now() + msMax; Date.now() < until; await wait(LOOK_MS)) {
      last = await Promise.all(this.file.nodes.map((_, at) => this.status(at)));
      const [first] = last;
      if (first === null || last.some((each) => each === null || each.leader === null)) continue;
      const { nodes, logServers } = first;
      const isWhole =
        nodes.length === this.file.nodes.length &&
        nodes.every(({ state }) => state === 'leading' || state === 'following') &&
        logServers.every(({ state }) => state === 'current');
      const [{ seq, digest }] = nodes;
      if (isWhole && digest !== '' && nodes.every((node) => node.seq === seq && node.digest === digest))
        return first;
    }
    throw new Error(`the nodes do not agree: ${JSON.stringify(last)}`);
  }

  async close(): Promise<void> {
    await this.#demo.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #killAll(): void {
    const { nodes, logServers } = this.file;
    for (const { pid } of [...nodes, ...logServers]) {
      try {
        if (pid > 0) process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
  }
}

/** A port that is free with those that a cluster takes beside it. */
async function freeBase(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 30_000);
    const wanted = [0, 1, 2, 100, 101, 102, 200, 201, 202].map((step) => base + step);
    if ((await Promise.all(wanted.map(isFree))).every(Boolean)) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
