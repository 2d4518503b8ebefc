/** Users, sub-accounts, keys and balances. */

import { randomBytes, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Key, User } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { canonicalAddress } from '../access/ip-addresses.ts';
import { Type } from '../schema.ts';
import { formatMoney } from '../decimals.ts';
import { parseUserId, userId } from '../ids.ts';
import { PERMISSION_NAMES, permissionNames, permissionsOf } from '../access/permissions.ts';
import { findUser } from './resolve.ts';
import { operatorRefusal } from './operator-errors.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const KEY_BYTES = 12;
const PASSPHRASE_BYTES = 12;

const Text = Type.String();
const Permissions = Type.Array(
  Type.Union(Object.values(PERMISSION_NAMES).map((name) => Type.Literal(name))),
  { maxItems: 4 },
);
const Addresses = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20 });
/** What the family's clients allow. */
const Passphrase = Type.String({
  pattern: '^[\\x21-\\x7e]{7,32}$',
  expects: '7 to 32 printable ASCII characters without blanks',
});
const UserName = Type.String({
  pattern: '^[A-Za-z0-9._@-]{1,64}$',
  expects: '1 to 64 letters, digits, points, underscores, hyphens and @',
});

export const USER_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'list-users',
    method: 'GET',
    path: '/v1/users',
    summary: 'All users and sub-accounts.',
    handle: ({ services }) => services.catalogue.users().map(showUser),
  }),
  operatorRoute({
    id: 'get-user',
    method: 'GET',
    path: '/v1/users/:userId',
    summary: 'One user, by id or name.',
    params: { userId: Text },
    handle: ({ services, params }) => showUser(findUser(services, params.userId)),
  }),
  operatorRoute({
    id: 'add-user',
    method: 'POST',
    path: '/v1/users',
    roles: ['support'],
    summary: 'Adds a user, or with `parentId` a sub-account.',
    body: { name: UserName, parentId: Type.Optional(Text) },
    async handle({ services, body, act }) {
      if (parseUserId(body.name) >= 0) {
        throw operatorRefusal('text-invalid', `name: '${shortened(body.name)}' is the id of a user.`);
      }
      const parent = body.parentId === undefined ? {} : { parent: findUser(services, body.parentId).number };
      await act({ kind: 'add-user', name: body.name, ...parent });
      return showUser(findUser(services, body.name));
    },
  }),
  operatorRoute({
    id: 'change-user',
    method: 'POST',
    path: '/v1/users/:userId',
    roles: ['support', 'compliance'],
    summary: 'Sets the rate limit tier, or freezes a user: then only cancelling works.',
    params: { userId: Text },
    body: {
      tier: Type.Optional(Type.Integer({ minimum: 0, maximum: 12 })),
      frozen: Type.Optional(Type.Boolean()),
    },
    async handle({ services, params, body, act }) {
      const { number } = findUser(services, params.userId);
      await act({ kind: 'change-user', user: number, ...body });
      return showUser(findUser(services, params.userId));
    },
  }),
  operatorRoute({
    id: 'get-balances',
    method: 'GET',
    path: '/v1/users/:userId/balances',
    summary: 'What a user has: accounts that are not empty.',
    params: { userId: Text },
    handle: ({ services, params }) => listBalances(services, findUser(services, params.userId).number),
  }),
  operatorRoute({
    id: 'list-keys',
    method: 'GET',
    path: '/v1/users/:userId/keys',
    summary: 'The keys of a user, without their secrets.',
    params: { userId: Text },
    handle({ services, params }) {
      const { number } = findUser(services, params.userId);
      const keys = services.catalogue.keys().filter(({ user }) => user === number);
      return keys.map(showKey);
    },
  }),
  operatorRoute({
    id: 'add-key',
    method: 'POST',
    path: '/v1/users/:userId/keys',
    roles: ['support'],
    summary: 'Makes a key. Its secret and passphrase are in this answer and never again.',
    params: { userId: Text },
    body: {
      permissions: Permissions,
      passphrase: Type.Optional(Passphrase),
      ipAllowList: Type.Optional(Addresses),
      version: Type.Optional(Type.Union([Type.Literal(2), Type.Literal(3)])),
    },
    async handle({ services, params, body, act }) {
      const { number: user } = findUser(services, params.userId);
      const { permissions, version = 3 } = body;
      const ipAllowList = readAddresses(body.ipAllowList ?? []);
      const key = randomBytes(KEY_BYTES).toString('hex');
      const apiSecret = randomUUID();
      const apiPassphrase = body.passphrase ?? randomBytes(PASSPHRASE_BYTES).toString('base64url');
      const secret = services.secrets.seal(apiSecret, apiPassphrase);
      await act(
        {
          kind: 'add-key',
          user,
          key,
          version,
          permissions: permissionsOf(permissions),
          ipAllowList,
          secret,
        },
        { apiKey: key, apiSecret, apiPassphrase },
      );
      return { ...showKey(findKey(services, key)), apiSecret, apiPassphrase };
    },
  }),
  operatorRoute({
    id: 'change-key',
    method: 'POST',
    path: '/v1/keys/:apiKey',
    roles: ['support'],
    summary: 'Changes permissions and allowed addresses of a key.',
    params: { apiKey: Text },
    body: { permissions: Type.Optional(Permissions), ipAllowList: Type.Optional(Addresses) },
    async handle({ services, params, body, act }) {
      const { permissions } = body;
      const ipAllowList = body.ipAllowList && readAddresses(body.ipAllowList);
      await act({
        kind: 'change-key',
        key: params.apiKey,
        ...(permissions ? { permissions: permissionsOf(permissions) } : {}),
        ...(ipAllowList ? { ipAllowList } : {}),
      });
      return showKey(findKey(services, params.apiKey));
    },
  }),
  operatorRoute({
    id: 'remove-key',
    method: 'DELETE',
    path: '/v1/keys/:apiKey',
    roles: ['support'],
    summary: 'Removes a key, at once and for ever.',
    params: { apiKey: Text },
    async handle({ params, act }) {
      await act({ kind: 'remove-key', key: params.apiKey });
      return { apiKey: params.apiKey, removed: true };
    },
  }),
];

