/**
 * A user's accounts, information about the caller, and the proof that published liabilities include the caller's
 * balances.
 */

import {
  type Account,
  type Balance,
  type Currency,
  movementUnit,
  RATE_DECIMALS,
  SUB_ACCOUNTS_MAX,
} from '@bourse/core';
import { shortened } from '@bourse/engine';
import { keyCreatedAt, permissionText } from '../../access/keys.ts';
import { formatMoney, formatSmall } from '../../decimals.ts';
import { Refusal } from '../../errors/refusal.ts';
import { accountId, parseAccountId } from '../../ids.ts';
import { currencyOf } from '../../members.ts';
import { route, type Route } from '../../route.ts';
import { Type, wordOf } from '../../schema.ts';
import type { Services } from '../../services.ts';
import { isMaster, subUsersOf, uidOf } from './sub-accounts.ts';
import { ACCOUNTS, FAMILY_ACCOUNTS } from './transfers.ts';

const text = Type.String();

const BALANCE_SCHEMA = Type.Object({ currency: text, balance: text, available: text, holds: text });

export function accountRoutes({ port, catalogue }: Services): Route[] {
  return [
    route({
      id: 'list-accounts',
      method: 'GET',
      path: '/api/v1/accounts',
      summary: "The caller's accounts, all or those of one currency or type.",
      access: 'general',
      pool: 'manage',
      weight: 5,
      shape: 'A',
      query: { currency: Type.Optional(text), type: Type.Optional(wordOf('main', 'trade')) },
      answer: Type.Array(
        Type.Object({
          id: text,
          currency: text,
          type: wordOf('main', 'trade'),
          balance: text,
          available: text,
          holds: text,
        }),
      ),
      async handle({ user, query, dialect }) {
        const accounts = await port.read((exchange) => exchange.accounts(user));
        const types = dialect.isLiteral ? ACCOUNTS : FAMILY_ACCOUNTS;
        const type = query.type ? types.get(query.type.toUpperCase()) : undefined;
        const currency = query.currency ? catalogue.currency(query.currency) : undefined;
        return accounts
          .filter((each) => !query.type || each.type === type)
          .filter((each) => !query.currency || each.currency === currency?.number)
          .map((each) => listed(each, user, catalogue.currencyAt(each.currency), query.type));
      },
    }),
    route({
      id: 'get-transferable',
      method: 'GET',
      path: '/api/v1/accounts/transferable',
      summary: 'The amount that can be transferred out of one account.',
      access: 'general',
      pool: 'manage',
      weight: 20,
      shape: 'bare',
      query: { currency: text, type: wordOf('MAIN', 'TRADE') },
      answer: Type.Object({ ...BALANCE_SCHEMA.properties, transferable: text }),
      async handle({ user, query, dialect }) {
        const type = (dialect.isLiteral ? ACCOUNTS : FAMILY_ACCOUNTS).get(query.type);
        if (!type) {
          throw new Refusal(
            'parameter-invalid',
            `type is '${shortened(query.type)}': it must be MAIN or TRADE.`,
          );
        }
        const currency = currencyOf(catalogue, query.currency);
        const { isFrozen, ...balance } = await port.read((exchange) => ({
          ...exchange.balance(user, type, currency.number),
          isFrozen: exchange.reference.isFrozen(user),
        }));
        return {
          ...shown(balance, currency),
          transferable: formatMoney(isFrozen ? 0n : transferableOf(balance, currency), currency.scale),
        };
      },
    }),
    route({
      id: 'get-account',
      method: 'GET',
      path: '/api/v1/accounts/:accountId',
      summary: "One of the caller's accounts, by its id.",
      access: 'general',
      pool: 'manage',
      weight: 5,
      shape: 'bare',
      params: { accountId: text },
      answer: BALANCE_SCHEMA,
      async handle({ user, params }) {
        const name = parseAccountId(params.accountId);
        const account =
          name?.user === user
            ? (await port.read((exchange) => exchange.accounts(user))).find(
                ({ type, currency }) => type === name.type && currency === name.currency,
              )
            : undefined;
        // Another user's account gets the same error as a nonexistent one, so that ids cannot be probed.
        if (!account) {
          throw new Refusal(
            'account-unknown',
            `You have no account '${shortened(params.accountId)}': GET /api/v1/accounts lists those you have.`,
          );
        }
        return shown(account, catalogue.currencyAt(account.currency));
      },
    }),
  ];
}

function shown({ available, hold }: Balance, { code, scale }: Currency) {
  return {
    currency: code,
    balance: formatMoney(available + hold, scale),
    available: formatMoney(available, scale),
    holds: formatMoney(hold, scale),
  };
}

/** A family client that requests `trade_hf` keeps only rows of that type. */
function listed(account: Account, user: number, currency: Currency, asked: string | undefined) {
  const { type } = account;
  const id = accountId({ user, type, currency: account.currency });
  return {
    id,
    currency: currency.code,
    type: asked?.toLowerCase() || type,
    balance: formatMoney(account.available + account.hold, currency.scale),
    available: formatMoney(account.available, currency.scale),
    holds: formatMoney(account.hold, currency.scale),
  };
}

