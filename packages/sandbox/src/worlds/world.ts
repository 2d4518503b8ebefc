/**
 * A world is an exchange with all state around it: engine, views, feed, gateway and clock. A sandbox has one at a
 * time; restoring a snapshot creates another world at the same address.
 */

import {
  type Dialect,
  Refusal,
  type Route,
  type Services,
  type Throttle,
  type ThrottleState,
  type TickerMark,
} from '@bourse/api';
import {
  type Engine,
  LogDamaged,
  LogGone,
  LogTooNew,
  moveDurably,
  nodeDisk,
  readText,
  removeDirectory,
  shortened,
  UNFINISHED,
  writeDurableText,
} from '@bourse/engine';
import type { ClockState, SandboxClock } from '../clock/sandbox-clock.ts';
import type { LateState } from '../faults/faulty-ports.ts';
import type { LivingMarket } from '../market/living-market.ts';
import { type SandboxErrorName, sandboxRefusal } from '../sandbox-errors.ts';

/** The state of a world that is not in its data directory. */
export interface WorldState {
  readonly clock: ClockState;
  readonly throttle: ThrottleState;
  /** When each symbol's ticker last changed. */
  readonly tickerTimes: readonly TickerMark[];
  /** Absent if it is not known, as for an earlier sequence of the log. */
  readonly late?: LateState;
}

/** A route as one dialect has it, with its mount. */
export interface WorldRoute extends Pick<Route, 'id' | 'path' | 'method' | 'pool'> {
  readonly dialect: Dialect['name'];
  /** Whether its requests may name a symbol. */
  readonly namesSymbol: boolean;
}

export interface World {
  readonly dir: string;
  readonly clock: SandboxClock;
  readonly engine: Engine;
  readonly services: Services;
  readonly throttle: Throttle;
  readonly routes: readonly WorldRoute[];
  readonly living: LivingMarket;
  /** Orders and cancellations that faults confirmed early. */
  readonly late: LateState;
  /** HTTP requests in flight. */
  readonly inFlight: number;
  /** Copies all of its durable state into a directory that does not exist yet. */
  copyTo(dir: string): Promise<{ readonly seq: number; readonly state: WorldState }>;
  /**
   * Completes a copy of the log through `seq`: the keys of its people, a lock file, and its own origin, which names the
   * log that the records are from.
   */
  completeCopy(dir: string, seq: number): Promise<void>;
  /** Routes requests to this world. */
  serve(): void;
  /** Closes at once: pending requests fail, sockets are closed with 1012. Resolves when its memory is released. */
  discard(why: string): Promise<void>;
}

export const worldStateOf = ({ clock, throttle, services, late }: World): WorldState => ({
  clock: clock.state,
  throttle: throttle.state,
  tickerTimes: services.market.marks,
  late,
});

/** A fork: a separate exchange at another address. */
export interface ForkOptions {
  readonly id: string;
  readonly dir: string;
  readonly state: WorldState;
  /** Start a new market; default: the market of `state` continues, and what is omitted stays as there. */
  readonly market?: string;
  readonly seed?: number;
  /** As at a start; default: that of `state`. */
  readonly clock?: string;
  readonly port?: number;
}

export interface RunningFork {
  /** The content of a connection file. */
  readonly connection: object;
  close(): Promise<void>;
}

/** Creates worlds. */
export interface WorldOpener {
  /** Ready, but not served yet. */
  open(dir: string, state: WorldState): Promise<World>;
  fork(options: ForkOptions): Promise<RunningFork>;
}

export interface SnapshotEntry {
  readonly id: string;
  readonly name: string;
  readonly seq: number;
  readonly time: number;
}

interface Kept extends SnapshotEntry {
  readonly state: WorldState;
}

const SNAPSHOTS_MAX = 1000;
const META = 'snapshot.json';
const DATA = 'data';
const ID = /^s[1-9]\d{0,8}$/;

export interface KeptSnapshot {
  readonly entry: SnapshotEntry;
  readonly state: WorldState;
  /** Its data directory: for copying, never for opening. */
  readonly dir: string;
}

/**
 * Requested snapshots of a sandbox, each a copy of the data directory and the state around it. They are kept until
 * they are deleted, even after a restart or a restore of an earlier one.
 */
