/** Fault rules: which requests and messages each one matches, what happens to them, and when. */

import {
  type Catalogue,
  type FeedTopic,
  type ObservedRequest,
  type Route,
  type Static,
  type TObject,
  type TokenOwner,
  type TProperties,
  Type,
} from '@bourse/api';
import { DAY_MS } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { sandboxRefusal } from '../sandbox-errors.ts';
import { fieldsOfBody } from '../watch/requests.ts';

const Ms = Type.Integer({ minimum: 0, maximum: DAY_MS });
const Code = Type.Optional(Type.Integer({ minimum: 1000, maximum: 4999 }));

const schemaOf = <K extends string, P extends TProperties>(kind: K, properties: P) =>
  Type.Object({ kind: Type.Literal(kind), ...properties }, { additionalProperties: false });

const REQUEST_EFFECTS = {
  delay: schemaOf('delay', {
    ms: Type.Optional(Ms),
    minMs: Type.Optional(Ms),
    maxMs: Type.Optional(Ms),
    before: Type.Optional(Type.Boolean()),
  }),
  error: schemaOf('error', {
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    code: Type.String({ minLength: 1, maxLength: 32 }),
    msg: Type.Optional(Type.String({ maxLength: 1000 })),
  }),
  'drop-request': schemaOf('drop-request', {}),
  'drop-reply': schemaOf('drop-reply', {}),
  html: schemaOf('html', { status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })) }),
  truncate: schemaOf('truncate', { bytes: Type.Integer({ minimum: 0, maximum: 1 << 30 }) }),
  'slow-body': schemaOf('slow-body', { bytesPerSecond: Type.Integer({ minimum: 1, maximum: 1 << 30 }) }),
  'late-order': schemaOf('late-order', { ms: Ms }),
  'late-cancel': schemaOf('late-cancel', { ms: Ms }),
  'stale-read': schemaOf('stale-read', { ms: Ms }),
};

