/** A master's sub-accounts: creation, lists and balances. Balances are not converted to another currency. */

import type { Account, User } from '@bourse/core';
import { submit } from '@bourse/engine';
import { line, Type } from '../../schema.ts';
import type { Catalogue } from '../../../views/catalogue.ts';
import { formatMoney } from '../../decimals.ts';
import { explain } from '../../errors/explain.ts';
import { parseUserId, userId } from '../../ids.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { shown } from '../../members.ts';
import { cutPage, PAGE_QUERY, pagedSchema, pageOf } from '../../paging.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

/** Added to the user's number, so that the first uids do not look like 1, 2, 3. */
const UID_START = 100_000_000;
/** The user's uid, for clients that know no other name. */
export const uidOf = (user: number): number => UID_START + user;

export function isMaster(catalogue: Catalogue, user: number): boolean {
  return (catalogue.user(user)?.parent ?? -1) < 0;
}

function requireMaster(catalogue: Catalogue, user: number): void {
  if (isMaster(catalogue, user)) return;
  throw new Refusal('not-a-master', 'The key belongs to a sub-account.');
}

export function subUsersOf(catalogue: Catalogue, user: number): User[] {
  return catalogue.users().filter(({ parent }) => parent === user);
}

/** Another master's sub-account gets the same error as a nonexistent one, so that names cannot be probed. */
export function subUserNamed(catalogue: Catalogue, user: number, name: string): User {
  requireMaster(catalogue, user);
  const found = subUsersOf(catalogue, user).find((each) => each.name === name);
  if (found) return found;
  throw new Refusal('not-a-sub-account', `You have no sub-account ${shown(name)}.`);
}

interface CreateBody {
  readonly subName: string;
  readonly remarks?: string;
  readonly access?: string;
}
type CreateCall = Call<unknown, unknown, CreateBody>;

const PAGE_SIZE = 10;
const REMARKS_LENGTH_MAX = 255;
/** Status values: enabled, or frozen by an operator. */
const ENABLED = 2;
const FROZEN = 3;
const NORMAL = 0;

const text = Type.String();
const optional = Type.Optional(text);
const integer = Type.Integer();

const SUMMARY = {
  userId: text,
  uid: integer,
  subName: text,
  type: integer,
  remarks: text,
  access: text,
};
const WHOLE_SUMMARY = Type.Object({
  ...SUMMARY,
  status: integer,
  createdAt: Type.Integer({ description: 'Milliseconds.' }),
  tradeTypes: Type.Array(text),
  openedTradeTypes: Type.Array(text),
  hostedStatus: Type.Null(),
});
const ACCOUNTS = Type.Array(
  Type.Object({
    currency: text,
    balance: text,
    available: text,
    holds: text,
    baseCurrency: Type.Null(),
    baseCurrencyPrice: Type.Null(),
    baseAmount: Type.Null(),
    tag: text,
  }),
);
const BALANCES = Type.Object({
  subUserId: text,
  subName: text,
  mainAccounts: ACCOUNTS,
  tradeAccounts: ACCOUNTS,
  marginAccounts: ACCOUNTS,
  tradeHFAccounts: ACCOUNTS,
});

