/** A rule: whom it affects, what happens to them, and when. */

import { type Static, type TObject, type TProperties, Type } from '@bourse/api';

const DAY_MS = 86_400_000;
const Ms = Type.Integer({ minimum: 0, maximum: DAY_MS });
const Code = Type.Optional(Type.Integer({ minimum: 1000, maximum: 4999 }));

const effect = <K extends string, P extends TProperties>(kind: K, properties: P) =>
  Type.Object({ kind: Type.Literal(kind), ...properties }, { additionalProperties: false });

const REQUEST_EFFECTS = {
  delay: effect('delay', {
    ms: Type.Optional(Ms),
    minMs: Type.Optional(Ms),
    maxMs: Type.Optional(Ms),
    before: Type.Optional(Type.Boolean()),
  }),
  error: effect('error', {
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    code: Type.String({ minLength: 1, maxLength: 32 }),
    msg: Type.Optional(Type.String({ maxLength: 1000 })),
  }),
  'drop-request': effect('drop-request', {}),
  'drop-reply': effect('drop-reply', {}),
  html: effect('html', { status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })) }),
  truncate: effect('truncate', { bytes: Type.Integer({ minimum: 0, maximum: 1 << 30 }) }),
  'slow-body': effect('slow-body', { bytesPerSecond: Type.Integer({ minimum: 1, maximum: 1 << 30 }) }),
  'late-order': effect('late-order', { ms: Ms }),
  'late-cancel': effect('late-cancel', { ms: Ms }),
  'stale-read': effect('stale-read', { ms: Ms }),
};

const FEED_EFFECTS = {
  'feed-drop': effect('feed-drop', {}),
  'feed-duplicate': effect('feed-duplicate', {}),
  'feed-reorder': effect('feed-reorder', {}),
  'feed-delay': effect('feed-delay', { ms: Ms }),
  'feed-stall': effect('feed-stall', { ms: Type.Optional(Ms) }),
  'feed-no-pong': effect('feed-no-pong', {}),
  'feed-disconnect': effect('feed-disconnect', { code: Code }),
  'feed-refuse-token': effect('feed-refuse-token', {
    code: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999 })),
  }),
};

type EffectOf<Table> = {
  [Kind in keyof Table]: Table[Kind] extends TObject ? Static<Table[Kind]> : never;
}[keyof Table];
/** The kinds of faults, with the fields of each. */
export type RequestEffect = EffectOf<typeof REQUEST_EFFECTS>;
export type FeedEffect = EffectOf<typeof FEED_EFFECTS>;
export type Effect = RequestEffect | FeedEffect;

export const EFFECT_SCHEMAS: Readonly<Record<Effect['kind'], TObject>> = {
  ...REQUEST_EFFECTS,
  ...FEED_EFFECTS,
};
export const EFFECT_KINDS = Object.keys(EFFECT_SCHEMAS);

export const isRequestEffect = (effectGiven: Effect): effectGiven is RequestEffect =>
  Object.hasOwn(REQUEST_EFFECTS, effectGiven.kind);

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
