/** The feed faults of one world: on messages, pings, connections and tokens. */

import type { FeedFaults, FeedSocket, FeedTopic, TokenOwner } from '@bourse/api';
import type { Clock } from '@bourse/engine';
import {
  type FaultRule,
  type FaultRules,
  type FeedEffect,
  meansMessage,
  meansOwner,
  meansTopic,
  type UserNames,
} from './fault-rules.ts';
import type { OrderAliases } from './faulty-ports.ts';

const DISCONNECT_CODE = 1011;
const REFUSAL_CODE = 401;
/** A message held back for reordering is sent after this time even if no other follows. */
const REORDER_MS_MAX = 1000;

type Give = (texts: readonly string[]) => void;

interface SocketState {
  /** By rule: machine time until which nothing is sent. A rule is met once, and stays here after its time. */
  readonly stalledBy: Map<FaultRule, number>;
  readonly mutedBy: Set<FaultRule>;
  /** Messages waiting to be overtaken, by topic. */
  readonly held: Map<string, () => void>;
}

export class FeedRuleFaults implements FeedFaults {
  readonly #rules: FaultRules;
  readonly #aliases: OrderAliases;
  readonly #clock: Clock;
  readonly #users: UserNames;
  readonly #sockets = new Map<FeedSocket, SocketState>();
  readonly #unsubscribe: () => void;

  constructor(rules: FaultRules, aliases: OrderAliases, { machine }: Clock, users: UserNames) {
    this.#rules = rules;
    this.#aliases = aliases;
    this.#clock = machine;
    this.#users = users;
    this.#unsubscribe = rules.subscribe({
      added: (rule) => this.#applyToOpen(rule),
      removed: (rule) => this.#end(rule),
    });
  }

  get isActive(): boolean {
    return this.#rules.hasFeedRules || !this.#aliases.isEmpty;
  }

  close(): void {
    this.#unsubscribe();
  }

  opened(socket: FeedSocket): void {
    this.#sockets.set(socket, {
      stalledBy: new Map(),
      mutedBy: new Set(),
      held: new Map(),
    });
  }

  closed(socket: FeedSocket): void {
    this.#sockets.delete(socket);
  }

  refusal(owner: TokenOwner): number | undefined {
    for (const rule of this.#rules.feedRules('feed-refuse-token')) {
      if (!meansOwner(rule, owner, this.#users) || !rule.fires()) continue;
      rule.hits++;
      return (rule.effect as Extract<FeedEffect, { kind: 'feed-refuse-token' }>).code ?? REFUSAL_CODE;
    }
    return undefined;
  }

  subscribed(socket: FeedSocket): void {
    for (const rule of this.#rules.feedRules('feed-disconnect')) {
      if (this.#disconnect(rule, socket)) return;
    }
  }

  answersPing(socket: FeedSocket): boolean {
    const state = this.#sockets.get(socket);
    if (state === undefined) return true;
    for (const rule of this.#rules.feedRules('feed-no-pong')) {
      if (!this.#meansSocket(rule, socket)) continue;
      if (state.mutedBy.has(rule)) return false;
      if (!rule.fires()) continue;
      rule.hits++;
      state.mutedBy.add(rule);
      return false;
    }
    return true;
  }

  deliver(socket: FeedSocket, address: FeedTopic, texts: readonly string[], give: Give): void {
    const state = this.#sockets.get(socket);
    const rules = this.#rules.feedRules(
      'feed-drop',
      'feed-duplicate',
      'feed-reorder',
      'feed-delay',
      'feed-stall',
    );
    const outward = texts.map((text) => this.#aliases.outward(text));
    if (rules.length === 0 || state === undefined) {
      give(outward);
      return;
    }
    for (const text of outward) this.#deliverOne(socket, state, address, text, rules, give);
  }

  #deliverOne(
    socket: FeedSocket,
    state: SocketState,
    address: FeedTopic,
    text: string,
    rules: readonly FaultRule[],
    give: Give,
  ): void {
    let send = (): void => this.#sendUnlessStalled(state, text, give);
    for (const rule of rules) {
      if (!meansOwner(rule, socket.owner, this.#users) || !meansMessage(rule, address, text)) continue;
      const { effect } = rule;
      if (effect.kind === 'feed-stall') {
        this.#stall(rule, state, effect.ms);
        continue;
      }
      if (!rule.fires()) continue;
      rule.hits++;
      const before = send;
      if (effect.kind === 'feed-drop') return;
      if (effect.kind === 'feed-duplicate') {
        send = () => {
          before();
          before();
        };
      } else if (effect.kind === 'feed-delay') send = () => void this.#clock.after(effect.ms, before);
      else if (this.#hold(state, address.text, before)) return;
    }
    send();
    this.#release(state, address.text);
  }

  #sendUnlessStalled(state: SocketState, text: string, give: Give): void {
    const now = this.#clock.elapsed();
    for (const until of state.stalledBy.values()) if (now < until) return;
    give([text]);
  }

  /** Once per socket. */
  #stall(rule: FaultRule, state: SocketState, ms: number | undefined): void {
    if (state.stalledBy.has(rule) || !rule.fires()) return;
    rule.hits++;
    state.stalledBy.set(rule, this.#clock.elapsed() + (ms ?? Infinity));
  }

  /** Held until the next message of the topic has been sent; false if one is already held. */
  #hold(state: SocketState, topic: string, send: () => void): boolean {
    if (state.held.has(topic)) return false;
    state.held.set(topic, send);
    this.#clock.after(REORDER_MS_MAX, () => {
      if (state.held.get(topic) === send) this.#release(state, topic);
    });
    return true;
  }

  #release(state: SocketState, topic: string): void {
    const send = state.held.get(topic);
    state.held.delete(topic);
    send?.();
  }

  /** What a rule began on a socket ends with the rule. */
  #end(rule: FaultRule): void {
    for (const { stalledBy, mutedBy } of this.#sockets.values()) {
      stalledBy.delete(rule);
      mutedBy.delete(rule);
    }
  }

  /** A rule that closes connections also applies to open ones. */
  #applyToOpen(rule: FaultRule): void {
    if (rule.effect.kind !== 'feed-disconnect') return;
    for (const socket of this.#sockets.keys()) this.#disconnect(rule, socket);
  }

  #disconnect(rule: FaultRule, socket: FeedSocket): boolean {
    if (!this.#meansSocket(rule, socket) || !rule.fires()) return false;
    rule.hits++;
    const { code } = rule.effect as Extract<FeedEffect, { kind: 'feed-disconnect' }>;
    socket.close(code ?? DISCONNECT_CODE, 'the connection was lost');
    return true;
  }

  /** Matches by owner and, if the rule names a topic or symbol, by subscriptions. */
  #meansSocket(rule: FaultRule, { owner, addresses }: FeedSocket): boolean {
    if (!meansOwner(rule, owner, this.#users)) return false;
    const { topic, symbol } = rule.given.match ?? {};
    if (topic === undefined && symbol === undefined) return true;
    for (const address of addresses) if (meansTopic(rule, address)) return true;
    return false;
  }
}
