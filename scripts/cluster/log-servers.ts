/**
 * The log servers of a cluster, as processes on this machine: one, or a group that elects a leader. Each syncs before it
 * acknowledges.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from './cannot-start.ts';

export interface LogServerPorts {
  readonly client: number;
  /** The port at which the servers of a group reach each other. */
  readonly group: number;
}

/** The hosts of a cluster's processes; default: all on loopback. */
export interface HostNetwork {
  hostOf(name: string): string;
  /** Prefix of a command that runs it on that host. */
  enter(name: string): readonly string[];
}

export const LOOPBACK: HostNetwork = { hostOf: () => '127.0.0.1', enter: () => [] };

export interface LogServersOptions {
  readonly binary: string;
  /** Each server has its own subdirectory. */
  readonly dir: string;
  readonly ports: readonly LogServerPorts[];
  /** User and password required from clients; default: none. */
  readonly login?: { readonly user: string; readonly password: string };
  readonly network?: HostNetwork;
  /** Nodes may query the servers' configuration, as make-credentials.sh allows. */
  readonly showsSettings?: boolean;
  /** Default: a server syncs before it acknowledges. */
  readonly syncInterval?: string;
}

/** The entry of a log server in the demo's file. */
export interface LogServerInfo {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
}

const READY_MS_MAX = 20_000;
const LOOK_MS = 50;

export class LogServers {
  readonly #options: LogServersOptions;
  readonly #processes: (ChildProcess | null)[];

  private constructor(options: LogServersOptions) {
    this.#options = options;
    this.#processes = options.ports.map(() => null);
  }

  /** Throws CannotStart. */
  static async start(options: LogServersOptions): Promise<LogServers> {
    await checkPorts(options);
    const servers = new LogServers(options);
    try {
      await Promise.all(options.ports.map((_, at) => servers.start(at)));
      return servers;
    } catch (error) {
      await servers.stop();
      throw error;
    }
  }

  /** For clients. */
  get urls(): string[] {
    const { ports, network = LOOPBACK } = this.#options;
    return ports.map(({ client }, at) => `nats://${network.hostOf(nameOf(at))}:${client}`);
  }

  get infos(): LogServerInfo[] {
    return this.urls.map((url, at) => ({ name: nameOf(at), url, pid: this.#processes[at]?.pid ?? 0 }));
  }

  process(at: number): ChildProcess | null {
    return this.#processes[at];
  }

  /** Starts the process and waits until it accepts connections. */
  async start(at: number): Promise<ChildProcess> {
    const { binary, dir, ports, network = LOOPBACK } = this.#options;
    const own = join(dir, nameOf(at));
    await mkdir(own, { recursive: true, mode: 0o700 });
    const file = join(own, 'server.conf');
    await writeFile(file, configuration(this.#options, at), { mode: 0o600 });
    const output = openSync(join(own, 'output.log'), 'a', 0o600);
    const [program, ...args] = [...network.enter(nameOf(at)), binary, '--config', file];
    const child = spawn(program, args, { stdio: ['ignore', output, output] });
    this.#processes[at] = child;
    let failure: Error | null = null;
    child.once('error', (error) => (failure = error));
    child.once('exit', (code) => {
      failure ??= new Error(`${nameOf(at)} ended with ${code} at its start: see ${join(own, 'output.log')}`);
      if (this.#processes[at] === child) this.#processes[at] = null;
    });
    for (let waited = 0; waited < READY_MS_MAX; waited += LOOK_MS) {
      if (failure) throw failure;
      if (await isListening(network.hostOf(nameOf(at)), ports[at].client)) return child;
      await wait(LOOK_MS);
    }
    throw new Error(`${nameOf(at)} does not accept connections; see ${join(own, 'output.log')}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((child) => child && end(child)));
  }
}

/** Ends the process, even if a signal has paused it. */
function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

const SHOWN_SETTINGS = `
accounts {
  BOURSE {
    jetstream: enabled
    users: [{ user: bourse, password: bourse }]
    imports: [{ service: { account: SYS, subject: "$SYS.REQ.SERVER.PING.VARZ" } }]
  }
  SYS { exports: [{ service: "$SYS.REQ.SERVER.PING.VARZ", accounts: [BOURSE], response_type: stream }] }
}
system_account: SYS
no_auth_user: bourse`;

const nameOf = (at: number): string => `log-${at + 1}`;

function configuration(options: LogServersOptions, at: number): string {
  const { dir, ports, login, network = LOOPBACK, showsSettings = false, syncInterval = 'always' } = options;
  const hostAt = (each: number): string => network.hostOf(nameOf(each));
  const lines = [
    `server_name: ${nameOf(at)}`,
    `listen: ${hostAt(at)}:${ports[at].client}`,
    // A record may exceed the server's default limit of one megabyte.
    'max_payload: 8MB',
    `jetstream { store_dir: ${JSON.stringify(join(dir, nameOf(at)))}, sync_interval: ${JSON.stringify(syncInterval)} }`,
  ];
  if (showsSettings) lines.push(SHOWN_SETTINGS);
  if (ports.length > 1) {
    const routes = ports.map(({ group }, each) => `nats://${hostAt(each)}:${group}`);
    lines.push(
      `cluster { name: bourse, listen: ${hostAt(at)}:${ports[at].group}, routes: ${JSON.stringify(routes)} }`,
    );
  }
  if (login) {
    const { user, password } = login;
    lines.push(`authorization { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }`);
  }
  return `${lines.join('\n')}\n`;
}

/** Nodes would connect to any program that listens there, such as the servers of another cluster. */
async function checkPorts({ ports, network = LOOPBACK }: LogServersOptions): Promise<void> {
  for (const [at, { client, group }] of ports.entries()) {
    const host = network.hostOf(nameOf(at));
    for (const port of ports.length > 1 ? [client, group] : [client]) {
      if (!(await isListening(host, port))) continue;
      throw new CannotStart(
        `${host}:${port}, which ${nameOf(at)} would have, is in use by another program; choose another --port.`,
      );
    }
  }
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
