/**
 * How many requests each user made, which were rejected, and how much of the rate limits they used: per minute of
 * exchange time, for reports. Bounded: the last minutes of each user, and the most recent users.
 */

import type { RequestUse } from '../report/report.ts';
import type { RequestEntry } from './request-list.ts';

const MINUTE_MS = 60_000;
/** Two days. */
const MINUTES_MAX = 2880;
const USERS_MAX = 200;
const CODES_MAX = 50;
/** The family dialect sends many errors with status 200; only the code tells. */
const SUCCESS = '200000';
const TOO_MANY = '429000';
const ERROR_STATUS = 400;
const MESSAGE = /"msg":"((?:[^"\\]|\\.){0,300})/;

interface Refused {
  count: number;
  readonly status: number;
  readonly message: string;
}

interface PoolUse {
  limit: number;
  peak: number;
  used: number;
  refused: number;
}

interface Minute {
  total: number;
  readonly refused: Map<string, Refused>;
  readonly pools: Map<string, PoolUse>;
}

export class RequestUses {
  readonly #users = new Map<string, Map<number, Minute>>();

  /** `poolOf` a route: its rate limit pool. */
  add(entry: RequestEntry, poolOf: (route: string) => string | undefined): void {
    const { user, time, route, status, code, answer } = entry;
    if (user === null) return;
    const minute = this.#minute(user, time);
    minute.total += 1;
    if (status < ERROR_STATUS && (code === null || code === SUCCESS)) return;
    if (code === TOO_MANY) useIn(minute, poolOf(route) ?? 'other').refused += 1;
    const key = code ?? String(status);
    const refused = minute.refused.get(key);
    if (refused) refused.count += 1;
    else if (minute.refused.size < CODES_MAX)
      minute.refused.set(key, { count: 1, status, message: MESSAGE.exec(answer)?.[1] ?? '' });
  }

  /** `used`: in the current window, including this request. */
  spend(user: string, time: number, pool: string, weight: number, limit: number, used: number): void {
    const use = useIn(this.#minute(user, time), pool);
    use.limit = limit;
    use.used += weight;
    use.peak = Math.max(use.peak, used);
  }

  /** Minutes that overlap the period count completely. */
  of(user: string, from: number, until: number): RequestUse {
    const minutes = [...(this.#users.get(user) ?? [])].filter(
      ([start]) => start + MINUTE_MS > from && start <= until,
    );
    const refused = new Map<string, Refused>();
    const pools = new Map<string, PoolUse>();
    for (const [, minute] of minutes) {
      for (const [code, each] of minute.refused) {
        const known = refused.get(code);
        if (known) known.count += each.count;
        else refused.set(code, { ...each });
      }
      for (const [pool, { limit, peak, used, refused: count }] of minute.pools) {
        const known = pools.get(pool) ?? { limit: 0, peak: 0, used: 0, refused: 0 };
        const sum = { used: known.used + used, refused: known.refused + count };
        pools.set(pool, { limit: limit || known.limit, peak: Math.max(peak, known.peak), ...sum });
      }
    }
    return {
      since: minutes.length === 0 ? null : Math.max(from, Math.min(...minutes.map(([start]) => start))),
      total: minutes.reduce((sum, [, { total }]) => sum + total, 0),
      refused: Array.from(refused, ([code, each]) => ({ code, ...each })).toSorted(
        (one, other) => other.count - one.count,
      ),
      rateLimits: Array.from(pools, ([pool, use]) => ({ pool, ...use })),
    };
  }

  #minute(user: string, time: number): Minute {
    const start = Math.floor(time / MINUTE_MS) * MINUTE_MS;
    let minutes = this.#users.get(user);
    if (minutes === undefined) {
      minutes = new Map();
      this.#users.set(user, minutes);
      dropFirst(this.#users, USERS_MAX);
    }
    let minute = minutes.get(start);
    if (minute === undefined) {
      minute = { total: 0, refused: new Map(), pools: new Map() };
      minutes.set(start, minute);
      dropFirst(minutes, MINUTES_MAX);
    }
    return minute;
  }
}

function useIn({ pools }: Minute, pool: string): PoolUse {
  let use = pools.get(pool);
  if (use === undefined) pools.set(pool, (use = { limit: 0, peak: 0, used: 0, refused: 0 }));
  return use;
}

function dropFirst<Key>(map: Map<Key, unknown>, sizeMax: number): void {
  if (map.size <= sizeMax) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
