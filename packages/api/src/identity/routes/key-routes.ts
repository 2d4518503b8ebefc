/** The person's own API keys. Signing keys of sessions are not among them. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { Key } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { readAddresses } from '../../gateway/access/ip-addresses.ts';
import {
  PERMISSION_NAMES,
  permissionNames,
  type PermissionName,
  permissionsOf,
} from '../../gateway/access/keys.ts';
import { line, Type } from '../../gateway/schema.ts';
import type { Identity } from '../identity.ts';
import { identityRefusal } from '../identity-errors.ts';
import { MAILS } from '../mail/mail.ts';
import { identityRoute, type IdentityRoute, type SignedIn, Text } from './route.ts';

const KEYS_MAX = 50;
const KEY_BYTES = 12;
const KEY_VERSION = 3;

const Name = line(64, 1);
const Permissions = Type.Array(
  Type.Union(Object.values(PERMISSION_NAMES).map((name) => Type.Literal(name))),
  { maxItems: 4 },
);
const Addresses = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20 });

export const KEY_ROUTES: readonly IdentityRoute[] = [
  identityRoute({
    id: 'list-own-keys',
    method: 'GET',
    path: '/keys',
    summary: 'The person’s API keys, without their secrets.',
    access: 'session',
    status: 200,
    handle: ({ identity, me }) => ownKeys(identity, me).map(showKey),
  }),
  identityRoute({
    id: 'add-own-key',
    method: 'POST',
    path: '/keys',
    summary: 'Creates an API key. Only this response has its secret and passphrase.',
    access: 'step-up',
    status: 201,
    body: {
      name: Name,
      permissions: Permissions,
      ipAllowList: Type.Optional(Addresses),
      expires: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    },
    async handle({ identity, me, body, origin }) {
      const { person, box, session, profile } = me;
      const ipAllowList = readAddresses(body.ipAllowList ?? [], identityRefusal);
      checkGrants(body.permissions, ipAllowList);
      if (body.expires !== undefined && body.expires <= identity.now) {
        throw identityRefusal('value-invalid', `expires must be later than now, ${identity.now}.`);
      }
      if (ownKeys(identity, me).length >= KEYS_MAX) {
        throw identityRefusal('keys-per-user', `You have ${KEYS_MAX} keys, the maximum.`);
      }
      const apiKey = randomBytes(KEY_BYTES).toString('hex');
      const apiSecret = randomUUID();
      const apiPassphrase = randomBytes(KEY_BYTES).toString('base64url');
      await identity.act(
        {
          kind: 'add-key',
          user: person.user,
          key: apiKey,
          version: KEY_VERSION,
          permissions: permissionsOf(body.permissions),
          ipAllowList,
          secret: identity.services.secrets.seal(apiSecret, apiPassphrase),
          note: body.name,
          ...(body.expires !== undefined && { expires: body.expires }),
          session: session.id,
          from: identity.from(box, origin),
        },
        person.user,
      );
      identity.sendMail(MAILS.changed('an API key was created'), profile.email, origin, person);
      return { ...showKey(findKey(identity, me, apiKey)), apiSecret, apiPassphrase };
    },
  }),
  identityRoute({
    id: 'change-own-key',
    method: 'POST',
    path: '/keys/:apiKey',
    summary: 'Changes name, permissions and addresses of a key.',
    access: 'step-up',
    status: 200,
    params: { apiKey: Text },
    body: {
      name: Type.Optional(Name),
      permissions: Type.Optional(Permissions),
      ipAllowList: Type.Optional(Addresses),
    },
    async handle({ identity, me, params, body, origin }) {
      const { person, box, session } = me;
      const key = findKey(identity, me, params.apiKey);
      const { name, permissions } = body;
      const ipAllowList = body.ipAllowList && readAddresses(body.ipAllowList, identityRefusal);
      checkGrants(permissions ?? permissionNames(key.permissions), ipAllowList ?? key.ipAllowList);
      await identity.act(
        {
          kind: 'change-key',
          key: key.key,
          ...(permissions && { permissions: permissionsOf(permissions) }),
          ...(ipAllowList && { ipAllowList }),
          ...(name !== undefined && { note: name }),
          session: session.id,
          from: identity.from(box, origin),
        },
        person.user,
      );
      return showKey(findKey(identity, me, params.apiKey));
    },
  }),
  identityRoute({
    id: 'remove-own-key',
    method: 'DELETE',
    path: '/keys/:apiKey',
    summary: 'Removes a key immediately.',
    access: 'session',
    status: 204,
    params: { apiKey: Text },
    async handle({ identity, me, params, origin }) {
      const { key } = findKey(identity, me, params.apiKey);
      const from = identity.from(me.box, origin);
      await identity.act({ kind: 'remove-key', key, session: me.session.id, from }, me.person.user);
    },
  }),
];

function ownKeys({ services: { catalogue } }: Identity, { person }: SignedIn): Key[] {
  return catalogue.keysOf(person.user).filter(({ session }) => session === undefined);
}

function findKey(identity: Identity, me: SignedIn, name: string): Key {
  const key = identity.services.catalogue.key(name);
  if (key?.user === me.person.user && key.session === undefined) return key;
  throw identityRefusal('unknown', `Unknown key '${shortened(name)}'.`);
}

const showKey = ({ key, note = '', permissions, ipAllowList, expires }: Key) => ({
  apiKey: key,
  name: note,
  permissions: permissionNames(permissions),
  ipAllowList,
  expires: expires ?? null,
});

/** A stolen key that may withdraw works only from the owner's addresses. */
function checkGrants(permissions: readonly PermissionName[], ipAllowList: readonly string[]): void {
  if (!permissions.includes(PERMISSION_NAMES.withdrawal) || ipAllowList.length > 0) return;
  throw identityRefusal('ip-allow-list', 'A key that may withdraw needs an ipAllowList.');
}
