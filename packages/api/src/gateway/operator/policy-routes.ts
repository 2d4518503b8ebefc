/** The policy: calls that need approval by other operators. */

import { type Policy, type PolicyRule, ROLES, type Role } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { showRules } from './audit-entry.ts';
import { APPROVERS } from './proposal-routes.ts';
import { findCurrency, parseAmount } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const RULES_MAX = 100;
const EXPIRY_MS_MAX = 90 * 24 * 3_600_000;

const Rule = Type.Object(
  {
    call: Type.String(),
    above: Type.Optional(Type.Record(Type.String(), Type.String())),
    approvals: Type.Integer({ minimum: 1, maximum: 3 }),
    roles: Type.Optional(
      Type.Array(Type.Union(APPROVERS.map((role) => Type.Literal(role))), {
        minItems: 1,
        maxItems: APPROVERS.length,
      }),
    ),
  },
  { additionalProperties: false },
);

interface GivenRule {
  readonly call: string;
  readonly above?: Readonly<Record<string, string>>;
  readonly approvals: number;
  readonly roles?: readonly string[];
}

/** `others`: all other routes. Changing the policy can itself need approval. */
export function policyRoutes(others: readonly OperatorRoute[]): readonly OperatorRoute[] {
  const setPolicy: OperatorRoute = operatorRoute({
    id: 'set-policy',
    method: 'POST',
    path: '/v1/policy',
    roles: ['admin'],
    summary:
      'Replaces the policy. A call with a rule returns 202 with a proposal, and is executed when enough others have approved it.',
    body: {
      rules: Type.Array(Rule, { maxItems: RULES_MAX }),
      expiryMs: Type.Integer({ minimum: 1, maximum: EXPIRY_MS_MAX }),
    },
    async handle({ services, body, act }) {
      const rules = body.rules.map((rule, at) => ruleOf(services, [...others, setPolicy], rule, at));
      await act({ kind: 'set-policy', rules, expiryMs: body.expiryMs });
      return readPolicy(services);
    },
  });
  const getPolicy = operatorRoute({
    id: 'get-policy',
    method: 'GET',
    path: '/v1/policy',
    summary: 'The calls that need approval by others, and how long a proposal stays open.',
    handle: ({ services }) => readPolicy(services),
  });
  return [getPolicy, setPolicy];
}

async function readPolicy({ port, catalogue }: OperatorServices): Promise<object> {
  const { rules, expiryMs }: Policy = await port.read(({ reference }) => reference.proposals.policy);
  return { rules: showRules(rules, catalogue), expiryMs };
}

function ruleOf(
  services: OperatorServices,
  routes: readonly OperatorRoute[],
  { call, above, approvals, roles }: GivenRule,
  at: number,
): PolicyRule {
  const route = routes.find(({ id }) => id === call);
  const field = `rules[${at}]`;
  if (!route) {
    const msg = `${field}.call: there is no call '${shortened(call)}'. GET /openapi.json has their ids.`;
    throw operatorRefusal('call-unknown', msg);
  }
  if (route.policy === 'never') {
    const msg = `${field}.call: ${call} is not a change of the exchange that others could approve.`;
    throw operatorRefusal('call-not-possible', msg);
  }
  if (above !== undefined && route.policy !== 'above') {
    const msg = `${field}.above: ${call} moves no amount. Leave it out: then every ${call} needs approval.`;
    throw operatorRefusal('field-not-allowed', msg);
  }
  const approvers = rolesOf(roles ?? route.roles);
  return {
    call,
    ...(above && { above: amountsOf(services, above) }),
    approvals,
    roles: approvers,
  };
}

/** The roles that have the call, without `custodian`: programs cannot approve. */
const rolesOf = (roles: readonly string[]): Role[] =>
  ROLES.filter((role) => roles.includes(role) && APPROVERS.includes(role));

function amountsOf(services: OperatorServices, above: Readonly<Record<string, string>>) {
  return Object.entries(above).map(([code, text]) => {
    const currency = findCurrency(services, code);
    return { currency: currency.number, amount: text === '0' ? 0n : parseAmount(text, currency) };
  });
}