export class WorldSnapshots {
  readonly #dir: string;
  #last = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async take(world: World, name: string | undefined): Promise<SnapshotEntry> {
    const ids = await this.#ids();
    if (ids.length >= SNAPSHOTS_MAX) {
      throw sandboxRefusal('too-many', `There are already ${SNAPSHOTS_MAX} snapshots. Delete some first.`);
    }
    this.#last = Math.max(this.#last, ...ids.map((each) => Number(each.slice(1)))) + 1;
    const id = `s${this.#last}`;
    const path = `${this.#dir}/${id}`;
    const unfinished = path + UNFINISHED;
    try {
      await nodeDisk.makeDirectory(unfinished);
      const { seq, state } = await world.copyTo(`${unfinished}/${DATA}`);
      const entry = { id, name: name ?? id, seq, time: state.clock.time };
      await writeDurableText(`${unfinished}/${META}`, JSON.stringify({ ...entry, state } satisfies Kept));
      await moveDurably(unfinished, path);
      return entry;
    } catch (error) {
      await removeDirectory(unfinished).catch(() => undefined);
      throw error;
    }
  }

  /** May be called at any time; omits damaged snapshots and those removed meanwhile. */
  async list(): Promise<SnapshotEntry[]> {
    const kept = await Promise.all((await this.#ids()).map((id) => this.#read(id).catch(unreadableAsNull)));
    return kept.flatMap((each) => {
      if (each === null) return [];
      const { id, name, seq, time } = each;
      return [{ id, name, seq, time }];
    });
  }

  /** `wanted`: an id or a name. */
  async get(wanted: string): Promise<KeptSnapshot> {
    const id = await this.#find(wanted);
    const { state, ...entry } = await this.#read(id);
    return { entry, state, dir: `${this.#dir}/${id}/${DATA}` };
  }

  /** Returns its id. */
  async remove(wanted: string): Promise<string> {
    const id = await this.#find(wanted);
    const path = `${this.#dir}/${id}`;
    // Removed atomically, however long deleting the files takes.
    await moveDurably(path, path + UNFINISHED);
    await removeDirectory(path + UNFINISHED);
    return id;
  }

  /** Ids take precedence over names. */
  async #find(wanted: string): Promise<string> {
    if ((await this.#ids()).includes(wanted)) return wanted;
    const named = (await this.list()).filter(({ name }) => name === wanted).map(({ id }) => id);
    if (named.length === 1) return named[0];
    if (named.length === 0) throw await this.#unknown(wanted);
    const msg = `Several snapshots are named '${shortened(wanted)}': ${named.join(', ')}. Give one of these ids.`;
    throw sandboxRefusal('name-ambiguous', msg);
  }

  /** Removes snapshots that an earlier run did not finish. */
  async removeUnfinished(): Promise<void> {
    for (const name of await nodeDisk.list(this.#dir)) {
      if (name.endsWith(UNFINISHED)) await removeDirectory(`${this.#dir}/${name}`);
    }
  }

  async #ids(): Promise<string[]> {
    const ids = (await nodeDisk.list(this.#dir)).filter((name) => ID.test(name));
    return ids.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  }

  async #read(id: string): Promise<Kept> {
    return checkedEntry(id, await readText(`${this.#dir}/${id}/${META}`)) as Kept;
  }

  async #unknown(id: string): Promise<Refusal<SandboxErrorName>> {
    const ids = await this.#ids();
    const entries = (await this.list()).slice(-20);
    const shown = entries.map((entry) =>
      entry.name === entry.id ? entry.id : `${entry.id} (${entry.name})`,
    );
    const there = ids.length === 0 ? 'There are none' : `There are ${shown.join(', ')}`;
    return sandboxRefusal('snapshot-unknown', `Unknown snapshot '${shortened(id)}'. ${there}.`);
  }
}

function unreadableAsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error instanceof DamagedSnapshot) return null;
  throw error;
}

const MEMBERS = { id: 'string', name: 'string', seq: 'number', time: 'number', state: 'object' } as const;

/** The error to throw if `what` failed. */
export function withoutRoom(what: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return sandboxRefusal('disk-full', `The ${what} needs more space on the disk (${message}).`);
}

/** The error to throw if a copy of a snapshot could not be opened. */
export function notOpened(id: string, from: string, copy: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOfFiles =
    error instanceof LogDamaged ||
    error instanceof LogGone ||
    error instanceof LogTooNew ||
    code === 'ENOENT';
  // The copy will be removed before anybody can inspect it.
  return isOfFiles ? damagedSnapshot(id, message.replaceAll(copy, from)) : error;
}

/** Parses the metadata of a snapshot. Throws if it belongs to another one. */
function checkedEntry(id: string, text: string): unknown {
  let entry: Readonly<Record<string, unknown>> | null;
  try {
    entry = JSON.parse(text);
  } catch (error) {
    throw damagedSnapshot(id, `snapshot.json: ${(error as SyntaxError).message}.`);
  }
  const missing = Object.entries(MEMBERS).find(([name, type]) => typeof entry?.[name] !== type);
  if (missing !== undefined) throw damagedSnapshot(id, `snapshot.json has no ${missing[0]}.`);
  if (entry!['id'] !== id) throw damagedSnapshot(id, 'snapshot.json is that of another snapshot.');
  return entry;
}

/** Errors of snapshots, restores, forks and the clock caused by a full disk or damaged files. */
class DamagedSnapshot extends Refusal<'snapshot-damaged'> {}

const damagedSnapshot = (id: string, why: string): DamagedSnapshot =>
  new DamagedSnapshot('snapshot-damaged', `Snapshot ${id} is damaged and was not changed. ${why}`);
