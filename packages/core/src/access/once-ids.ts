/**
 * The ids of requests that act at most once, remembered while their time runs: at most a minute, and about 150 bytes
 * each.
 */

import type { Once } from '../commands.ts';
import { type Rejection, reject } from '../rejections.ts';
import { checkPrintable, invalidValue } from '../text.ts';

const ID_LENGTH_MAX = 64;
const AHEAD_MS_MAX = 60_000;

const secondOf = (time: number): number => Math.floor(time / 1000);

export class OnceIds {
  private readonly untils = new Map<string, number>();
  /** The ids by the second in which they end, so that those of a past second go together. */
  private readonly bySecond = new Map<number, string[]>();
  private second = 0;

  /**
   * Remembers the id, or refuses it. A request whose own time is past is refused as well: nothing would tell it from
   * its repetition.
   */
  take(once: Once, time: number): Rejection | null {
    const { id, until } = once;
    const known = this.untils.get(id);
    if (known !== undefined && known >= time) return reject('request-repeated', { id });
    const refused = checkPrintable('once.id', id, 1, ID_LENGTH_MAX);
    if (refused) return refused;
    if (!Number.isInteger(until) || until < time || until > time + AHEAD_MS_MAX) {
      return invalidValue('once.until', until, `an integer from ${time} to ${time + AHEAD_MS_MAX}`);
    }
    this.restore(once);
    return null;
  }

  restore({ id, until }: Once): void {
    this.untils.set(id, until);
    const second = secondOf(until);
    const ids = this.bySecond.get(second);
    if (ids) ids.push(id);
    else this.bySecond.set(second, [id]);
  }

  /** Drops what ended in a second before this one; what ended within it is known to be past by its time. */
  forget(time: number): void {
    const now = secondOf(time);
    if (now === this.second) return;
    this.second = now;
    for (const [second, ids] of this.bySecond) {
      if (second >= now) continue;
      this.bySecond.delete(second);
      for (const id of ids) if (secondOf(this.untils.get(id) ?? 0) === second) this.untils.delete(id);
    }
  }

  /** Those whose time is not past, by id. */
  list(time: number): Once[] {
    return [...this.untils]
      .filter(([, until]) => until >= time)
      .map(([id, until]) => ({ id, until }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}
