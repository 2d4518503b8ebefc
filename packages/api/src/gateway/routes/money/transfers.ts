/** Transfers between a user's accounts, and between a master and its sub-accounts. */

import type { AccountType, Transfer, TransferType } from '@bourse/core';
import { shortened, submit } from '@bourse/engine';
import { Type, wordOf } from '../../schema.ts';
import { INEXPRESSIBLE, MALFORMED, moneyOf, nearestMultiples } from '../../decimals.ts';
import { explain } from '../../errors/explain.ts';
import { markedId, parseUserId } from '../../ids.ts';
import { Refusal, invalid } from '../../errors/refusal.ts';
import { currencyOf, shown } from '../../members.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

export interface TransferBody {
  readonly clientOid: string;
  readonly currency?: string;
  readonly amount: string | number;
  readonly type: string;
  readonly fromAccountType: string;
  readonly toAccountType: string;
  readonly fromUserId?: string;
  readonly toUserId?: string;
}

const TYPES: ReadonlyMap<string, TransferType> = new Map([
  ['INTERNAL', 'internal'],
  ['PARENT_TO_SUB', 'parent-to-sub'],
  ['SUB_TO_PARENT', 'sub-to-parent'],
]);
/** Names of accounts in requests; clients of the family use `trade_hf` for the trading account. */
export const ACCOUNTS: ReadonlyMap<string, AccountType> = new Map([
  ['MAIN', 'main'],
  ['TRADE', 'trade'],
]);
export const FAMILY_ACCOUNTS: ReadonlyMap<string, AccountType> = new Map([
  ...ACCOUNTS,
  ['TRADE_HF', 'trade'],
]);

const MASTER = -1;

const text = Type.String();

export function transferRoutes(services: Services): Route[] {
  return [
    route({
      id: 'flex-transfer',
      method: 'POST',
      path: '/api/v3/accounts/universal-transfer',
      summary: 'Moves money between accounts of one user, or between a master and its sub-account.',
      access: 'flex-transfers',
      pool: 'manage',
      weight: 4,
      shape: 'bare',
      body: {
        clientOid: text,
        currency: Type.Optional(text),
        amount: text,
        type: wordOf(...TYPES.keys()),
        fromAccountType: wordOf(...ACCOUNTS.keys()),
        toAccountType: wordOf(...ACCOUNTS.keys()),
        fromUserId: Type.Optional(text),
        toUserId: Type.Optional(text),
      },
      answer: Type.Object({ orderId: text }),
      handle: (call) => move(services, call),
    }),
  ];
}

/** Completed by the time of the response. */
async function move(
  services: Services,
  call: Call<unknown, unknown, TransferBody>,
): Promise<{ orderId: string }> {
  const { port, catalogue } = services;
  const transfer = transferOf(call, services);
  const { outcome } = await submit(port, transfer, call.user);
  if (outcome.kind === 'rejected') {
    // Without a currency, all currencies have the same scale (see below), so any of them will do.
    const currency = catalogue.currencyAt(transfer.currency ?? 0);
    throw explain(outcome.rejection, catalogue, { purpose: 'transfer', currency });
  }
  if (outcome.kind !== 'added') throw new Error(`unexpected outcome '${outcome.kind}' of a transfer`);
  return { orderId: markedId('transfer', outcome.id) };
}

function transferOf(call: Call<unknown, unknown, TransferBody>, services: Services): Transfer {
  const { body, user, once, dialect } = call;
  const accounts = dialect.isLiteral ? ACCOUNTS : FAMILY_ACCOUNTS;
  const type = oneOf('type', body.type, TYPES);
  const from = oneOf('fromAccountType', body.fromAccountType, accounts);
  const to = oneOf('toAccountType', body.toAccountType, accounts);
  const fromUser = userNamed('fromUserId', body.fromUserId, services);
  const toUser = userNamed('toUserId', body.toUserId, services);
  const isMaster = services.catalogue.user(user)?.parent === MASTER;
  if (type === 'internal' || isMaster) {
    if (type !== 'sub-to-parent') checkOwn('fromUserId', fromUser, user, body.type);
    if (type !== 'parent-to-sub') checkOwn('toUserId', toUser, user, body.type);
  }
  const currency = body.currency ? currencyOf(services.catalogue, body.currency) : undefined;
  const amount = currency
    ? amountOf(String(body.amount), currency)
    : amountOfTheOnly(String(body.amount), services);
  return {
    kind: 'transfer',
    user,
    type,
    clientId: body.clientOid,
    ...(currency && { currency: currency.number }),
    amount,
    from,
    to,
    ...(fromUser !== undefined && { fromUser }),
    ...(toUser !== undefined && { toUser }),
    ...(once && { once }),
  };
}

