/** Faults of the exchange, injected by rule or in bundles. */

import {
  findSymbol,
  findUser,
  FrameError,
  isTopicName,
  type Refusal,
  resolveTopic,
  SchemaCheck,
  TOPIC_NAMES,
  Type,
} from '@bourse/api';
import { shortened } from '@bourse/engine';
import { type SandboxErrorName, sandboxRefusal } from '../sandbox-errors.ts';
import {
  type Effect,
  EFFECT_KINDS,
  EFFECT_SCHEMAS,
  type GivenMatch,
  isRequestEffect,
  routesMeant,
} from '../faults/fault-rules.ts';
import { errorOfCode, hasEffect } from '../faults/request-faults.ts';
import type { Sandbox } from '../sandbox.ts';
import { type ControlRoute, controlRoute } from './route.ts';

const Text = Type.String();
const Count = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const FAULT_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'add-fault',
    method: 'POST',
    path: '/faults',
    summary:
      'Adds a fault rule: which requests or connections it matches, its effect, and how often it fires.',
    body: {
      match: Type.Optional(
        Type.Object(
          {
            user: Type.Optional(Text),
            apiKey: Type.Optional(Text),
            method: Type.Optional(Text),
            route: Type.Optional(Text),
            symbol: Type.Optional(Text),
            topic: Type.Optional(Text),
            dialect: Type.Optional(Type.Union([Type.Literal('literal'), Type.Literal('family')])),
          },
          { additionalProperties: false },
        ),
      ),
      effect: Type.Object({ kind: Text }),
      probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      every: Type.Optional(Count),
      times: Type.Optional(Count),
      seed: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    },
    handle({ sandbox, body }) {
      const effect = checkEffect(body.effect);
      const { match = {} } = body;
      const user = checkMatch(sandbox, match, effect);
      return sandbox.faults.add({ ...body, match, effect }, user).show();
    },
  }),
  controlRoute({
    id: 'list-faults',
    method: 'GET',
    path: '/faults',
    summary: 'Lists the rules, with how often each fired.',
    handle: ({ sandbox }) => sandbox.faults.list().map((rule) => rule.show()),
  }),
  controlRoute({
    id: 'remove-fault',
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Removes a rule.',
    params: { id: Text },
    handle({ sandbox, params: { id } }) {
      sandbox.faults.remove(id);
      return { id };
    },
  }),
  controlRoute({
    id: 'remove-all-faults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Removes all rules, including those of scenarios.',
    handle({ sandbox }) {
      const removed = sandbox.faults.list().length;
      sandbox.faults.clear();
      sandbox.scenarios.clear();
      return { removed };
    },
  }),
  controlRoute({
    id: 'list-scenarios',
    method: 'GET',
    path: '/scenarios',
    summary: 'Lists the scenarios, with a description of each.',
    handle: ({ sandbox }) => sandbox.scenarios.list(),
  }),
  controlRoute({
    id: 'start-scenario',
    method: 'POST',
    path: '/scenarios/:name',
    summary: 'Starts a scenario.',
    params: { name: Text },
    handle: ({ sandbox, params: { name } }) => sandbox.scenarios.start(name),
  }),
  controlRoute({
    id: 'end-scenario',
    method: 'DELETE',
    path: '/scenarios/:name',
    summary: 'Ends a scenario and removes its rules.',
    params: { name: Text },
    handle: ({ sandbox, params: { name } }) => sandbox.scenarios.end(name),
  }),
];

function checkEffect(given: { readonly kind: string }): Effect {
  const { kind } = given;
  if (!EFFECT_KINDS.includes(kind)) {
    const msg = `effect.kind: unknown effect '${shortened(kind)}'. Expected one of: ${EFFECT_KINDS.join(', ')}.`;
    throw sandboxRefusal('value-invalid', msg);
  }
  const schema = EFFECT_SCHEMAS[kind as Effect['kind']];
  const known = Object.keys(schema.properties);
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange !== undefined) {
    const msg = `effect.${shortened(strange)}: unknown field of ${kind}. Expected one of: ${known.join(', ')}.`;
    throw sandboxRefusal('field-unknown', msg);
  }
  new SchemaCheck(Type.Object({ effect: schema }), 'body').check({ effect: given });
  const effect = given as Effect;
  if (effect.kind === 'delay') checkDelay(effect);
  if (effect.kind === 'error' && effect.status === undefined && errorOfCode(effect.code) === undefined) {
    const msg = `effect.code: unknown error code '${shortened(effect.code)}'. A code of your own also needs effect.status.`;
    throw sandboxRefusal('value-invalid', msg);
  }
  return effect;
}

function checkDelay({ ms, minMs, maxMs }: Extract<Effect, { kind: 'delay' }>): void {
  const isFixed = ms !== undefined && minMs === undefined && maxMs === undefined;
  const isDrawn = ms === undefined && minMs !== undefined && maxMs !== undefined && minMs <= maxMs;
  if (isFixed || isDrawn) return;
  throw sandboxRefusal(
    'value-invalid',
    'effect: a delay needs either ms, or minMs and maxMs with minMs <= maxMs.',
  );
}

