/**
 * A complete cluster on one machine: log servers and nodes, each in its own process. A process that dies is restarted
 * after three seconds, and the file with all addresses always has the current process ids.
 */

import { randomBytes } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type DirectoryLock, lockDirectory } from '../../packages/engine/src/io/directory-lock.ts';
import { CannotStart } from './cannot-start.ts';
import {
  type HostNetwork,
  type LogServerInfo,
  type LogServerPorts,
  LogServers,
  LOOPBACK,
} from './log-servers.ts';

export interface DemoOptions {
  readonly nodes: number;
  readonly logServers: number;
  /** The port of the first node; the others follow. */
  readonly port: number;
  readonly data: string;
  readonly configOut?: string;
  readonly isRestarting: boolean;
  /** The delay before a restart; default: three seconds. */
  readonly restartMs?: number;
  /** Path of the `nats-server` binary. */
  readonly binary: string;
  /** Additional settings of every node, as on the command line. */
  readonly settings?: readonly string[];
  /** The environment of a node's process, evaluated at every start. */
  readonly environment?: (name: string) => Readonly<Record<string, string>>;
  readonly network?: HostNetwork;
  readonly tell?: (sentence: string) => void;
}

export interface DemoNode {
  readonly name: string;
  readonly baseUrl: string;
  readonly compatUrl: string;
  readonly operatorUrl: string;
  readonly pid: number;
}

export interface DemoFile {
  readonly nodes: readonly DemoNode[];
  readonly logServers: readonly LogServerInfo[];
  readonly operatorToken: string;
  readonly users: readonly Record<string, unknown>[];
}

type Connection = Omit<DemoNode, 'name' | 'pid'> & Pick<DemoFile, 'operatorToken' | 'users'>;

const root = dirname(dirname(import.meta.dirname));
const RESTART_MS = 3000;
const READY_MS_MAX = 120_000;
const LOOK_MS = 100;
/** The ports of the log servers, relative to the first node's port. */
const CLIENT_PORT_STEP = 100;
const GROUP_PORT_STEP = 200;

interface RunningNode {
  readonly name: string;
  process: ChildProcess;
  connection: Connection;
}

export class DemoCluster {
  readonly #options: DemoOptions;
  readonly #servers: LogServers;
  readonly #lock: DirectoryLock;
  readonly #nodes: RunningNode[] = [];
  #isStopping = false;
  #writing: Promise<void> = Promise.resolve();

  private constructor(options: DemoOptions, servers: LogServers, lock: DirectoryLock) {
    this.#options = options;
    this.#servers = servers;
    this.#lock = lock;
  }

