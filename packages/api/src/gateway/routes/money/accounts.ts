/** A user's accounts: as a list, by id, and the transferable amount. */

import { type Account, type AccountType, type Balance, type Currency, movementUnit } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { Type, wordOf } from '../../schema.ts';
import { accountId, parseAccountId } from '../../ids.ts';
import { formatMoney } from '../../decimals.ts';
import { Refusal } from '../../errors/refusal.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const text = Type.String();

const BALANCE_SCHEMA = Type.Object({ currency: text, balance: text, available: text, holds: text });

/** Names of account types in requests; clients of the family use `trade_hf` for the trading account. */
const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['MAIN', 'main'],
  ['TRADE', 'trade'],
]);
const FAMILY_TYPES: ReadonlyMap<string, AccountType> = new Map([...TYPES, ['TRADE_HF', 'trade']]);

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
        const types = dialect.isLiteral ? TYPES : FAMILY_TYPES;
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
        const type = (dialect.isLiteral ? TYPES : FAMILY_TYPES).get(query.type);
        if (!type) {
          throw new Refusal(
            'parameter-invalid',
            `type is '${shortened(query.type)}': it must be MAIN or TRADE.`,
          );
        }
        const currency = catalogue.currency(query.currency);
        if (!currency)
          throw new Refusal('currency-unknown', `There is no currency '${shortened(query.currency)}'.`);
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
    type: asked?.toLowerCase() ?? type,
    balance: formatMoney(account.available + account.hold, currency.scale),
    available: formatMoney(account.available, currency.scale),
    holds: formatMoney(account.hold, currency.scale),
  };
}

/** The transferable amount: the available balance, rounded down to the currency's precision. */
function transferableOf({ available }: Balance, currency: Currency): bigint {
  return available - (available % movementUnit(currency));
}
