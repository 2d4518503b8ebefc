/**
 * Shares traffic about people that is not in the log: used sessions, failed sign-ins, and sent mails. Each node reports
 * it to the others four times a second, so a session used at one node does not expire at another, and the limits on
 * guesses and mails apply across nodes. A lost message only delays this.
 */

import type { Clock } from '@bourse/engine';
import { type Bus, SUBJECTS, isText, parseMessage, isCount } from './messages/bus.ts';

/** `used` and a session id; rows of other kinds are forwarded unchanged. */
export type TrafficRow = readonly [kind: string, ...texts: string[]];

/** Traffic at this node. */
export interface Traffic {
  onRow(listener: (row: TrafficRow) => void): void;
  /** Applies a row from another node. */
  noteRow(row: TrafficRow): void;
}

const EVERY_MS = 250;
/** Per message. */
const ROWS_MAX = 1000;
/** Unreported rows; further ones are dropped. */
const UNTOLD_MAX = 100_000;

interface TrafficMessage {
  readonly run: string;
  readonly rows: readonly TrafficRow[];
}

const isTrafficMessage = ({ run, rows }: Record<keyof TrafficMessage, unknown>): boolean =>
  isText(run) &&
  Array.isArray(rows) &&
  rows.every((row) => Array.isArray(row) && row.length > 1 && row.every(isText));

export class SharedTraffic {
  readonly #bus: Bus;
  readonly #run: string;
  readonly #clock: Clock;
  readonly #used = new Set<string>();
  readonly #rows: TrafficRow[] = [];
  readonly #unsubscribe: () => void;
  #cancel: (() => void) | undefined;

  constructor(traffic: Traffic, bus: Bus, run: string, clock: Clock) {
    this.#bus = bus;
    this.#run = run;
    this.#clock = clock.machine;
    traffic.onRow((row) => this.#add(row));
    this.#unsubscribe = bus.subscribe(SUBJECTS.people, (bytes) => {
      const message = parseMessage<TrafficMessage>(bytes, isTrafficMessage);
      if (message === null || message.run === run) return;
      for (const row of message.rows) traffic.noteRow(row);
    });
  }

  close(): void {
    this.#cancel?.();
    this.#unsubscribe();
  }

  #add(row: TrafficRow): void {
    // Deduplicate: a session is used many times between two reports.
    if (row[0] === 'used') this.#used.add(row[1] ?? '');
    else if (this.#rows.length < UNTOLD_MAX) this.#rows.push(row);
    this.#cancel ??= this.#clock.after(EVERY_MS, () => this.#publish());
  }

  #publish(): void {
    this.#cancel = undefined;
    const rows = [...this.#rows.splice(0), ...Array.from(this.#used, (id) => ['used', id] as const)];
    this.#used.clear();
    for (let at = 0; at < rows.length; at += ROWS_MAX) {
      const message: TrafficMessage = { run: this.#run, rows: rows.slice(at, at + ROWS_MAX) };
      this.#bus.publish(SUBJECTS.people, Buffer.from(JSON.stringify(message)));
    }
  }
}

/**
 * Users' rate limits across nodes. Each node reports to the others what was spent: ten times a second, and at once if it is
 * a considerable part of a limit. So nobody gains much by using several nodes, and no request waits for another node.
 */
export type Owner = string | number;

/** The pools of one node. */
export interface LimitPools {
  /** Called for all weight spent here. */
  onSpent(listener: (pool: string, owner: Owner, weight: number, limit: number) => void): void;
  /** Weight spent elsewhere. */
  noteSpent(pool: string, owner: Owner, weight: number): void;
}

const LIMITS_EVERY_MS = 100;
/** Share of a limit: with three nodes, two of them may not know of this much each. */
const SHARE_AT_ONCE = 0.02;

type Row = readonly [pool: string, owner: Owner, weight: number];

interface LimitsMessage {
  readonly run: string;
  readonly spent: readonly Row[];
}

const isLimitsMessage = ({ run, spent }: Record<keyof LimitsMessage, unknown>): boolean =>
  isText(run) && Array.isArray(spent) && spent.every(isRow);

const isRow = (row: unknown): boolean =>
  Array.isArray(row) && isText(row[0]) && (isText(row[1]) || isCount(row[1])) && Number(row[2]) >= 0;

export class SharedLimits {
  readonly #bus: Bus;
  readonly #run: string;
  readonly #clock: Clock;
  /** By pool, then owner: not reported to the others yet. */
  readonly #untold = new Map<string, Map<Owner, number>>();
  readonly #unsubscribe: () => void;
  #cancel: () => void = () => undefined;

  constructor(pools: LimitPools, bus: Bus, run: string, clock: Clock) {
    this.#bus = bus;
    this.#run = run;
    this.#clock = clock.machine;
    pools.onSpent((pool, owner, weight, limit) => this.#spent(pool, owner, weight, limit));
    this.#unsubscribe = bus.subscribe(SUBJECTS.limits, (bytes) => {
      const message = parseMessage<LimitsMessage>(bytes, isLimitsMessage);
      if (message === null || message.run === run) return;
      for (const [pool, owner, weight] of message.spent) pools.noteSpent(pool, owner, weight);
    });
    this.#arm();
  }

  close(): void {
    this.#cancel();
    this.#unsubscribe();
  }

  #spent(pool: string, owner: Owner, weight: number, limit: number): void {
    let owners = this.#untold.get(pool);
    if (owners === undefined) this.#untold.set(pool, (owners = new Map()));
    const untold = (owners.get(owner) ?? 0) + weight;
    owners.set(owner, untold);
    if (untold >= limit * SHARE_AT_ONCE) this.#publish();
  }

  #arm(): void {
    this.#cancel = this.#clock.after(LIMITS_EVERY_MS, () => {
      this.#publish();
      this.#arm();
    });
  }

  #publish(): void {
    const spent: Row[] = [];
    for (const [pool, owners] of this.#untold) {
      for (const [owner, weight] of owners) spent.push([pool, owner, weight]);
    }
    if (spent.length === 0) return;
    this.#untold.clear();
    const message: LimitsMessage = { run: this.#run, spent };
    this.#bus.publish(SUBJECTS.limits, Buffer.from(JSON.stringify(message)));
  }
}
