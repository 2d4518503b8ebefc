/** The existing rules, in order of creation, and whom each affects. */

import type { Catalogue, FeedTopic, ObservedRequest, TokenOwner } from '@bourse/api';
import { shortened } from '@bourse/engine';
import { sandboxRefusal } from '../sandbox-errors.ts';
import { type Effect, type FeedEffect, isRequestEffect, FaultRule, type GivenRule } from './fault-rule.ts';
import { pathPattern } from './route-match.ts';
import { fieldsOfBody } from '../watch/request-list.ts';

const RULES_MAX = 1000;

export class FaultRules {
  readonly #rules = new Map<string, FaultRule>();
  readonly #listeners = new Set<(rule: FaultRule) => void>();
  #count = 0;

  /** `user`: the number of the user that the rule names. */
  add(given: GivenRule, user: number | undefined): FaultRule {
    if (this.#rules.size >= RULES_MAX) {
      throw sandboxRefusal('too-many', `There are ${RULES_MAX} faults; remove some first.`);
    }
    const rule = new FaultRule(`r${++this.#count}`, given, user, this.#count);
    this.#rules.set(rule.id, rule);
    for (const listener of this.#listeners) listener(rule);
    return rule;
  }

  list(): readonly FaultRule[] {
    return [...this.#rules.values()];
  }

  remove(id: string): void {
    if (this.#rules.delete(id)) return;
    throw sandboxRefusal('fault-unknown', `Unknown fault '${shortened(id)}'.`);
  }

  clear(): void {
    this.#rules.clear();
  }

  /** Called with each new rule; the returned function unsubscribes. */
  subscribe(listener: (rule: FaultRule) => void): () => void {
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
    const user = catalogue.key(asked.presentedKey)?.user ?? -1;
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

function meansRequest({ given, user: wanted }: FaultRule, asked: ObservedRequest, user: number): boolean {
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
 * All places where routes take a symbol: path, query, body, and the orders in it; several may be separated by commas.
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

/** Whether the rule matches a feed connection by its owner, whatever its subscriptions. */
export function meansOwner({ given, user }: FaultRule, owner: TokenOwner): boolean {
  const { apiKey } = given.match ?? {};
  const isUser = user === undefined || user === owner.user || user === owner.holder;
  return isUser && (apiKey === undefined || apiKey === owner.key);
}

/** Whether the rule may match messages of the topic. */
export function meansTopic({ given }: FaultRule, { name, text }: FeedTopic): boolean {
  const { topic, symbol } = given.match ?? {};
  if (topic !== undefined && topic !== name && topic !== text) return false;
  if (symbol === undefined) return true;
  const argument = text.slice(name.length + 1);
  return argument === symbol || argument.startsWith(`${symbol}_`) || !namesSymbol(argument);
}

/** In a topic of many symbols, each message names its symbol. */
export function meansMessage(rule: FaultRule, address: FeedTopic, message: string): boolean {
  if (!meansTopic(rule, address)) return false;
  const { symbol } = rule.given.match ?? {};
  if (symbol === undefined || namesSymbol(address.text.slice(address.name.length + 1))) return true;
  return message.includes(`"symbol":"${symbol}"`) || message.includes(`"subject":"${symbol}"`);
}

/** After the colon comes a symbol, `all`, a market, or nothing. */
const namesSymbol = (argument: string): boolean => argument.includes('-');
