/** Additional exchanges that start from the current or an earlier state of this one. They stop with it. */

import {
  copyDirectory,
  copyLog,
  findCut,
  logDirectory,
  LogGone,
  nodeDisk,
  removeDirectory,
  shortened,
} from '@bourse/engine';
import type { Refusal } from '@bourse/api';
import { type SandboxErrorName, sandboxRefusal } from '../sandbox-errors.ts';
import {
  type ForkOptions,
  type KeptSnapshot,
  notOpened,
  type RunningFork,
  type World,
  type WorldOpener,
  type WorldSnapshots,
  type WorldState,
} from './world.ts';

export type ForkRequest = Pick<ForkOptions, 'market' | 'seed' | 'clock' | 'port'> & {
  /** A snapshot's id or name, or a sequence of the log; default: the current state. */
  readonly from?: string | number;
};

interface Fork {
  readonly id: string;
  readonly dir: string;
  readonly running: RunningFork;
}

const FORKS_MAX = 100;

export class Forks {
  readonly #dir: string;
  readonly #opener: WorldOpener;
  readonly #snapshots: WorldSnapshots;
  readonly #forks = new Map<string, Fork>();
  #last = 0;

  constructor(dir: string, opener: WorldOpener, snapshots: WorldSnapshots) {
    this.#dir = dir;
    this.#opener = opener;
    this.#snapshots = snapshots;
  }

  async add(world: World, { from, ...options }: ForkRequest): Promise<object> {
    if (this.#forks.size >= FORKS_MAX) {
      throw sandboxRefusal('too-many', `There are already ${FORKS_MAX} forks. Delete some first.`);
    }
    const id = `f${++this.#last}`;
    const dir = `${this.#dir}/${id}`;
    const kept = typeof from === 'string' ? await this.#snapshots.get(from) : from;
    try {
      const state = await this.#copy(world, kept, dir);
      const running = await this.#opener.fork({ id, dir, state, ...options });
      const fork = { id, dir, running };
      this.#forks.set(id, fork);
      return show(fork);
    } catch (error) {
      await removeDirectory(dir).catch(() => undefined);
      const refused = portRefusal(error, options.port);
      if (refused !== undefined || typeof kept !== 'object') throw refused ?? error;
      throw notOpened(kept.entry.id, kept.dir, dir, error);
    }
  }

  list(): object[] {
    return [...this.#forks.values()].map(show);
  }

  async remove(id: string): Promise<void> {
    const fork = this.#forks.get(id);
    if (fork === undefined) throw sandboxRefusal('fork-unknown', `Unknown fork '${shortened(id)}'.`);
    this.#forks.delete(id);
    await end(fork);
  }

  /** Closes all of them, even if one fails to close, and then throws the first error. */
  async close(): Promise<void> {
    const ended = [...this.#forks.values()].map(end);
    this.#forks.clear();
    for (const result of await Promise.allSettled(ended)) {
      if (result.status === 'rejected') throw result.reason;
    }
  }

  /** Removes forks of an earlier run. */
  removeLeft(): Promise<void> {
    return removeDirectory(this.#dir);
  }

  async #copy(world: World, from: KeptSnapshot | number | undefined, dir: string): Promise<WorldState> {
    if (from === undefined) return (await world.copyTo(dir)).state;
    if (typeof from === 'object') {
      await copyDirectory(from.dir, dir);
      return from.state;
    }
    const { seq } = world.services.port.health;
    if (from < 1 || from > seq) {
      const msg = `from: the log has records 1 to ${seq}, not ${from}.`;
      throw sandboxRefusal('record-unknown', msg);
    }
    return this.#copyLogThrough(world, from, dir);
  }

  async #copyLogThrough(world: World, seq: number, dir: string): Promise<WorldState> {
    try {
      const cut = await findCut(nodeDisk, logDirectory(world.dir), seq);
      if (cut.segments[0] !== 1) throw new LogGone(`The log begins with record ${cut.segments[0]}.`);
      await copyLog(logDirectory(world.dir), logDirectory(dir), cut);
      await world.completeCopy(dir, seq);
      const clock = { ...world.clock.state, time: cut.time };
      const throttle = { spot: [], manage: [], questionnaire: [], public: [] };
      return { clock, throttle, tickerTimes: [] };
    } catch (error) {
      if (!(error instanceof LogGone)) throw error;
      const msg = `from: ${error.message} A fork of a sequence needs the log from its first record on.`;
      throw sandboxRefusal('record-gone', msg);
    }
  }
}

/** The address is in use or requires privileges. */
function portRefusal(error: unknown, port = 0): Refusal<SandboxErrorName> | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined;
  const why = code === 'EADDRINUSE' ? 'is taken' : 'may not be listened on by this user';
  return sandboxRefusal('port-taken', `port: ${port} ${why}. Give another, or omit it for a free one.`);
}

const show = ({ id, running }: Fork): object => ({ id, ...running.connection });

async function end({ running, dir }: Fork): Promise<void> {
  await running.close();
  await removeDirectory(dir);
}