/** The name of the user it names. */
function checkMatch({ world }: Sandbox, match: GivenMatch, effect: Effect): string | undefined {
  const { catalogue } = world.services;
  const { user, apiKey, method, route, symbol, topic, dialect } = match;
  const isRequest = isRequestEffect(effect);
  const misplaced = isRequest ? { topic } : { route, method, dialect };
  for (const [field, value] of Object.entries(misplaced)) {
    if (value === undefined) continue;
    const msg = `match.${field}: ${effect.kind} affects ${isRequest ? 'requests, which have' : 'the feed, which has'} no ${field}.`;
    throw sandboxRefusal('value-invalid', msg);
  }
  if (symbol !== undefined) findSymbol(world.services, symbol);
  if (apiKey !== undefined && catalogue.key(apiKey) === undefined) {
    throw sandboxRefusal('key-unknown', `match.apiKey: unknown key '${shortened(apiKey)}'.`);
  }
  if (method !== undefined && !/^(get|post|delete)$/i.test(method)) {
    throw sandboxRefusal(
      'value-invalid',
      `match.method: unknown method '${shortened(method)}'. Expected one of: GET, POST, DELETE.`,
    );
  }
  if (route !== undefined) checkRoute(world.routes, route, effect);
  if (topic !== undefined) checkTopic(world.services, topic);
  const found = user === undefined ? undefined : findUser(world.services, user);
  const owner = apiKey === undefined ? undefined : catalogue.key(apiKey)!.user;
  if (found !== undefined && owner !== undefined && found.number !== owner) {
    throw neverFits(`the key ${shortened(apiKey!)} is not one of ${shortened(user!)}`);
  }
  if (isRequest) checkRequests(world.routes, match, effect);
  else checkMessages(match, effect);
  return found?.name;
}

const neverFits = (why: string): Refusal<SandboxErrorName> =>
  sandboxRefusal('value-invalid', `match: nothing can match, because ${why}.`);

/** At least one route must match everything in the rule. */
function checkRequests(routes: Sandbox['world']['routes'], match: GivenMatch, effect: Effect): void {
  const { route, method, symbol, dialect } = match;
  let left = (route === undefined ? routes : routesMeant(route, routes)).filter((each) =>
    hasEffect(effect, each),
  );
  const keep = (isMeant: (each: (typeof left)[number]) => boolean, why: string): void => {
    left = left.filter(isMeant);
    if (left.length === 0) throw neverFits(why);
  };
  const what = route === undefined ? `a route that ${effect.kind} affects` : shortened(route);
  if (method !== undefined) {
    keep((each) => each.method === method.toUpperCase(), `${what} is never a ${method.toUpperCase()}`);
  }
  if (dialect !== undefined) {
    keep((each) => each.dialect === dialect, `${what} is not in the ${dialect} dialect`);
  }
  if (symbol !== undefined) keep((each) => each.namesSymbol, `${what} names no symbol`);
}

function checkMessages({ topic, symbol }: GivenMatch, { kind }: Effect): void {
  if (kind === 'feed-refuse-token' && (topic !== undefined || symbol !== undefined)) {
    throw neverFits('a token is refused before anything is subscribed to');
  }
  if (symbol !== undefined && topic?.startsWith('/account/')) {
    throw neverFits(`messages of ${topic} name no symbol`);
  }
  const argument = topic?.includes(':') ? topic.slice(topic.indexOf(':') + 1) : '';
  if (symbol === undefined || !argument.includes('-')) return;
  if (argument === symbol || argument.startsWith(`${symbol}_`)) return;
  throw neverFits(`${shortened(topic!)} has no messages of ${symbol}`);
}

function checkRoute(routes: Sandbox['world']['routes'], route: string, effect: Effect): void {
  const meant = routesMeant(route, routes);
  if (meant.length === 0) {
    const msg = `match.route: unknown route '${shortened(route)}'. Give the id or the path of a route in /openapi.json; * matches any part of a path.`;
    throw sandboxRefusal('route-unknown', msg);
  }
  if (meant.some((each) => hasEffect(effect, each))) return;
  const can = new Set(routes.filter((each) => hasEffect(effect, each)).map(({ id }) => id));
  const msg = `match.route: ${effect.kind} has no effect on ${meant[0].id}, only on ${[...can].join(', ')}.`;
  throw sandboxRefusal('value-invalid', msg);
}

function checkTopic({ catalogue }: Sandbox['world']['services'], topic: string): void {
  if (isTopicName(topic)) return;
  const found = resolveTopic(topic, catalogue, { user: 0, topicsPerCallMax: 1 });
  if (!(found instanceof FrameError)) return;
  const msg = `match.topic: unknown topic '${shortened(topic)}'. Expected one of: ${TOPIC_NAMES.join(', ')}, each with or without the part after the colon.`;
  throw sandboxRefusal('topic-unknown', msg);
}
