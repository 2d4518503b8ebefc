/** The exchange's limits, each with its unit and default. */

import type { SetLimits } from '../commands.ts';
import type { EventBatch } from '../event-batch.ts';
import type { Rejection } from '../rejections.ts';
import { invalidValue } from '../text.ts';

export interface LimitValues {
  /** How long a done order's client id stays taken. */
  readonly lookupWindowMs: number;
  readonly activeOrdersPerSymbolMax: number;
  readonly activeOrdersPerUserMax: number;
  readonly stopOrdersPerSymbolMax: number;
}

const RANGES: Record<keyof LimitValues, readonly [min: number, max: number]> = {
  lookupWindowMs: [0, 1e12],
  activeOrdersPerSymbolMax: [1, 1e6],
  activeOrdersPerUserMax: [1, 1e6],
  stopOrdersPerSymbolMax: [1, 1e6],
};
const NAMES = Object.keys(RANGES) as (keyof LimitValues)[];

export class Limits {
  values: LimitValues = {
    lookupWindowMs: 3 * 24 * 3_600_000,
    activeOrdersPerSymbolMax: 200,
    activeOrdersPerUserMax: 2000,
    stopOrdersPerSymbolMax: 20,
  };
  private readonly events: EventBatch;

  constructor(events: EventBatch) {
    this.events = events;
  }

  set(command: SetLimits): Rejection | null {
    const changed = { ...this.values };
    for (const name of NAMES) {
      const value = command[name];
      if (value === undefined) continue;
      const [min, max] = RANGES[name];
      if (!Number.isInteger(value) || value < min || value > max) {
        return invalidValue(name, value, `an integer from ${min} to ${max}`);
      }
      changed[name] = value;
    }
    this.values = changed;
    this.events.rare({ kind: 'limits-set', ...changed });
    return null;
  }
}
