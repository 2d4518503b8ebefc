/** A rule: whom it affects, what happens to them, and when. */

import type { Effect } from './effects.ts';

/** A match as sent by the client. */
export interface GivenMatch {
  readonly user?: string;
  readonly apiKey?: string;
  readonly method?: string;
  readonly route?: string;
  readonly symbol?: string;
  readonly topic?: string;
  readonly dialect?: 'literal' | 'family';
}

export interface GivenRule {
  readonly match?: GivenMatch;
  readonly effect: Effect;
  readonly probability?: number;
  readonly after?: number;
  readonly every?: number;
  readonly times?: number;
  readonly seed?: number;
}

export class FaultRule {
  readonly id: string;
  readonly given: GivenRule;
  readonly effect: Effect;
  /** The user's number; undefined: anybody. */
  readonly user: number | undefined;
  /** How many requests or messages it was applied to. */
  hits = 0;
  readonly chance: () => number;
  #seen = 0;
  #fired = 0;

  constructor(id: string, given: GivenRule, user: number | undefined, seed: number) {
    this.id = id;
    this.given = given;
    this.effect = given.effect;
    this.user = user;
    this.chance = makeChance(given.seed ?? seed);
  }

  /** Whether the rule fires for a request that it matches. */
  fires(): boolean {
    const { after = 0, every = 1, times = Infinity, probability = 1 } = this.given;
    const place = ++this.#seen - after;
    if (place <= 0 || place % every !== 0 || this.#fired >= times) return false;
    if (probability < 1 && this.chance() >= probability) return false;
    this.#fired++;
    return true;
  }

  /** It fired, but the request was refused, so its effect did not happen. */
  takeBack(): void {
    this.#fired--;
  }

  show(): object {
    const { id, hits } = this;
    return { id, match: {}, probability: 1, after: 0, every: 1, ...this.given, hits };
  }
}

/** Pseudo-random numbers from 0 to below 1: the same seed affects the same requests. */
function makeChance(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
