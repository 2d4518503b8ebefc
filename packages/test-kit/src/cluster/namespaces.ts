/**
 * A separate network for each process of a cluster: Linux network namespaces joined by a bridge. Links can be cut without
 * closing a connection. Only root can create them.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import type { HostNetwork } from '../../../../scripts/cluster/log-servers.ts';

/** The first address is the bridge's, which belongs to this process. */
const FIRST_HOST = 2;
const SUBNETS = 250;

const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });

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
