/**
 * Users' rate limits across nodes. Each node reports to the others what was spent: ten times a second, and at once if it is
 * a considerable part of a limit. So nobody gains much by using several nodes, and no request waits for another node.
 */

import type { Clock } from '@bourse/engine';
import { type Bus, SUBJECTS } from './messages/bus.ts';
import { isCount, isText, parseMessage } from './messages/parse-message.ts';

export type Owner = string | number;

/** The pools of one node. */
export interface LimitPools {
  /** Called for all weight spent here. */
  onSpent(listener: (pool: string, owner: Owner, weight: number, limit: number) => void): void;
  /** Weight spent elsewhere. */
  noteSpent(pool: string, owner: Owner, weight: number): void;
}

const EVERY_MS = 100;
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
    this.#cancel = this.#clock.after(EVERY_MS, () => {
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
