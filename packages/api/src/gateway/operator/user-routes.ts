/** Users, sub-accounts, keys and balances. */

import { randomBytes, randomUUID } from 'node:crypto';
import { freezeOf, type Key, type User } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { readAddresses } from '../access/ip-addresses.ts';
import { Type } from '../schema.ts';
import { formatMoney } from '../decimals.ts';
import { parseUserId, userId } from '../ids.ts';
import { PERMISSION_NAMES, permissionNames, permissionsOf } from '../access/keys.ts';
import { findUser } from './resolve.ts';
import { operatorRefusal } from './operator-errors.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices, noteCall } from './route.ts';

const KEY_BYTES = 12;
const PASSPHRASE_BYTES = 12;
const USERS_LIMIT = 100;
const USERS_LIMIT_MAX = 1000;

const Text = Type.String();
const Permissions = Type.Array(
  Type.Union(Object.values(PERMISSION_NAMES).map((name) => Type.Literal(name))),
  { maxItems: 4 },
);
const Addresses = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20 });
/** Passphrases that clients of the family dialect accept. */
const Passphrase = Type.String({
  pattern: '^[\\x21-\\x7e]{7,32}$',
  expects: '7 to 32 printable ASCII characters without spaces',
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
    summary:
      'Users and sub-accounts in the order they were added; filters: part of the name, id or e-mail address, tier, and `frozen`: whether a freeze of any level applies, of the user (`freeze`) or of its master (`masterFreeze`). Next page: `after` the last userId.',
    query: {
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      frozen: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
      tier: Type.Optional(Type.String({ pattern: '^([0-9]|1[0-2])$', expects: 'an integer from 0 to 12' })),
      after: Type.Optional(Text),
      limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$', expects: 'a whole number' })),
    },
    handle: ({ services, query }) => listUsers(services, query),
  }),
  operatorRoute({
    id: 'get-user',
    method: 'GET',
    path: '/v1/users/:userId',
    summary: 'One user, by id or name.',
    params: { userId: Text },
    handle: ({ services, params }) => showUser(services, findUser(services, params.userId)),
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
      return showUser(services, findUser(services, body.name));
    },
  }),
  operatorRoute({
    id: 'change-user',
    method: 'POST',
    path: '/v1/users/:userId',
    roles: ['support', 'compliance'],
    summary:
      'Sets the tier of a user, which determines rate limits and withdrawal limits (compliance), or completely freezes or unfreezes the user.',
    params: { userId: Text },
    body: {
      tier: Type.Optional(Type.Integer({ minimum: 0, maximum: 12 })),
      frozen: Type.Optional(Type.Boolean()),
    },
    async handle({ services, params, body, caller, act }) {
      const { number } = findUser(services, params.userId);
      // A tier determines withdrawal limits, so changing it needs the same role as setting limits.
      if (body.tier !== undefined && !caller.calls.includes('set-user-limits')) {
        throw operatorRefusal('role', 'tier: your roles do not allow setting limits. Required: compliance.');
      }
      await act({ kind: 'change-user', user: number, ...body });
      return showUser(services, findUser(services, params.userId));
    },
  }),
  operatorRoute({
    id: 'get-balances',
    method: 'GET',
    path: '/v1/users/:userId/balances',
    summary: 'The balances of a user: all accounts that are not empty.',
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
      return services.catalogue.keysOf(number).map(showKey);
    },
  }),
  operatorRoute({
    id: 'add-key',
    method: 'POST',
    path: '/v1/users/:userId/keys',
    roles: ['support'],
    summary: 'Creates a key. Only this response contains its secret and passphrase.',
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
      const ipAllowList = readAddresses(body.ipAllowList ?? [], operatorRefusal);
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
      const ipAllowList = body.ipAllowList && readAddresses(body.ipAllowList, operatorRefusal);
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
    summary: 'Removes a key, immediately and permanently.',
    params: { apiKey: Text },
    async handle({ params, act }) {
      await act({ kind: 'remove-key', key: params.apiKey });
      return { apiKey: params.apiKey, removed: true };
    },
  }),
];

export function showUser({ catalogue }: Pick<OperatorServices, 'catalogue'>, user: User) {
  const { number, name, parent, tier, frozen, closed } = user;
  return {
    userId: userId(number),
    name,
    parentId: parent < 0 ? null : userId(parent),
    tier,
    frozen,
    freeze: freezeOf(user),
    masterFreeze: catalogue.masterFreezeOf(user),
    closed: closed === true,
  };
}

interface UserQuery {
  readonly search?: string;
  readonly frozen?: 'true' | 'false';
  readonly tier?: string;
  readonly after?: string;
  readonly limit?: string;
}

/** Scans users from `after` on until the page is full; 100,000 names take a few milliseconds. */
async function listUsers(services: OperatorServices, query: UserQuery) {
  const { search, frozen, tier, after } = query;
  const limit = Math.min(Number(query.limit ?? USERS_LIMIT), USERS_LIMIT_MAX);
  const first = after === undefined ? 0 : findUser(services, after).number + 1;
  const isFound = search === undefined ? () => true : await searchOf(services, search);
  const all = services.catalogue.users();
  const found: User[] = [];
  for (let i = first; i < all.length && found.length < limit; i++) {
    const user = all[i];
    if (frozen !== undefined && isFreezeOn(services, user) !== (frozen === 'true')) continue;
    if (tier !== undefined && user.tier !== Number(tier)) continue;
    if (isFound(user)) found.push(user);
  }
  return found.map((user) => showUser(services, user));
}

/** Whether a freeze of any level applies to the user, its own or its master's. */
const isFreezeOn = ({ catalogue }: OperatorServices, user: User): boolean =>
  user.frozen || catalogue.masterFreezeOf(user) !== null;

/** E-mail addresses are stored as hashes, so only a complete address can be found. */
async function searchOf({ port, loginOf }: OperatorServices, search: string) {
  const login = search.includes('@') ? loginOf?.(search) : undefined;
  const person =
    login === undefined ? null : await port.read(({ reference }) => reference.people.ofLogin(login));
  const wanted = search.toLowerCase();
  const number = parseUserId(search);
  return (user: User) =>
    user.number === number || user.number === person?.user || user.name.toLowerCase().includes(wanted);
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

/** Invitations for people to sign up where `signUp` is `invite`. */
export const INVITATION_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'add-invitation',
    method: 'POST',
    path: '/v1/invitations',
    roles: ['support', 'admin'],
    policy: 'never',
    isReasonOptional: true,
    summary: 'Creates an invitation to sign up, valid once, for 7 days or until `expires`.',
    body: {
      email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
      expires: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    },
    async handle({ services, body, act }) {
      const { invite } = services;
      if (!invite) throw operatorRefusal('no-identity', 'People cannot sign in to this exchange.');
      const invitation = invite(body);
      await noteCall({ act, services }, 'add-invitation');
      return { invitation };
    },
  }),
];
