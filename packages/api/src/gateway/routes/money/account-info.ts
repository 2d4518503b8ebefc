/** Information about the caller: the key in use, the user's level and sub-accounts, the basic fee rates. */

import { SUB_ACCOUNTS_MAX } from '@bourse/core';
import { Type } from '../../schema.ts';
import { formatSmall } from '../../decimals.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { keyCreatedAt, permissionText } from '../../access/keys.ts';
import { isMaster, subUsersOf, uidOf } from './sub-accounts.ts';

const RATE_DECIMALS = 8;
/** Selects the rates for symbols without their own. */
const EVERY_SYMBOL = -1;

const text = Type.String();
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
        createdAt: Type.Integer({ description: 'Milliseconds; 0 where it is not known.' }),
        uid: count,
        isMaster: Type.Boolean(),
        subName: Type.Optional(text),
      }),
      handle({ user, key: name }) {
        const key = catalogue.key(name);
        if (!key) throw new Error(`the key ${name} is gone while its request is answered`);
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
