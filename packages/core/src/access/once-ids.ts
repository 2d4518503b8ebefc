/**
 * The ids of requests that may act only once. An id is remembered until its request expires, and a few seconds longer:
 * about a minute at most. It costs about 150 bytes.
 */

import type { Once } from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { checkPrintable, invalidValue } from '../values/text.ts';

const ID_LENGTH_MAX = 64;
const AHEAD_MS_MAX = 60_000;

/**
 * Ids that expire within the same sixteen seconds are in one map, which is dropped as a whole. Shorter stretches would
 * mean more maps to search, and each search for a new id costs half a microsecond.
 */
const STRETCH_MS = 16_384;

const stretchOf = (time: number): number => Math.floor(time / STRETCH_MS);

interface Stretch {
  readonly number: number;
  /** When each id expires. */
  readonly untils: Map<string, number>;
}

export class OnceIds {
  /**
   * The stretches that have ids. They are few, because a request expires after seconds, and after a minute at the
   * latest.
   */
  private stretches: Stretch[] = [];

  /**
   * Remembers the id, or refuses it. A request that has expired is refused as well, because its id may already be
   * forgotten: a repetition would look like the first.
   */
  take(once: Once, time: number): Rejection | null {
    const { id, until } = once;
    for (let i = 0; i < this.stretches.length; i++) {
      const known = this.stretches[i].untils.get(id);
      if (known !== undefined && known >= time) return reject('request-repeated', { id });
    }
    const refused = checkPrintable('once.id', id, 1, ID_LENGTH_MAX);
    if (refused) return refused;
    if (!Number.isInteger(until) || until < time || until > time + AHEAD_MS_MAX) {
      return invalidValue('once.until', until, `an integer from ${time} to ${time + AHEAD_MS_MAX}`);
    }
    this.restore(once);
    return null;
  }

  restore({ id, until }: Once): void {
    const number = stretchOf(until);
    let stretch = this.stretches.find((each) => each.number === number);
    if (!stretch) {
      stretch = { number, untils: new Map() };
      this.stretches.push(stretch);
    }
    stretch.untils.set(id, until);
  }

  /** Drops the stretches before this one. Expired ids of this one stay, and are recognised by their time. */
  forget(time: number): void {
    const now = stretchOf(time);
    if (this.stretches.some(({ number }) => number < now)) {
      this.stretches = this.stretches.filter(({ number }) => number >= now);
    }
  }

  /** The ids that have not expired, sorted. */
  list(time: number): Once[] {
    return this.stretches
      .flatMap(({ untils }) => [...untils])
      .filter(([, until]) => until >= time)
      .map(([id, until]) => ({ id, until }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}
