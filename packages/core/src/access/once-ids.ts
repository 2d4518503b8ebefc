/**
 * The ids of requests that act at most once, remembered while their time runs, and some seconds longer: at most
 * about a minute, and about 150 bytes each.
 */

import type { Once } from '../commands.ts';
import { type Rejection, reject } from '../rejections.ts';
import { checkPrintable, invalidValue } from '../text.ts';

const ID_LENGTH_MAX = 64;
const AHEAD_MS_MAX = 60_000;

/**
 * Ids that end within the same sixteen seconds are kept together, so that they can be forgotten together. Shorter
 * stretches would be more maps to look in, and to look for a new id in one costs half a microsecond.
 */
const STRETCH_MS = 16_384;

const stretchOf = (time: number): number => Math.floor(time / STRETCH_MS);

interface Stretch {
  readonly number: number;
  /** When each id ends. */
  readonly untils: Map<string, number>;
}

export class OnceIds {
  /** Those that have ids, a handful: a request's time runs for a few seconds, and never for more than a minute. */
  private stretches: Stretch[] = [];

  /**
   * Remembers the id, or refuses it. A request whose own time is past is refused as well: nothing would tell it from
   * its repetition.
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

  /** Drops what ended in a stretch before this one; what ended within it is known to be past by its time. */
  forget(time: number): void {
    const now = stretchOf(time);
    if (this.stretches.some(({ number }) => number < now)) {
      this.stretches = this.stretches.filter(({ number }) => number >= now);
    }
  }

  /** Those whose time is not past, by id. */
  list(time: number): Once[] {
    return this.stretches
      .flatMap(({ untils }) => [...untils])
      .filter(([, until]) => until >= time)
      .map(([id, until]) => ({ id, until }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}