function showUser({ number, name, parent, tier, frozen }: User) {
  return { userId: userId(number), name, parentId: parent < 0 ? null : userId(parent), tier, frozen };
}

function showKey({ key, user, version, permissions, ipAllowList }: Key) {
  return {
    apiKey: key,
    userId: userId(user),
    version,
    permissions: permissionNames(permissions),
    ipAllowList,
  };
}

function findKey({ catalogue }: OperatorServices, name: string): Key {
  const key = catalogue.key(name);
  if (key) return key;
  throw operatorRefusal('key-unknown', `Unknown key '${shortened(name)}'.`);
}

function readAddresses(addresses: readonly string[]): string[] {
  return addresses.map((address) => {
    if (isIP(address) !== 0) return canonicalAddress(address);
    const msg = `ipAllowList: '${shortened(address)}' is not an address such as 203.0.113.7 or 2001:db8::7.`;
    throw operatorRefusal('value-invalid', msg);
  });
}

function listBalances({ port, catalogue }: OperatorServices, user: number) {
  return port.read((exchange) =>
    catalogue.currencies().flatMap(({ number, code, scale }) =>
      (['main', 'trade'] as const).flatMap((type) => {
        const { available, hold } = exchange.balance(user, type, number);
        if (available === 0n && hold === 0n) return [];
        const [balance, shown, holds] = [available + hold, available, hold].map((each) =>
          formatMoney(each, scale),
        );
        return [{ currency: code, type: type.toUpperCase(), balance, available: shown, holds }];
      }),
    ),
  );
}