export function subAccountRoutes(services: Services): Route[] {
  const { catalogue } = services;
  const common = { access: 'general', pool: 'manage', shape: 'A' } as const;
  const look = { ...common, method: 'GET', weight: 20 } as const;
  const subsOf = (user: number): User[] => {
    requireMaster(catalogue, user);
    return subUsersOf(catalogue, user);
  };
  return [
    route({
      ...common,
      id: 'create-sub-account',
      method: 'POST',
      path: '/api/v2/sub/user/created',
      summary: 'Creates a sub-account. It has no login, so the password is not stored.',
      weight: 15,
      body: {
        subName: Type.String({
          description: '7 to 32 letters and digits, at least one of each; nobody else’s name.',
        }),
        password: optional,
        remarks: Type.Optional(line(REMARKS_LENGTH_MAX)),
        access: optional,
      },
      answer: Type.Object({ uid: integer, subName: text, remarks: text, access: text }),
      handle: (call) => create(services, call),
    }),
    route({
      ...look,
      id: 'page-sub-accounts',
      path: '/api/v2/sub/user',
      summary: "The master's sub-accounts, page by page.",
      query: PAGE_QUERY,
      answer: pagedSchema(WHOLE_SUMMARY),
      handle(call) {
        return cutPage(
          pageOf(call, PAGE_SIZE),
          subsOf(call.user).map((sub) => showWhole(sub, catalogue.isFrozen(sub))),
        );
      },
    }),
    route({
      ...look,
      id: 'list-sub-accounts',
      path: '/api/v1/sub/user',
      summary: "The master's sub-accounts.",
      answer: Type.Array(Type.Object(SUMMARY)),
      handle: ({ user }) => subsOf(user).map(show),
    }),
    route({
      ...look,
      id: 'get-sub-account-balances',
      path: '/api/v1/sub-accounts/:subUserId',
      summary: 'The balances of one sub-account.',
      weight: 15,
      params: { subUserId: text },
      answer: BALANCES,
      async handle({ user, params }) {
        const number = parseUserId(params.subUserId);
        const sub = subsOf(user).find((each) => each.number === number);
        if (sub) return (await balancesOf(services, [sub]))[0];
        throw new Refusal('not-a-sub-account', `You have no sub-account ${shown(params.subUserId)}.`);
      },
    }),
    route({
      ...look,
      id: 'page-sub-account-balances',
      path: '/api/v2/sub-accounts',
      summary: 'The balances of all sub-accounts, page by page.',
      query: PAGE_QUERY,
      answer: pagedSchema(BALANCES),
      async handle(call) {
        const page = cutPage(pageOf(call, PAGE_SIZE), subsOf(call.user));
        return { ...page, items: await balancesOf(services, page.items) };
      },
    }),
    route({
      ...look,
      id: 'list-sub-account-balances',
      path: '/api/v1/sub-accounts',
      summary: 'The balances of all sub-accounts.',
      answer: Type.Array(BALANCES),
      handle: ({ user }) => balancesOf(services, subsOf(user)),
    }),
  ];
}

async function create({ port, catalogue }: Services, call: CreateCall) {
  const { user, body, once } = call;
  const { subName: name, remarks = '', access = 'Spot' } = body;
  requireMaster(catalogue, user);
  if (!/^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9]{7,32}$/.test(name) || parseUserId(name) >= 0) {
    throw invalid(`subName ${shown(name)} must be 7 to 32 letters and digits, at least one of each.`);
  }
  const audit = { by: `user ${userId(user)}`, why: 'a sub-account of its own' };
  const command = { kind: 'add-user', name, parent: user, note: remarks, sender: user, ...audit } as const;
  const { outcome } = await submit(port, { ...command, ...(once && { once }) }, user);
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue);
  if (outcome.kind !== 'added') throw new Error(`unexpected outcome '${outcome.kind}' of a sub-account`);
  return { uid: uidOf(outcome.id), subName: name, remarks, access };
}

function show({ number, name, note }: User) {
  return {
    userId: userId(number),
    uid: uidOf(number),
    subName: name,
    type: NORMAL,
    remarks: note,
    access: 'Spot',
  };
}

function showWhole(user: User, isFrozen: boolean) {
  return {
    ...show(user),
    status: isFrozen ? FROZEN : ENABLED,
    createdAt: user.createdAt,
    tradeTypes: ['Spot'],
    openedTradeTypes: ['Spot'],
    hostedStatus: null,
  };
}

async function balancesOf({ port, catalogue }: Services, subs: readonly User[]) {
  const found = await port.read((exchange) => subs.map(({ number }) => exchange.accounts(number)));
  return subs.map(({ number, name }, at) => ({
    subUserId: userId(number),
    subName: name,
    mainAccounts: showAccounts(found[at], 'main', catalogue),
    tradeAccounts: showAccounts(found[at], 'trade', catalogue),
    marginAccounts: [],
    tradeHFAccounts: [],
  }));
}

function showAccounts(accounts: readonly Account[], type: Account['type'], catalogue: Catalogue) {
  return accounts
    .filter((account) => account.type === type)
    .map(({ currency, available, hold }) => {
      const { code, scale } = catalogue.currencyAt(currency);
      return {
        currency: code,
        balance: formatMoney(available + hold, scale),
        available: formatMoney(available, scale),
        holds: formatMoney(hold, scale),
        baseCurrency: null,
        baseCurrencyPrice: null,
        baseAmount: null,
        tag: 'DEFAULT',
      };
    });
}
