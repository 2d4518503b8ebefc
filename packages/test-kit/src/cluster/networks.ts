/**
 * Networks between the nodes of a test cluster: namespaces of Linux, a link that can be cut, and a bus in
 * memory.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { HostNetwork } from '../../../../scripts/cluster/log-servers.ts';
import type { Bus } from '../../../cluster/src/messages/bus.ts';

/** The first address is the bridge's, which belongs to this process. */
const FIRST_HOST = 2;
const SUBNETS = 250;

const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });

/**
 * A separate network for each process of a cluster: network namespaces joined by a bridge. Links can be cut
 * without closing a connection. Only root can create them.
 */
export class Namespaces implements HostNetwork {
  readonly #names: readonly string[];
  readonly #id: string;
  readonly #subnet: string;

  private constructor(names: readonly string[], id: string, subnet: string) {
    this.#names = names;
    this.#id = id;
    this.#subnet = subnet;
  }

  /** One for each name; null if this process may not create them, or the system has none. */
  static make(names: readonly string[]): Namespaces | null {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
    const id = process.pid.toString(36);
    const subnet = `10.213.${process.pid % SUBNETS}`;
    const made = new Namespaces(names, id, subnet);
    try {
      made.#begin();
      return made;
    } catch {
      made.close();
      return null;
    }
  }

  hostOf(name: string): string {
    return `${this.#subnet}.${FIRST_HOST + this.#names.indexOf(name)}`;
  }

  enter(name: string): readonly string[] {
    return ['ip', 'netns', 'exec', this.#spaceOf(name)];
  }

  /** Drops all traffic without closing a connection. */
  cut(name: string): void {
    ip('link', 'set', this.#cableOf(name), 'down');
  }

  heal(name: string): void {
    ip('link', 'set', this.#cableOf(name), 'up');
  }

  /** Silently drops packets from or to these peers; all others, such as clients', pass. */
  drop(name: string, way: 'in' | 'out', peers: readonly string[]): void {
    const [chain, side] = way === 'in' ? ['INPUT', '-s'] : ['OUTPUT', '-d'];
    for (const peer of peers) this.#filter(name, '-A', chain, side, this.hostOf(peer), '-j', 'DROP');
  }

  dropNothing(name: string): void {
    this.#filter(name, '-F');
  }

  #filter(name: string, ...args: readonly string[]): void {
    ip('netns', 'exec', this.#spaceOf(name), 'iptables', ...args);
  }

  /** The processes in them must have ended. */
  close(): void {
    for (const name of this.#names) spawnSync('ip', ['netns', 'delete', this.#spaceOf(name)]);
    spawnSync('ip', ['link', 'delete', this.#bridge]);
  }

  #begin(): void {
    ip('link', 'add', this.#bridge, 'type', 'bridge');
    ip('address', 'add', `${this.#subnet}.1/24`, 'dev', this.#bridge);
    ip('link', 'set', this.#bridge, 'up');
    for (const name of this.#names) {
      const [space, cable] = [this.#spaceOf(name), this.#cableOf(name)];
      const within = ['-n', space] as const;
      ip('netns', 'add', space);
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
      ip('link', 'set', cable, 'master', this.#bridge);
      ip('link', 'set', cable, 'up');
      ip(...within, 'address', 'add', `${this.hostOf(name)}/24`, 'dev', 'eth0');
      ip(...within, 'link', 'set', 'eth0', 'up');
      ip(...within, 'link', 'set', 'lo', 'up');
    }
  }

  /** Names of interfaces have 15 characters at most. */
  get #bridge(): string {
    return `bb${this.#id}`;
  }

  #cableOf(name: string): string {
    return `b${this.#id}${name.replace('log-', 'l')}`;
  }

  #spaceOf(name: string): string {
    return `bourse-${this.#id}-${name}`;
  }
}

/**
 * A link that can be cut, like an unplugged cable: nothing passes, no connection is closed, and data sent meanwhile arrives
 * when the link is back.
 */
export class CutLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  /** Delivered in order when the link is back. */
  #held: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  /** It listens on loopback; the server may be elsewhere. */
  static async open(targetPort: number, host = '127.0.0.1'): Promise<CutLink> {
    const server = createServer();
    const link = new CutLink(server);
    server.on('connection', (near) => link.#pass(() => link.#join(near, connect(targetPort, host))));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
  }

  heal(): void {
    this.#isCut = false;
    for (const each of this.#held.splice(0)) each();
  }

  /** Permanently stops reading from the open connections: the senders' buffers fill up. New connections work. */
  stall(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(action: () => void): void {
    if (this.#isCut) this.#held.push(action);
    else action();
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => this.#pass(() => void to.write(bytes)));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        this.#pass(() => void to.end());
      });
    }
  }
}

/** An in-memory bus: delivers messages to all nodes of a test, including the sender, in the next microtask. */
export class RoomBus implements Bus {
  readonly isConnected = true;
  readonly #listeners = new Map<string, Set<(bytes: Uint8Array) => void>>();

  publish(topic: string, bytes: Uint8Array): void {
    for (const listener of this.#listeners.get(topic) ?? []) queueMicrotask(() => listener(bytes));
  }

  subscribe(topic: string, listener: (bytes: Uint8Array) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }
}