const FEED_EFFECTS = {
  'feed-drop': schemaOf('feed-drop', {}),
  'feed-duplicate': schemaOf('feed-duplicate', {}),
  'feed-reorder': schemaOf('feed-reorder', {}),
  'feed-delay': schemaOf('feed-delay', { ms: Ms }),
  'feed-stall': schemaOf('feed-stall', { ms: Type.Optional(Ms) }),
  'feed-no-pong': schemaOf('feed-no-pong', {}),
  'feed-disconnect': schemaOf('feed-disconnect', { code: Code }),
  'feed-refuse-token': schemaOf('feed-refuse-token', {
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

export const isRequestEffect = (effect: Effect): effect is RequestEffect =>
  Object.hasOwn(REQUEST_EFFECTS, effect.kind);

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
  /** The user's name; undefined: anybody. Not the number, which another user may have after a restore. */
  readonly user: string | undefined;
  /** How many requests or messages it was applied to. */
  hits = 0;
  readonly chance: () => number;
  #seen = 0;
  #fired = 0;

  constructor(id: string, given: GivenRule, user: string | undefined, seed: number) {
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

  get isUsedUp(): boolean {
    return this.#fired >= (this.given.times ?? Infinity);
  }

  /** It fired, but the request was refused, so its effect did not happen. */
  undoFire(): void {
    this.#fired--;
  }

  show(): object {
    const { id, hits } = this;
    return { id, match: {}, probability: 1, after: 0, every: 1, ...this.given, hits };
  }
}

/** Pseudo-random numbers in [0, 1): the same seed affects the same requests. */
function makeChance(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Whether a path matches the pattern of a rule or filter: `*` matches any text. */
export function pathPattern(text: string): (path: string) => boolean {
  const [first, ...others] = text.split('*');
  const last = others.pop();
  if (last === undefined) return (path) => path === text;
  return (path) => {
    if (!path.startsWith(first)) return false;
    let at = first.length;
    for (const part of others) {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return path.endsWith(last) && path.length - last.length >= at;
  };
}

/** The routes with this id, or with a path that the pattern may match. */
export function routesMeant<R extends Pick<Route, 'id' | 'path'>>(text: string, routes: readonly R[]): R[] {
  if (!text.startsWith('/')) return routes.filter(({ id }) => id === text);
  const parts = text.split('/');
  return routes.filter(({ path }) => mayMean(parts, path.split('/')));
}

/** Where requests name their symbol: see `symbolsOf`. */
const SYMBOL_FIELDS = ['symbol', 'symbols', 'orderList'];

/** Whether requests of the route may name a symbol. */
export function namesSymbol({ path, query, body }: Pick<Route, 'path' | 'query' | 'body'>): boolean {
  const fields = [query, body].flatMap((schema) => {
    if (schema === undefined) return [];
    const { properties } = schema as { readonly properties?: object };
    // Unknown for schemas of any other form.
    return properties === undefined ? SYMBOL_FIELDS : Object.keys(properties);
  });
  return /:symbol\b/.test(path) || fields.some((field) => SYMBOL_FIELDS.includes(field));
}

/** Compares segment by segment; a star at the end matches the rest. */
function mayMean(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [at, part] of pattern.entries()) {
    const star = part.indexOf('*');
    if (star >= 0 && at === pattern.length - 1)
      return (path[at] ?? '').startsWith(part.slice(0, star)) || path[at]?.startsWith(':') === true;
    if (star >= 0) continue;
    if (path[at] !== part && !path[at]?.startsWith(':')) return false;
  }
  return pattern.length === path.length;
}

const RULES_MAX = 1000;

export interface RulesListener {
  added?(rule: FaultRule): void;
  /** The rule was removed, and affects nothing from now on. */
  removed?(rule: FaultRule): void;
}

/** The existing rules, in order of creation, and whom each affects. */
export class FaultRules {
  readonly #rules = new Map<string, FaultRule>();
  readonly #listeners = new Set<RulesListener>();
  #count = 0;

  /** `user`: the name of the user that the rule names, perhaps by id. */
  add(given: GivenRule, user: string | undefined): FaultRule {
    if (this.#rules.size >= RULES_MAX) {
      throw sandboxRefusal('too-many', `There are already ${RULES_MAX} faults. Remove some first.`);
    }
    const rule = new FaultRule(`r${++this.#count}`, given, user, this.#count);
    this.#rules.set(rule.id, rule);
    for (const listener of this.#listeners) listener.added?.(rule);
    return rule;
  }

  list(): readonly FaultRule[] {
    return [...this.#rules.values()];
  }

  /** Whether the rule was not removed, and has not fired as often as it may. */
  mayFire(rule: FaultRule): boolean {
    return this.#rules.get(rule.id) === rule && !rule.isUsedUp;
  }

  remove(id: string): void {
    const rule = this.#rules.get(id);
    if (rule === undefined) throw sandboxRefusal('fault-unknown', `Unknown fault '${shortened(id)}'.`);
    this.#rules.delete(id);
    for (const listener of this.#listeners) listener.removed?.(rule);
  }

  clear(): void {
    for (const id of this.#rules.keys()) this.remove(id);
  }

  /** The returned function unsubscribes. */
  subscribe(listener: RulesListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The first rule that matches the request, has an effect on it, and fires. */
  meetRequest(
    asked: ObservedRequest,
    catalogue: Catalogue,
    hasEffect: (effect: Effect) => boolean,
  ): FaultRule | undefined {
    if (this.#rules.size === 0) return undefined;
    const user = catalogue.user(catalogue.key(asked.presentedKey)?.user ?? -1)?.name;
    for (const rule of this.#rules.values()) {
      if (!isRequestEffect(rule.effect) || !meansRequest(rule, asked, user)) continue;
      if (hasEffect(rule.effect) && rule.fires()) return rule;
    }
    return undefined;
  }

  /** The rules of these kinds, in order. */
  feedRules(...kinds: readonly FeedEffect['kind'][]): FaultRule[] {
    const found: FaultRule[] = [];
    for (const rule of this.#rules.values()) {
      if ((kinds as readonly string[]).includes(rule.effect.kind)) found.push(rule);
    }
    return found;
  }

  get hasFeedRules(): boolean {
    for (const { effect } of this.#rules.values()) if (!isRequestEffect(effect)) return true;
    return false;
  }
}

function meansRequest(
  { given, user: wanted }: FaultRule,
  asked: ObservedRequest,
  user: string | undefined,
): boolean {
  const { apiKey, method, route, symbol, dialect } = given.match ?? {};
  if (wanted !== undefined && wanted !== user) return false;
  if (apiKey !== undefined && apiKey !== asked.presentedKey) return false;
  if (method !== undefined && method.toUpperCase() !== (asked.method || asked.route.method)) return false;
  // Order entry counts as the family dialect, as in the list of requests.
  if (dialect !== undefined && dialect !== asked.dialect.name) return false;
  if (route !== undefined && !meansRoute(route, asked)) return false;
  return symbol === undefined || symbolsOf(asked).includes(symbol);
}

function meansRoute(wanted: string, { route, target, dialect }: ObservedRequest): boolean {
  if (wanted === route.id) return true;
  if (!wanted.startsWith('/')) return false;
  const means = pathPattern(wanted);
  const [path] = target.split('?');
  return means(path) || means(route.path) || (dialect.mount !== '' && means(dialect.mount + path));
}

/**
 * Every place in which a request may name a symbol: path, query, body, and the orders in the body; several
 * may be separated by commas.
 */
function symbolsOf({ target, sent }: ObservedRequest): string[] {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark));
  const { symbol, symbols, orderList } = fieldsOfBody(sent?.toString('utf8') ?? '');
  const found: unknown[] = [...path.split('/'), query.get('symbol'), query.get('symbols'), symbol, symbols];
  if (Array.isArray(orderList)) {
    for (const each of orderList) found.push((each as { readonly symbol?: unknown } | null)?.symbol);
  }
  return found.flatMap((each) => (typeof each === 'string' ? each.split(',') : []));
}

export type UserNames = Pick<Catalogue, 'user'>;

/** Whether the rule matches a feed connection by its owner, whatever its subscriptions. */
export function meansOwner({ given, user }: FaultRule, owner: TokenOwner, users: UserNames): boolean {
  const { apiKey } = given.match ?? {};
  const isNamed = (number = -1): boolean => users.user(number)?.name === user;
  const isUser = user === undefined || isNamed(owner.user) || isNamed(owner.holder);
  return isUser && (apiKey === undefined || apiKey === owner.key);
}

/** Whether the rule may match messages of the topic. */
export function meansTopic({ given }: FaultRule, { name, text }: FeedTopic): boolean {
  const { topic, symbol } = given.match ?? {};
  if (topic !== undefined && topic !== name && topic !== text) return false;
  if (symbol === undefined) return true;
  const argument = text.slice(name.length + 1);
  return argument === symbol || argument.startsWith(`${symbol}_`) || !hasSymbol(argument);
}

/** In a topic of many symbols, each message names its symbol. */
export function meansMessage(rule: FaultRule, address: FeedTopic, message: string): boolean {
  if (!meansTopic(rule, address)) return false;
  const { symbol } = rule.given.match ?? {};
  if (symbol === undefined || hasSymbol(address.text.slice(address.name.length + 1))) return true;
  return message.includes(`"symbol":"${symbol}"`) || message.includes(`"subject":"${symbol}"`);
}

/** After the colon comes a symbol, `all`, a market, or nothing. */
const hasSymbol = (argument: string): boolean => argument.includes('-');