  /** Resolves when every node responds. Throws DirectoryInUse, CannotStart. */
  static async start(options: DemoOptions): Promise<DemoCluster> {
    // Log servers do not notice other writers in their directory, so lock it.
    const lock = lockDirectory(options.data);
    try {
      return await DemoCluster.#start(options, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static async #start(options: DemoOptions, lock: DirectoryLock): Promise<DemoCluster> {
    const { data, binary, logServers, configOut, network = LOOPBACK } = options;
    if (configOut !== undefined) await rm(configOut, { force: true });
    const servers = await LogServers.start({
      binary,
      dir: resolve(data, 'log'),
      ports: portsOf(options, logServers),
      network,
    });
    const cluster = new DemoCluster(options, servers, lock);
    try {
      await cluster.#begin();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get file(): DemoFile {
    const [{ connection }] = this.#nodes;
    return {
      nodes: this.#nodes.map(
        ({ name, connection: { baseUrl, compatUrl, operatorUrl }, process: { pid = 0 } }) => ({
          name,
          baseUrl,
          compatUrl,
          operatorUrl,
          pid,
        }),
      ),
      logServers: this.#servers.infos,
      operatorToken: connection.operatorToken,
      users: connection.users,
    };
  }

  /** Stops the nodes first, so that they can complete requests in flight. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(
      this.#nodes.map(async ({ process: child }) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = new Promise((done) => child.once('exit', done));
        child.kill('SIGCONT');
        child.kill('SIGTERM');
        await Promise.race([ended, wait(15_000).then(() => child.kill('SIGKILL'))]);
      }),
    );
    await this.#servers.stop();
    await this.#writing;
    this.#lock.release();
  }

  async #begin(): Promise<void> {
    const { nodes, logServers } = this.#options;
    const names = Array.from({ length: nodes }, (_, at) => `n${at + 1}`);
    const started = await Promise.all(
      names.map(async (name, at) => ({ name, ...(await this.#startNode(name, at)) })),
    );
    this.#nodes.push(...started);
    for (const at of names.keys()) this.#watchNode(at);
    for (let at = 0; at < logServers; at++) this.#watchServer(at);
    await this.#write();
  }

  async #startNode(name: string, at: number): Promise<Omit<RunningNode, 'name'>> {
    const before = (await this.#outputOf(name)).length;
    const child = await this.#spawnNode(name, at);
    const path = this.#connectionPath(name);
    for (let waited = 0; waited < READY_MS_MAX; waited += LOOK_MS) {
      if (child.exitCode !== null) break;
      const text = await readFile(path, 'utf8').catch(() => '');
      if (text !== '') return { process: child, connection: JSON.parse(text) as Connection };
      await wait(LOOK_MS);
    }
    child.kill('SIGKILL');
    const said = (await this.#outputOf(name)).slice(before).trim();
    const why = said === '' ? `it is not ready after ${READY_MS_MAX / 1000} s, and says nothing` : said;
    throw new CannotStart(`${name} does not start: ${why}`);
  }

  async #spawnNode(name: string, at: number): Promise<ChildProcess> {
    const { data, port, settings = [], environment, network = LOOPBACK } = this.#options;
    const configOut = this.#connectionPath(name);
    await rm(configOut, { force: true });
    const [program, ...args] = [
      ...network.enter(name),
      process.execPath,
      join(root, 'packages', 'bourse', 'bin', 'bourse.mjs'),
      'start',
      '--cluster',
      this.#servers.urls.join(','),
      '--node',
      name,
      '--host',
      network.hostOf(name),
      '--port',
      String(port + at),
      '--data',
      resolve(data, name),
      '--config-out',
      configOut,
      ...settings,
    ];
    const output = openSync(this.#outputPath(name), 'a', 0o600);
    const env = { ...process.env, ...environment?.(name) };
    return spawn(program, args, { stdio: ['ignore', output, output], env });
  }

  #connectionPath(name: string): string {
    return resolve(this.#options.data, `${name}.json`);
  }

  /** The output of this start and of earlier ones. */
  #outputOf(name: string): Promise<string> {
    return readFile(this.#outputPath(name), 'utf8').catch(() => '');
  }

  #outputPath(name: string): string {
    return resolve(this.#options.data, `${name}.log`);
  }

  #watchNode(at: number): void {
    const node = this.#nodes[at];
    node.process.once('exit', (code, signal) => {
      void this.#afterDeath(`${node.name} has ended (${signal ?? code})`, async () => {
        node.process = await this.#spawnNode(node.name, at);
        this.#watchNode(at);
      });
    });
  }

  #watchServer(at: number): void {
    this.#servers.process(at)?.once('exit', (code, signal) => {
      void this.#afterDeath(`log-${at + 1} has ended (${signal ?? code})`, async () => {
        await this.#servers.start(at);
        this.#watchServer(at);
      });
    });
  }

  async #afterDeath(what: string, again: () => Promise<void>): Promise<void> {
    const { isRestarting, restartMs = RESTART_MS, tell } = this.#options;
    if (this.#isStopping) return;
    tell?.(`${what}${isRestarting ? `; it is started again in ${restartMs / 1000} s` : ''}`);
    if (!isRestarting) return;
    await wait(restartMs);
    if (this.#isStopping) return;
    await again().catch((error: Error) => tell?.(error.message));
    await this.#write();
  }

  /** Written atomically, and never by two calls concurrently. */
  #write(): Promise<void> {
    const { configOut } = this.#options;
    if (configOut === undefined) return Promise.resolve();
    this.#writing = this.#writing.then(async () => {
      // Exclusive and with a random name: other users may write to the directory.
      const unfinished = `${configOut}.${randomBytes(12).toString('hex')}.tmp`;
      await mkdir(dirname(resolve(configOut)), { recursive: true });
      await writeFile(unfinished, `${JSON.stringify(this.file, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
      await rename(unfinished, configOut);
    });
    return this.#writing;
  }
}

function portsOf({ port }: DemoOptions, count: number): LogServerPorts[] {
  return Array.from({ length: count }, (_, at) => ({
    client: port + CLIENT_PORT_STEP + at,
    group: port + GROUP_PORT_STEP + at,
  }));
}
