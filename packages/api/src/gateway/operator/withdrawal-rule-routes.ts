/** Daily withdrawal limits, and address rules. */

import type { AddressRule } from '@bourse/core';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney } from '../decimals.ts';
import { payeeOf } from '../money/addresses.ts';
import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findChain, findCurrency, findUser, parseAmount } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const Text = Type.String();
/** Decimals by currency; null removes a limit. */
export const PerDay = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]));

export const WITHDRAWAL_RULE_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'get-user-limits',
    method: 'GET',
    path: '/v1/users/:userId/limits',
    summary: 'Daily withdrawal limits (UTC) of a user with its sub-accounts, and the amounts left today.',
    params: { userId: Text },
    handle: ({ services, params }) => readLimits(services, findUser(services, params.userId).number),
  }),
  operatorRoute({
    id: 'set-user-limits',
    method: 'POST',
    path: '/v1/users/:userId/limits',
    roles: ['compliance'],
    summary:
      'Sets daily withdrawal limits (UTC) of a user by currency; null restores the tier’s limit. Sub-accounts count towards their master.',
    params: { userId: Text },
    body: { withdrawalPerDay: PerDay },
    async handle({ services, params, body, act }) {
      const { number: user } = findUser(services, params.userId);
      await act({ kind: 'set-withdrawal-limits', user, limits: limitsOf(services, body.withdrawalPerDay) });
      return readLimits(services, user);
    },
  }),
  operatorRoute({
    id: 'list-address-rules',
    method: 'GET',
    path: '/v1/address-rules',
    summary: 'Blocked withdrawal addresses, and exceptions.',
    async handle({ services }) {
      const rules = await services.port.read(({ reference }) => reference.addressRules());
      return rules.map((rule) => showRule(rule, services.catalogue));
    },
  }),
  operatorRoute({
    id: 'add-address-rule',
    method: 'POST',
    path: '/v1/address-rules',
    roles: ['compliance'],
    summary:
      'Blocks withdrawals to an address, in general or for a currency or chain; `allow` makes an exception to a broader `block`.',
    body: {
      currency: Type.Optional(Text),
      chain: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      address: Type.String({ minLength: 1, maxLength: 256 }),
      rule: Type.Union([Type.Literal('block'), Type.Literal('allow')]),
    },
    async handle({ services, body, act }) {
      const { rule: action } = body;
      const address = payeeOf(body.address);
      const currency = body.currency === undefined ? undefined : findCurrency(services, body.currency);
      const chain = body.chain === undefined ? undefined : chainOf(services, currency, body.chain);
      const outcome = await act({
        kind: 'add-address-rule',
        action,
        address,
        ...(currency !== undefined && { currency: currency.number }),
        ...(chain !== undefined && { chain }),
      });
      if (outcome.kind !== 'added')
        throw new Error(`unexpected outcome '${outcome.kind}' of an address rule`);
      return {
        ruleId: outcome.id,
        currency: currency?.code ?? null,
        chain: chain ?? null,
        address,
        rule: action,
      };
    },
  }),
  operatorRoute({
    id: 'remove-address-rule',
    method: 'DELETE',
    path: '/v1/address-rules/:ruleId',
    roles: ['compliance'],
    summary: 'Removes an address rule.',
    params: {
      ruleId: Type.String({ pattern: '^[0-9]{1,9}$', expects: 'the number of a rule' }),
    },
    async handle({ params, act }) {
      const rule = Number(params.ruleId);
      await act({ kind: 'remove-address-rule', rule });
      return { ruleId: rule, removed: true };
    },
  }),
];

export function limitsOf(services: OperatorServices, perDay: object) {
  const named = Object.entries(perDay) as [code: string, amount: string | null][];
  return named.map(([code, text]) => {
    const currency = findCurrency(services, code);
    const amount = text === null ? null : text === '0' ? 0n : parseAmount(text, currency);
    return { currency: currency.number, amount };
  });
}

/** Limits by tier and currency, as decimals. */
export async function readTierLimits({ port, catalogue }: OperatorServices) {
  const limits = await port.read(({ reference }) => reference.withdrawalLimits());
  const ofTiers = limits.filter(({ tier }) => tier >= 0);
  const tiers = [...new Set(ofTiers.map(({ tier }) => tier))];
  return tiers.map((tier) => ({
    tier,
    withdrawalPerDay: Object.fromEntries(
      ofTiers
        .filter((each) => each.tier === tier)
        .map(({ currency, amount }) => {
          const { code, scale } = catalogue.currencyAt(currency);
          return [code, formatMoney(amount, scale)];
        }),
    ),
  }));
}

function readLimits({ port, catalogue }: OperatorServices, user: number) {
  return port.read(({ reference }) => {
    return catalogue.currencies().flatMap(({ number, code, scale }) => {
      const today = reference.leftToday(user, number);
      if (today === null) return [];
      const [perDay, usedToday, leftToday] = [today.limit, today.used, today.left].map((units) =>
        formatMoney(units, scale),
      );
      const of = today.isOwn ? 'user' : 'tier';
      return [{ currency: code, withdrawalPerDay: perDay, usedToday, leftToday, of }];
    });
  });
}

export function showRule(
  { rule, action, address, currency, chain, by, why, time }: AddressRule,
  catalogue: Catalogue,
) {
  return {
    ruleId: rule,
    currency: currency === undefined ? null : catalogue.currencyAt(currency).code,
    chain: chain ?? null,
    address,
    rule: action,
    by,
    reason: why,
    time: new Date(time).toISOString(),
  };
}

/** Resolves a chain by id or name. Without a currency, searches the chains of all currencies. */
function chainOf(
  { catalogue }: OperatorServices,
  currency: ReturnType<typeof findCurrency> | undefined,
  text: string,
): string {
  if (currency !== undefined) return findChain(currency, text).chainId;
  const wanted = text.toLowerCase();
  const found = catalogue
    .currencies()
    .flatMap(({ chains }) => chains)
    .find(({ chainId, chainName }) => [chainId, chainName].some((each) => each.toLowerCase() === wanted));
  if (found) return found.chainId;
  throw operatorRefusal(
    'chain-unknown',
    `No currency has a chain '${text}'. Name the currency to see its chains.`,
  );
}