function oneOf<T>(field: string, value: string, values: ReadonlyMap<string, T>): T {
  const found = values.get(value);
  if (found !== undefined) return found;
  throw new Refusal(
    'parameter-invalid',
    `${field} is '${shortened(value)}': it must be ${[...values.keys()].join(' or ')}.`,
  );
}

function userNamed(field: string, id: string | undefined, { catalogue }: Services): number | undefined {
  if (!id) return undefined;
  const user = parseUserId(id);
  if (user >= 0 && catalogue.user(user)) return user;
  throw new Refusal('parameter-invalid', `${field} is '${shortened(id)}': there is no such user.`);
}

function checkOwn(field: string, named: number | undefined, user: number, type: string): void {
  if (named === undefined || named === user) return;
  throw new Refusal(
    'parameter-invalid',
    `${field} must be your own user id, or left out, when type is ${type}.`,
  );
}

interface Scaled {
  readonly code: string;
  readonly scale: number;
  readonly precision: number;
}

export function amountOf(value: string, { code, scale, precision }: Scaled): bigint {
  const amount = moneyOf(value, scale);
  if (amount === MALFORMED) {
    throw new Refusal(
      'parameter-invalid',
      `amount is ${shown(value)}: it must be a decimal such as 10.5, of at most 40 digits, without sign, exponent or spaces.`,
    );
  }
  if (amount === INEXPRESSIBLE) {
    const increment = precision === 0 ? '1' : `0.${'0'.repeat(precision - 1)}1`;
    const near = nearestMultiples(value, increment);
    if (!near)
      throw new Refusal('amount-above-max', `amount ${value} is above the largest amount of ${code}.`);
    throw new Refusal(
      'amount-increment',
      `amount ${value} is not a multiple of ${increment} ${code}: the nearest are ${near.below || '0'} and ${near.above}.`,
    );
  }
  return amount;
}

/**
 * Without a currency, the core uses the only one with money in the source account. Until then the units of the amount
 * are unknown, so this works only if all currencies have the same scale.
 */
function amountOfTheOnly(value: string, { catalogue }: Services): bigint {
  const scales = new Set(catalogue.currencies().map(({ scale }) => scale));
  const [first] = catalogue.currencies();
  if (scales.size === 1) return amountOf(value, first);
  throw new Refusal('parameter-invalid', 'currency is missing: name the currency to transfer.');
}

const optional = Type.Optional(text);
const ANSWER = Type.Object({ orderId: text });

/**
 * The family's older transfer calls; both are the flex transfer with other field names. Between a user's own accounts
 * they require the permission to trade, between two users the permission to transfer, like the flex transfer.
 */
export function innerTransferRoutes(services: Services): Route[] {
  const common = { method: 'POST', pool: 'manage', shape: 'A', answer: ANSWER } as const;
  return [
    route({
      ...common,
      id: 'inner-transfer',
      access: 'spot',
      path: '/api/v2/accounts/inner-transfer',
      summary: "Moves money between the caller's own accounts.",
      weight: 10,
      body: {
        clientOid: text,
        currency: text,
        amount: text,
        from: wordOf('main', 'trade'),
        to: wordOf('main', 'trade'),
      },
      handle(call) {
        const { clientOid, currency, amount, from, to } = call.body;
        return move(services, {
          ...call,
          body: {
            clientOid,
            currency,
            amount,
            type: 'INTERNAL',
            fromAccountType: from.toUpperCase(),
            toAccountType: to.toUpperCase(),
          },
        });
      },
    }),
    route({
      ...common,
      id: 'sub-transfer',
      access: 'flex-transfers',
      path: '/api/v2/accounts/sub-transfer',
      summary: 'Moves money from a master to its sub-account (OUT) or back (IN).',
      weight: 30,
      body: {
        clientOid: text,
        currency: text,
        amount: text,
        direction: wordOf('IN', 'OUT'),
        subUserId: text,
        accountType: optional,
        subAccountType: optional,
      },
      handle(call) {
        const { clientOid, currency, amount, direction, subUserId } = call.body;
        const account = (call.body.accountType || 'MAIN').toUpperCase();
        const subAccount = (call.body.subAccountType || 'MAIN').toUpperCase();
        const money = { clientOid, currency, amount };
        if (direction === 'OUT') {
          const accounts = { fromAccountType: account, toAccountType: subAccount, toUserId: subUserId };
          return move(services, { ...call, body: { ...money, type: 'PARENT_TO_SUB', ...accounts } });
        }
        if (direction !== 'IN') throw invalid(`direction ${shown(direction)} must be IN or OUT.`);
        const accounts = { fromAccountType: subAccount, toAccountType: account, fromUserId: subUserId };
        return move(services, { ...call, body: { ...money, type: 'SUB_TO_PARENT', ...accounts } });
      },
    }),
  ];
}
