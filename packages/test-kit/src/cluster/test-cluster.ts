/** A cluster of real processes for tests: on free ports, removed with the test. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DemoCluster, type DemoFile, type DemoOptions } from '../../../../scripts/cluster/demo-cluster.ts';
import { findNatsServer } from '../../../../scripts/cluster/nats-server.ts';
import type { Limits } from '../../../bourse/src/config/limits.ts';
import { limitsEnv } from '../limits.ts';
import { freeBase } from './log-servers.ts';
import { Namespaces } from './networks.ts';

export type TestClusterOptions = Partial<DemoOptions> & {
  readonly isApart?: boolean;
  /** The nodes' limits. */
  readonly limits?: Partial<Limits>;
};

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

/** Limits that no test reaches. */
const SETTINGS = ['--quotas', '{"spot":100000000}', '--log-level', 'error'];
const ROOMY: Partial<Limits> = { servicePoolWeight: 100_000_000 };
const LOOK_MS = 100;
const COUNT = 3;
/** Nodes, and their log servers' client and route ports. */
const PORT_STEPS = [0, 1, 2, 100, 101, 102, 200, 201, 202];
const RESTART_MS = 1500;
const RESTARTED_MS_MAX = 60_000;
const NAMES = [1, 2, 3].flatMap((number) => [`n${number}`, `log-${number}`]);
/** How many records a node may lag behind another. */
const BEHIND_MAX = 200;

export class TestCluster {
  readonly #demo: DemoCluster;
  /** The directories of all processes, by name; those of log servers are in `log`. */
  readonly dir: string;
  /** null if links cannot be cut. */
  readonly network: Namespaces | null;

  private constructor(demo: DemoCluster, dir: string, network: Namespaces | null) {
    this.#demo = demo;
    this.dir = dir;
    this.network = network;
  }

  /** `isApart`: each process has its own network, if possible. */
  static async start({ isApart = false, ...options }: TestClusterOptions = {}): Promise<TestCluster> {
    const network = isApart ? Namespaces.make(NAMES) : null;
    try {
      return await TestCluster.#start(options, network);
    } catch (error) {
      network?.close();
      throw error;
    }
  }

  static async #start(
    { limits, ...options }: TestClusterOptions,
    network: Namespaces | null,
  ): Promise<TestCluster> {
    const dir = mkdtempSync(join(tmpdir(), 'bourse-cluster-'));
    const demo = await DemoCluster.start({
      nodes: COUNT,
      logServers: COUNT,
      port: await freeBase(PORT_STEPS),
      data: dir,
      configOut: join(dir, 'cluster.json'),
      isRestarting: true,
      restartMs: RESTART_MS,
      binary: await findNatsServer(),
      ...options,
      ...(network && { network }),
      settings: [...SETTINGS, ...(network ? ['--operator-remote'] : []), ...(options.settings ?? [])],
      environment: (name) => limitsEnv({ ...ROOMY, ...limits }, options.environment?.(name)),
    });
    const cluster = new TestCluster(demo, dir, network);
    process.once('exit', () => cluster.#killAll());
    // Log servers would outlive a run that is terminated from outside.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
    return cluster;
  }

  get file(): DemoFile {
    return this.#demo.file;
  }

  get urls(): string[] {
    return this.file.nodes.map(({ baseUrl }) => baseUrl);
  }

  /** As that node sees it; null if it does not respond. */
  async status(at: number): Promise<ClusterStatus | null> {
    const { nodes, operatorToken } = this.file;
    const headers = headersOf(operatorToken);
    try {
      const signal = AbortSignal.timeout(2000);
      const response = await fetch(`${nodes[at].operatorUrl}/v1/cluster`, { headers, signal });
      return response.ok ? ((await response.json()) as ClusterStatus) : null;
    } catch {
      return null;
    }
  }

  /** As the first node that responds sees it. */
  async anyStatus(): Promise<ClusterStatus> {
    for (let at = 0; ; at = (at + 1) % this.file.nodes.length) {
      const status = await this.status(at);
      if (status?.leader) return status;
      await wait(LOOK_MS);
    }
  }

  /** Makes that node the leader. */
  async lead(name: string): Promise<void> {
    const { nodes, operatorToken } = this.file;
    const response = await fetch(`${nodes[0].operatorUrl}/v1/cluster/leader`, {
      method: 'POST',
      headers: { ...headersOf(operatorToken), 'content-type': 'application/json' },
      body: JSON.stringify({ name, reason: 'test' }),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Ends the node's process and waits until the supervisor has restarted it. */
  async restart(name: string, signal: NodeJS.Signals): Promise<void> {
    const pid = () => this.file.nodes.find((node) => node.name === name)!.pid;
    const before = pid();
    process.kill(before, signal);
    for (const until = Date.now() + RESTARTED_MS_MAX; pid() === before; await wait(LOOK_MS)) {
      if (Date.now() > until)
        throw new Error(`${name} still runs ${RESTARTED_MS_MAX / 1000} s after ${signal}`);
    }
  }

  /** Waits until all nodes and all log servers are running. */
  whole(msMax: number): Promise<ClusterStatus> {
    return this.#until('the cluster is not whole', msMax, ({ nodes }) => {
      const seqs = nodes.map(({ seq }) => seq);
      return Math.max(...seqs) - Math.min(...seqs) <= BEHIND_MAX;
    });
  }

  /** Waits until every node is at the same record with the same digest; needs an almost idle cluster. */
  agreement(msMax: number): Promise<ClusterStatus> {
    return this.#until('the nodes do not agree', msMax, ({ nodes }) => {
      const [{ seq, digest }] = nodes;
      return digest !== '' && nodes.every((node) => node.seq === seq && node.digest === digest);
    });
  }

  /** Waits until all nodes are present and agree; on a timeout, reports what they see. */
  async #until(
    otherwise: string,
    msMax: number,
    isSo: (status: ClusterStatus) => boolean,
  ): Promise<ClusterStatus> {
    let last: (ClusterStatus | null)[] = [];
    for (const until = Date.now() + msMax; Date.now() < until; await wait(LOOK_MS)) {
      last = await Promise.all(this.file.nodes.map((_, at) => this.status(at)));
      const found = last.filter((status) => status !== null && this.#isWhole(status));
      if (found.length === last.length && isSo(found[0]!)) return found[0]!;
    }
    throw new Error(`${otherwise}: ${JSON.stringify(last)}`);
  }

  #isWhole({ leader, nodes, logServers }: ClusterStatus): boolean {
    return (
      leader !== null &&
      nodes.length === this.file.nodes.length &&
      nodes.every(({ state }) => state === 'leading' || state === 'following') &&
      logServers.length === this.file.logServers.length &&
      logServers.every(({ state }) => state === 'current')
    );
  }

  async close(): Promise<void> {
    await this.#demo.stop();
    this.network?.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  #killAll(): void {
    const { nodes, logServers } = this.file;
    for (const { pid } of [...nodes, ...logServers]) {
      try {
        if (pid > 0) process.kill(pid, 'SIGKILL');
      } catch {
        // Already exited.
      }
    }
    this.network?.close();
  }
}

const headersOf = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'x-operator': 'test',
});

/** The environment of a node whose wall clock is off by `ms`. */
export function skewed(ms = 0): Record<string, string> {
  const code = encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${ms};`);
  return ms === 0 ? {} : { NODE_OPTIONS: `--import=data:text/javascript,${code}` };
}