/** The transferable amount: the available balance, rounded down to the currency's precision. */
function transferableOf({ available }: Balance, currency: Currency): bigint {
  return available - (available % movementUnit(currency));
}

// Information about the caller: the key in use, the user's level and sub-accounts, the basic fee rates.

/** Selects the rates for symbols without their own. */
const EVERY_SYMBOL = -1;

const count = Type.Integer();

export function accountInfoRoutes(services: Services): Route[] {
  const { catalogue } = services;
  const common = { method: 'GET', access: 'general', shape: 'A' } as const;
  return [
    route({
      ...common,
      id: 'get-user-info',
      path: '/api/v2/user-info',
      summary: "The caller's level and its number of sub-accounts, all of which are for spot trading.",
      pool: 'manage',
      weight: 20,
      answer: Type.Object({
        level: count,
        subQuantity: count,
        spotSubQuantity: count,
        marginSubQuantity: count,
        futuresSubQuantity: count,
        optionSubQuantity: count,
        maxSubQuantity: count,
        maxDefaultSubQuantity: count,
        maxSpotSubQuantity: count,
        maxMarginSubQuantity: count,
        maxFuturesSubQuantity: count,
        maxOptionSubQuantity: count,
      }),
      handle({ user }) {
        const subs = subUsersOf(catalogue, user).length;
        const subsMax = isMaster(catalogue, user) ? SUB_ACCOUNTS_MAX : 0;
        return {
          level: catalogue.user(user)?.tier ?? 0,
          subQuantity: subs,
          spotSubQuantity: subs,
          marginSubQuantity: 0,
          futuresSubQuantity: 0,
          optionSubQuantity: 0,
          maxSubQuantity: subsMax,
          maxDefaultSubQuantity: subsMax,
          maxSpotSubQuantity: 0,
          maxMarginSubQuantity: 0,
          maxFuturesSubQuantity: 0,
          maxOptionSubQuantity: 0,
        };
      },
    }),
    route({
      ...common,
      id: 'get-api-key',
      path: '/api/v1/user/api-key',
      summary: 'The API key that signed the request.',
      pool: 'manage',
      weight: 20,
      answer: Type.Object({
        remark: text,
        apiKey: text,
        apiVersion: count,
        permission: text,
        ipWhitelist: text,
        createdAt: Type.Integer({ description: 'Milliseconds; 0 if unknown.' }),
        uid: count,
        isMaster: Type.Boolean(),
        subName: Type.Optional(text),
      }),
      handle({ user, key: name }) {
        const key = catalogue.key(name);
        if (!key) throw new Error(`the key ${name} was removed while its request was handled`);
        const master = isMaster(catalogue, user);
        return {
          remark: key.note ?? '',
          apiKey: name,
          apiVersion: key.version,
          permission: permissionText(key.permissions),
          ipWhitelist: key.ipAllowList.join(','),
          createdAt: keyCreatedAt(name),
          uid: uidOf(user),
          isMaster: master,
          ...(!master && { subName: catalogue.user(user)?.name ?? '' }),
        };
      },
    }),
    route({
      ...common,
      id: 'get-account-opened',
      path: '/api/v1/hf/accounts/opened',
      summary: 'Whether the caller uses the high-frequency account; always true.',
      pool: 'spot',
      weight: 30,
      answer: Type.Boolean(),
      handle: () => true,
    }),
    route({
      ...common,
      id: 'get-base-fee',
      path: '/api/v1/base-fee',
      summary: "The caller's fee rates in symbols without a rule of their own.",
      pool: 'spot',
      weight: 3,
      query: { currencyType: Type.Optional(text) },
      answer: Type.Object({ takerFeeRate: text, makerFeeRate: text }),
      handle({ user }) {
        const { maker, taker } = catalogue.rates(user, EVERY_SYMBOL);
        return {
          takerFeeRate: formatSmall(taker, RATE_DECIMALS),
          makerFeeRate: formatSmall(maker, RATE_DECIMALS),
        };
      },
    }),
  ];
}

const PROOF = Type.Object({
  id: text,
  record: Type.Integer(),
  time: Type.Integer(),
  origin: text,
  user: text,
  balances: Type.Array(
    Type.Object({
      currency: text,
      balance: text,
      units: text,
      nonce: text,
      path: Type.Array(Type.Object({ side: text, digest: text, units: text })),
    }),
  ),
});

export function liabilityProofRoutes({ transparency }: Services): Route[] {
  return [
    route({
      id: 'get-liability-proof',
      method: 'GET',
      path: '/api/v1/bourse/liabilities/:id/proof',
      summary: 'Proves that the published liabilities include the caller’s balances.',
      access: 'general',
      pool: 'manage',
      weight: 20,
      shape: 'A',
      params: { id: text },
      answer: PROOF,
      async handle({ user, params }) {
        const proof = await transparency?.liabilities.proofOf(params.id, user);
        if (proof) return proof;
        throw new Refusal(
          'liabilities-unknown',
          `No liabilities were published with the id '${shortened(params.id)}'.`,
        );
      },
    }),
  ];
}
