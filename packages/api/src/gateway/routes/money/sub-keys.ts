/**
 * API keys of a master's sub-accounts. A key grants no more permissions than the key that creates it, and never
 * withdrawals. The secret is only in the response that creates it; keys do not expire.
 */

import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Command, Key, Permission, User } from '@bourse/core';
import { submit } from '@bourse/engine';
import { line, Type } from '../../schema.ts';
import { explain } from '../../errors/explain.ts';
import { userId } from '../../ids.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { shown } from '../../members.ts';
import { queryValue } from '../../paging.ts';
import { type Call, route, type Route, type UserContext } from '../../route.ts';
import { canonicalIp } from '../../access/ip-addresses.ts';
import { digestPassphrase } from '../../access/secrets.ts';
import type { Services } from '../../services.ts';
import { equalDigests } from '../../access/authenticate.ts';
import { keyCreatedAt, newKeyName, permissionText, readPermissions } from '../../access/keys.ts';
import { subUserNamed, uidOf } from './sub-accounts.ts';

interface KeyBody {
  readonly subName: string;
  readonly passphrase: string;
  readonly remark?: string;
  readonly permission?: string;
  readonly ipWhitelist?: string;
  readonly expire?: string | number;
}
type MakeCall = Call<unknown, unknown, KeyBody>;
type ChangeCall = Call<unknown, unknown, KeyBody & { readonly apiKey: string }>;

const KEY_VERSION = 3;
const REMARK_LENGTH_MAX = 100;
const NEVER = '-1';

const text = Type.String();
const optional = Type.Optional(text);
const GRANTS = {
  permission: Type.Optional(Type.String({ description: 'Comma-separated: General, Spot, InnerTransfer.' })),
  ipWhitelist: Type.Optional(Type.String({ description: 'Comma-separated addresses; empty for all.' })),
  expire: Type.Optional(Type.String({ description: '-1: keys do not expire.' })),
};

export function subKeyRoutes(services: Services): Route[] {
  const { catalogue } = services;
  const common = { path: '/api/v1/sub/api-key', access: 'general', pool: 'manage', shape: 'A' } as const;
  return [
    route({
      ...common,
      id: 'create-sub-key',
      method: 'POST',
      summary: 'Creates an API key for a sub-account. Only this response contains its secret.',
      weight: 20,
      body: {
        subName: text,
        passphrase: Type.String({ description: '7 to 32 printable characters without spaces.' }),
        remark: Type.Optional(line(REMARK_LENGTH_MAX)),
        ...GRANTS,
      },
      answer: Type.Object({
        subName: text,
        remark: text,
        apiKey: text,
        apiSecret: text,
        apiVersion: Type.Integer(),
        passphrase: text,
        permission: text,
        ipWhitelist: text,
        createdAt: Type.Integer(),
      }),
      handle: (call) => make(services, call),
    }),
    route({
      ...common,
      id: 'list-sub-keys',
      method: 'GET',
      summary: 'The keys of a sub-account, without their secrets.',
      weight: 20,
      query: { subName: text, apiKey: optional },
      answer: Type.Array(
        Type.Object({
          subName: text,
          remark: text,
          apiKey: text,
          apiVersion: Type.Integer(),
          permission: text,
          ipWhitelist: text,
          createdAt: Type.Integer(),
          uid: Type.Integer(),
          isMaster: Type.Literal(false),
        }),
      ),
      handle(call) {
        const sub = subUserNamed(catalogue, call.user, call.query.subName);
        const name = queryValue(call, 'apiKey');
        return keysOf(services, sub)
          .filter(({ key }) => name === undefined || key === name)
          .map((key) => show(key, sub));
      },
    }),
    route({
      ...common,
      id: 'change-sub-key',
      method: 'POST',
      path: '/api/v1/sub/api-key/update',
      summary: 'Changes the permissions and IP allow-list of a sub-account’s key.',
      weight: 30,
      body: { subName: text, apiKey: text, passphrase: text, ...GRANTS },
      answer: Type.Object({ subName: text, apiKey: text, permission: text, ipWhitelist: text }),
      handle: (call) => change(services, call),
    }),
    route({
      ...common,
      id: 'remove-sub-key',
      method: 'DELETE',
      summary: 'Removes a key of a sub-account permanently, with immediate effect.',
      weight: 30,
      query: { subName: text, apiKey: text, passphrase: text },
      answer: Type.Object({ subName: text, apiKey: text }),
      async handle(call) {
        const { subName, apiKey, passphrase } = call.query;
        const sub = subUserNamed(catalogue, call.user, subName);
        checkPassphrase(services, keyOf(services, sub, apiKey), passphrase);
        await act(services, call, { kind: 'remove-key', key: apiKey });
        return { subName, apiKey };
      },
    }),
  ];
}

