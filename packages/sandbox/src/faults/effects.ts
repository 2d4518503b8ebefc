/** The kinds of faults, with the fields of each. */

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
