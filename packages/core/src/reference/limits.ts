/** The exchange's limits, each with its unit and default. */

import type { SetLimits } from '../commands/commands.ts';
import type { EventBatch } from '../events/event-batch.ts';
import type { Rejection } from '../commands/rejections.ts';
import { invalidValue } from '../values/checks.ts';
import { DAY_MS } from '../values/intervals.ts';

export interface LimitValues {
  /** How long a done order's client id stays taken. */
  readonly lookupWindowMs: number;
  readonly activeOrdersPerSymbolMax: number;
  readonly activeOrdersPerUserMax: number;
  readonly stopOrdersPerSymbolMax: number;
  /** How many steps (expiries, switches, triggered stop orders) one record may execute: see `Steps` in state.ts. */
  readonly stepsPerRecordMax: number;
  /** Maximum kept client ids of done orders, per user and in total. */
  readonly clientIdsPerUserMax: number;
  readonly clientIdsMax: number;
  /** How long a transfer or a completed withdrawal is kept. */
  readonly movementWindowMs: number;
  /** Maximum kept transfers and withdrawals, per user and in total. */
  readonly movementsPerUserMax: number;
  readonly movementsMax: number;
}

type Limit = readonly [value: number, min: number, max: number];

const WINDOW_MS_MAX = 1e12;

/** Default, smallest and largest value. */
const ALL: Record<keyof LimitValues, Limit> = {
  lookupWindowMs: [3 * DAY_MS, 0, WINDOW_MS_MAX],
  activeOrdersPerSymbolMax: [200, 1, 1e6],
  activeOrdersPerUserMax: [2000, 1, 1e6],
  stopOrdersPerSymbolMax: [20, 1, 1e6],
  stepsPerRecordMax: [1000, 1, 1e6],
  clientIdsPerUserMax: [1e6, 1, 1e8],
  clientIdsMax: [5e6, 1, 1e8],
  movementWindowMs: [30 * DAY_MS, 0, WINDOW_MS_MAX],
  movementsPerUserMax: [50_000, 1, 1e8],
  movementsMax: [1e6, 1, 1e8],
};
const NAMES = Object.keys(ALL) as (keyof LimitValues)[];

export const DEFAULT_LIMITS = Object.fromEntries(
  NAMES.map((name) => [name, ALL[name][0]]),
) as unknown as LimitValues;

export class Limits {
  values: LimitValues = DEFAULT_LIMITS;
  readonly #events: EventBatch;

  constructor(events: EventBatch) {
    this.#events = events;
  }

  set(command: SetLimits): Rejection | null {
    const changed = { ...this.values };
    for (const name of NAMES) {
      const value = command[name];
      if (value === undefined) continue;
      const [, min, max] = ALL[name];
      if (!Number.isInteger(value) || value < min || value > max) {
        return invalidValue(name, value, `an integer from ${min} to ${max}`);
      }
      changed[name] = value;
    }
    this.values = changed;
    this.#events.rare({ kind: 'limits-set', ...changed });
    return null;
  }
}