async function make(services: Services, call: MakeCall) {
  const { catalogue, secrets } = services;
  const {
    subName,
    passphrase,
    remark = '',
    permission = 'General',
    ipWhitelist = '',
    expire = NEVER,
  } = call.body;
  const sub = subUserNamed(catalogue, call.user, subName);
  if (!/^[\x21-\x7e]{7,32}$/.test(passphrase)) {
    throw invalid('passphrase must be 7 to 32 printable characters without spaces.');
  }
  checkExpiry(expire);
  const permissions = grantable(services, call, permission);
  const ipAllowList = addressesOf(ipWhitelist);
  const apiSecret = randomUUID();
  const key = newKeyName(call.time);
  await act(services, call, {
    kind: 'add-key',
    user: sub.number,
    key,
    version: KEY_VERSION,
    permissions,
    ipAllowList,
    secret: secrets.seal(apiSecret, passphrase),
    note: remark,
  });
  return {
    subName,
    remark,
    apiKey: key,
    apiSecret,
    apiVersion: KEY_VERSION,
    passphrase,
    permission: permissionText(permissions),
    ipWhitelist: ipAllowList.join(','),
    createdAt: keyCreatedAt(key),
  };
}

/** Omitted fields stay unchanged. */
async function change(services: Services, call: ChangeCall) {
  const { subName, apiKey, passphrase, permission, ipWhitelist, expire = NEVER } = call.body;
  const sub = subUserNamed(services.catalogue, call.user, subName);
  const key = keyOf(services, sub, apiKey);
  checkPassphrase(services, key, passphrase);
  checkExpiry(expire);
  const permissions = permission === undefined ? key.permissions : grantable(services, call, permission);
  const ipAllowList = ipWhitelist === undefined ? key.ipAllowList : addressesOf(ipWhitelist);
  await act(services, call, { kind: 'change-key', key: apiKey, permissions, ipAllowList });
  return { subName, apiKey, permission: permissionText(permissions), ipWhitelist: ipAllowList.join(',') };
}

function keysOf({ catalogue }: Services, sub: User): readonly Key[] {
  return catalogue.keysOf(sub.number);
}

function keyOf(services: Services, sub: User, name: string): Key {
  const key = keysOf(services, sub).find((each) => each.key === name);
  if (key) return key;
  throw invalid(`${sub.name} has no key ${shown(name)}.`);
}

function show({ key, version, permissions, ipAllowList, note = '' }: Key, { number, name }: User) {
  return {
    subName: name,
    remark: note,
    apiKey: key,
    apiVersion: version,
    permission: permissionText(permissions),
    ipWhitelist: ipAllowList.join(','),
    createdAt: keyCreatedAt(key),
    uid: uidOf(number),
    isMaster: false,
  };
}

function checkPassphrase({ secrets }: Services, key: Key, passphrase: string): void {
  const { secret, passphraseDigest } = secrets.open(key.secret);
  if (equalDigests(digestPassphrase(secret, passphrase), passphraseDigest)) return;
  throw invalid('passphrase is not that of the key.');
}

/** A key grants only its own permissions: otherwise one with General alone could create one that trades. */
function grantable(
  { catalogue }: Services,
  { key }: Pick<UserContext, 'key'>,
  permission: string,
): Permission[] {
  const wanted = readPermissions(permission);
  const own = catalogue.key(key)?.permissions ?? [];
  const missing = wanted.filter((each) => !own.includes(each));
  if (missing.length === 0) return wanted;
  throw new Refusal('permission-denied', `Your key lacks ${permissionText(missing)}, so it cannot grant it.`);
}

function addressesOf(list: string): string[] {
  const addresses = list.split(',').filter((each) => each !== '');
  const wrong = addresses.find((each) => isIP(each) === 0);
  if (wrong === undefined) return addresses.map(canonicalIp);
  throw invalid(`ipWhitelist ${shown(wrong)} is not an address such as 203.0.113.7 or 2001:db8::7.`);
}

function checkExpiry(expire: string | number): void {
  if (String(expire) !== NEVER)
    throw invalid('expire must be -1: keys do not expire here; remove them instead.');
}

async function act(
  { port, catalogue }: Services,
  { user, key, once }: Pick<UserContext, 'user' | 'key' | 'once'>,
  command: Command,
): Promise<void> {
  const audit = { sender: user, by: `user ${userId(user)}`, why: 'a key of its own sub-account' };
  /** For a signing key: the core requires a step-up, because the new key outlives the session. */
  const { session } = catalogue.key(key) ?? {};
  const more = { ...audit, ...(session !== undefined && { session }), ...(once && { once }) };
  const { outcome } = await submit(port, { ...command, ...more } as Command, user);
  if (outcome.kind !== 'rejected') return;
  const refusal = explain(outcome.rejection, catalogue);
  // On other routes a missing step-up rejects a withdrawal, and the error says so.
  throw outcome.rejection.code === 'step-up-needed'
    ? new Refusal('permission-denied', refusal.detail)
    : refusal;
}
