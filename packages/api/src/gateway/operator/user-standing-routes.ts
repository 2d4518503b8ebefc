/** Operator calls about a single user: freezing, closing, notes, and look-ups for support. */

import { EVERYBODY } from '@bourse/engine';
import { markedId } from '../ids.ts';
import { formatMoney } from '../decimals.ts';
import { line, Type } from '../schema.ts';
import { findCurrency, findUser } from './resolve.ts';
import { operatorRefusal } from './operator-errors.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';
import { showUser } from './user-routes.ts';

const LIMIT = 100;
const LIMIT_MAX = 500;
const NOTE_LENGTH_MAX = 1000;

const Text = Type.String();
const Digits = Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', expects: 'a whole number' }));
const Level = Type.Union([Type.Literal('trading'), Type.Literal('withdrawals'), Type.Literal('all')]);

export const USER_STANDING_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'freeze-user',
    method: 'POST',
    path: '/v1/users/:userId/freeze',
    roles: ['support', 'compliance'],
    summary:
      'Freezes `trading` (no new orders), `withdrawals` (no withdrawals) or `all` (only cancelling), including sub-accounts unless `withSubAccounts` is false. Can extend a current freeze, but not reduce it.',
    params: { userId: Text },
    body: { level: Level, withSubAccounts: Type.Optional(Type.Boolean()) },
    async handle({ services, params, body, act }) {
      const { number: user } = findUser(services, params.userId);
      const { level, withSubAccounts = true } = body;
      await act({ kind: 'freeze-user', user, level, withSubAccounts });
      return showUser(services, findUser(services, params.userId));
    },
  }),
  operatorRoute({
    id: 'unfreeze-user',
    method: 'POST',
    path: '/v1/users/:userId/unfreeze',
    roles: ['support', 'compliance'],
    mayBeEmpty: true,
    summary: 'Lifts the freeze of a user, and with `withSubAccounts` also those of its sub-accounts.',
    params: { userId: Text },
    body: { withSubAccounts: Type.Optional(Type.Boolean()) },
    async handle({ services, params, body, act }) {
      const { number: user } = findUser(services, params.userId);
      await act({ kind: 'unfreeze-user', user, withSubAccounts: body.withSubAccounts ?? false });
      return showUser(services, findUser(services, params.userId));
    },
  }),
  operatorRoute({
    id: 'close-user',
    method: 'POST',
    path: '/v1/users/:userId/close',
    roles: ['support', 'compliance'],
    summary:
      'Permanently closes a user without money or orders, with its sub-accounts. Their keys and sessions end.',
    params: { userId: Text },
    body: {},
    async handle({ services, params, act }) {
      const { number: user } = findUser(services, params.userId);
      await act({ kind: 'close-user', user });
      return showUser(services, findUser(services, params.userId));
    },
  }),
  operatorRoute({
    id: 'add-user-note',
    method: 'POST',
    path: '/v1/users/:userId/notes',
    roles: ['support', 'compliance', 'finance'],
    summary: 'Adds a note about a user, visible only to operators.',
    params: { userId: Text },
    body: { text: line(NOTE_LENGTH_MAX, 1) },
    async handle({ services, params, body, act }) {
      const { number: user } = findUser(services, params.userId);
      await act({ kind: 'add-user-note', user, text: body.text });
      return listNotes(services, user);
    },
  }),
  operatorRoute({
    id: 'list-user-notes',
    method: 'GET',
    path: '/v1/users/:userId/notes',
    summary: 'The latest 50 notes about a user, newest first.',
    params: { userId: Text },
    handle: ({ services, params }) => listNotes(services, findUser(services, params.userId).number),
  }),
  operatorRoute({
    id: 'list-user-ledger',
    method: 'GET',
    path: '/v1/users/:userId/ledger',
    summary: 'Balance changes of a user, newest first. Next page: `after` the last id.',
    params: { userId: Text },
    query: { currency: Type.Optional(Text), from: Digits, until: Digits, after: Digits, limit: Digits },
    async handle({ services, params, query }) {
      const { currency, from, until, after, limit } = query;
      const filter = {
        user: findUser(services, params.userId).number,
        ...(currency !== undefined && { currency: findCurrency(services, currency).number }),
        ...(from !== undefined && { from: Number(from) }),
        ...(until !== undefined && { until: Number(until) }),
      };
      await services.historyCaughtUp();
      return services.longLists.collect({
        user: EVERYBODY,
        page: {
          limit: Math.min(Number(limit) || LIMIT, LIMIT_MAX),
          ...(after !== undefined && { after: Number(after) }),
        },
        read: (piece) => services.history.ledger({ ...filter, ...piece }),
        show: (rows) => rows.map((row) => showEntry(services, row)),
      });
    },
  }),
  operatorRoute({
    id: 'list-user-sessions',
    method: 'GET',
    path: '/v1/users/:userId/sessions',
    summary: 'Sessions of the person who signed up as this user.',
    params: { userId: Text },
    async handle({ services, params }) {
      const { number } = findUser(services, params.userId);
      const sessions = await services.port.read(({ reference }) => {
        const person = reference.people.ofUser(number);
        return person === null ? [] : reference.people.sessionsOf(person.id);
      });
      return sessions.map(({ id, createdAt, expires }) => ({
        sessionId: id,
        createdAt: new Date(createdAt).toISOString(),
        expires: new Date(expires).toISOString(),
      }));
    },
  }),
  operatorRoute({
    id: 'end-user-sessions',
    method: 'DELETE',
    path: '/v1/users/:userId/sessions',
    roles: ['support'],
    summary: 'Ends all sessions of the person who signed up as this user.',
    params: { userId: Text },
    async handle({ services, params, act }) {
      const { number } = findUser(services, params.userId);
      const person = await services.port.read(({ reference }) => reference.people.ofUser(number)?.id);
      if (person === undefined) {
        throw operatorRefusal('person-unknown', 'Nobody signed up as this user.');
      }
      await act({ kind: 'end-sessions', person });
      return { ended: true };
    },
  }),
  operatorRoute({
    id: 'list-user-activity',
    method: 'GET',
    path: '/v1/users/:userId/activity',
    summary:
      'Activity of the person who signed up as this user: sign-ins, changes of credentials, withdrawals. Newest first.',
    params: { userId: Text },
    async handle({ services, params }) {
      const { number } = findUser(services, params.userId);
      const activity = await services.port.read(
        ({ reference }) => reference.people.ofUser(number)?.activity ?? [],
      );
      return activity
        .map(({ time, kind, session }) => ({
          time: new Date(time).toISOString(),
          kind,
          sessionId: session || null,
        }))
        .toReversed();
    },
  }),
  operatorRoute({
    id: 'list-user-refusals',
    method: 'GET',
    path: '/v1/users/:userId/refusals',
    summary:
      'The last 100 rejected requests of a user since the start of this process, newest first, with their responses.',
    params: { userId: Text },
    handle({ services, params }) {
      const { number } = findUser(services, params.userId);
      return services.refusals
        .of(number)
        .map(({ time, ...request }) => ({ time: new Date(time).toISOString(), ...request }));
    },
  }),
];

function listNotes({ port }: OperatorServices, user: number) {
  return port.read(({ reference }) =>
    reference
      .userNotes(user)
      .map(({ time, by, text }) => ({ time: new Date(time).toISOString(), by, text }))
      .toReversed(),
  );
}

type Entry = ReturnType<OperatorServices['history']['ledger']>[number];

const KINDS = {
  deposit: 'deposit',
  transfer: 'transfer',
  'sub-transfer': 'transfer',
  withdrawal: 'withdrawal',
  correction: 'correction',
} as const;

function showEntry({ catalogue }: OperatorServices, row: Entry) {
  const { code, scale } = catalogue.currencyAt(row.currency);
  const { cause, trade, symbol } = row;
  return {
    id: row.id,
    seq: row.seq,
    time: new Date(row.time).toISOString(),
    account: row.account.toUpperCase(),
    currency: code,
    amount: formatMoney(row.change, scale),
    fee: formatMoney(row.fee, scale),
    balance: formatMoney(row.balance, scale),
    kind: cause,
    reference:
      cause === 'trade'
        ? `${catalogue.symbolAt(symbol).code}/${trade}`
        : markedId(KINDS[cause], row.reference),
  };
}
