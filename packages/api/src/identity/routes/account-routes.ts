/** The address book, locks, freezing, activity and closing. */

import { randomBytes } from 'node:crypto';
import { DAY_MS, type Person } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { addressFault } from '../../gateway/money/addresses.ts';
import { RawText } from '../../gateway/json-interface.ts';
import { STATEMENT_QUERY, statementCsv, statementOf } from '../../gateway/money/statement.ts';
import { line, Type } from '../../gateway/schema.ts';
import type { Identity } from '../identity.ts';
import { identityRefusal, wrongToken } from '../identity-errors.ts';
import { MAILS } from '../mail/mail.ts';
import { identityRoute, type IdentityRoute, type SignedIn, Text, WithCookie } from './route.ts';

const ID_BYTES = 8;
const PAGE_MAX = 200;
const PAGE_DEFAULT = 50;

export const ACCOUNT_ROUTES: readonly IdentityRoute[] = [
  identityRoute({
    id: 'list-book',
    method: 'GET',
    path: '/addresses',
    summary: 'The address book.',
    access: 'session',
    status: 200,
    handle: ({ identity, me }) => me.person.book.map((entry) => showEntry(identity, me, entry)),
  }),
  identityRoute({
    id: 'add-book-address',
    method: 'POST',
    path: '/addresses',
    summary: 'Adds an address; withdrawals may go there from `usableFrom` on.',
    access: 'step-up',
    status: 201,
    body: {
      label: line(64, 1),
      currency: Text,
      chain: Text,
      address: Type.String({ minLength: 1, maxLength: 256 }),
      memo: Type.Optional(Type.String({ maxLength: 256 })),
    },
    async handle({ identity, me, body, origin }) {
      const { person, box, session, profile } = me;
      const { currency, chainId } = findChain(identity, body.currency, body.chain);
      const like = addressFault(chainId, body.address);
      if (like !== null) {
        throw identityRefusal('value-invalid', `address is not valid on this chain. Expected ${like}.`);
      }
      const id = `a-${randomBytes(ID_BYTES).toString('hex')}`;
      const terms = { currency, chain: chainId, address: body.address, memo: body.memo ?? '' };
      await identity.act(
        {
          kind: 'add-book-address',
          person: person.id,
          session: session.id,
          id,
          ...terms,
          label: box.seal('label', body.label),
          delayMs: identity.settings.addressDelayMs,
          from: identity.from(box, origin),
        },
        person.user,
      );
      identity.sendMail(
        MAILS.changed('an address was added to your address book'),
        profile.email,
        origin,
        person,
      );
      const open = await identity.findPerson({ id: person.id });
      const entry = open?.person.book.find((each) => each.id === id);
      if (!entry) throw new Error('a new address is not in the book');
      return showEntry(identity, me, entry);
    },
  }),
  identityRoute({
    id: 'restrict-addresses',
    method: 'POST',
    path: '/addresses/only',
    summary: 'Whether withdrawals go to usable addresses of the book only; switching it off takes 24 hours.',
    access: 'step-up',
    status: 200,
    body: { on: Type.Boolean() },
    async handle({ identity, me, body: { on }, origin }) {
      const { person, box, session } = me;
      const from = identity.from(box, origin);
      await identity.act(
        { kind: 'restrict-addresses', person: person.id, session: session.id, on, from },
        person.user,
      );
      const open = await identity.findPerson({ id: person.id });
      const until = open?.person.onlyUntil ?? 0;
      return { on, ...(!on && until > identity.now && { until }) };
    },
  }),
  identityRoute({
    id: 'remove-book-address',
    method: 'DELETE',
    path: '/addresses/:id',
    summary: 'Removes an address from the book.',
    access: 'session',
    status: 204,
    params: { id: Text },
    async handle({ identity, me: { person, box, session }, params, origin }) {
      const from = identity.from(box, origin);
      const base = { kind: 'remove-book-address', person: person.id, session: session.id } as const;
      await identity.act({ ...base, id: params.id, from }, person.user);
    },
  }),
  identityRoute({
    id: 'lock',
    method: 'POST',
    path: '/lock',
    summary: 'Locks password, factors, addresses, keys and mail for everybody; a lock cannot be lifted.',
    access: 'step-up',
    status: 200,
    body: { days: Type.Integer({ minimum: 1, maximum: 30 }) },
    async handle({ identity, me: { person, box, session, profile }, body, origin }) {
      const until = identity.now + body.days * DAY_MS;
      const base = { kind: 'lock-person', person: person.id, session: session.id } as const;
      await identity.act({ ...base, until, from: identity.from(box, origin) }, person.user);
      identity.sendMail(
        MAILS.changed(`your settings are locked for ${body.days === 1 ? '1 day' : `${body.days} days`}`),
        profile.email,
        origin,
        person,
      );
      return { until: Math.max(until, person.lockedUntil) };
    },
  }),
  identityRoute({
    id: 'freeze',
    method: 'POST',
    path: '/freeze',
    summary: 'With the token of any mail: sessions and keys end, orders are cancelled, withdrawals stop.',
    access: 'public',
    status: 204,
    body: { token: Text },
    async handle({ identity, body, origin }) {
      const token = identity.keys.read('freeze', body.token, identity.now);
      const open =
        token &&
        (await identity.findPerson(
          token.person === undefined ? { login: token.login } : { id: token.person },
        ));
      if (!token || !open) throw wrongToken();
      const { person, box, profile } = open;
      const from = identity.from(box, origin);
      const outcome = await identity.attempt({
        kind: 'freeze-person',
        person: person.id,
        since: token.at,
        from,
      });
      if (outcome.kind === 'rejected') throw wrongToken();
      identity.sendMail(MAILS.changed('your account is frozen'), profile.email, origin, person);
    },
  }),
  identityRoute({
    id: 'list-activity',
    method: 'GET',
    path: '/activity',
    summary:
      'Sign-ins, failures and changes, newest first; `after` is the id of the previous page’s last row.',
    access: 'session',
    status: 200,
    query: {
      after: Type.Optional(Text),
      limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
    },
    handle: ({ identity, me, query }) =>
      listActivity(identity, me, query.after, Number(query.limit ?? PAGE_DEFAULT)),
  }),
  identityRoute({
    id: 'get-statement',
    method: 'GET',
    path: '/statement',
    summary:
      'Opening balance, entries and closing balance of each of your accounts, `from` (inclusive) to `until` (exclusive), in milliseconds.',
    access: 'session',
    status: 200,
    query: STATEMENT_QUERY,
    async handle({ identity, me, query }) {
      const period = { from: Number(query.from), until: Number(query.until) };
      if (period.from >= period.until) {
        throw identityRefusal('value-invalid', 'from must be before until.');
      }
      const { user } = me.person;
      const { until, accounts } = await statementOf(identity.services, user, period, user);
      if (query.format === 'csv') return new RawText('text/csv; charset=utf-8', statementCsv(accounts));
      return { from: period.from, until, accounts };
    },
  }),
  identityRoute({
    id: 'get-own-liability-proof',
    method: 'GET',
    path: '/liabilities/:id/proof',
    summary: 'Proves that the published liabilities include the person’s balances.',
    access: 'session',
    status: 200,
    params: { id: Text },
    async handle({ identity: { services }, me, params }) {
      const proof = await services.transparency?.liabilities.proofOf(params.id, me.person.user);
      if (proof) return proof;
      throw identityRefusal(
        'unknown',
        `There is no publication of liabilities with the id '${shortened(params.id)}'.`,
      );
    },
  }),
  identityRoute({
    id: 'close-account',
    method: 'POST',
    path: '/close',
    summary: 'Closes an account without money and orders, and erases its personal data.',
    access: 'step-up',
    status: 204,
    async handle({ identity, me: { person, session, profile }, origin }) {
      const close = { kind: 'close-person', person: person.id, session: session.id } as const;
      await identity.act(close, person.user);
      identity.sendMail(MAILS.changed('your account is closed'), profile.email, origin);
      await identity.keyring.remove(person.id);
      return new WithCookie(undefined, '');
    },
  }),
];

function findChain({ services: { catalogue } }: Identity, code: string, name: string) {
  const currency = catalogue.currency(code);
  const chain = currency?.chains.find(({ chainId, chainName }) => [chainId, chainName].includes(name));
  if (currency && chain) return { currency: currency.number, chainId: chain.chainId };
  const what = currency ? `chain '${shortened(name)}' of ${code}` : `currency '${shortened(code)}'`;
  throw identityRefusal(currency ? 'chain-unknown' : 'currency-unknown', `There is no ${what}.`);
}

function showEntry({ services: { catalogue } }: Identity, { box }: SignedIn, entry: Person['book'][number]) {
  const { id, currency, chain, address, memo, label, createdAt, usableFrom } = entry;
  return {
    id,
    label: box.open('label', label),
    currency: catalogue.currencyAt(currency).code,
    chain,
    address,
    memo,
    created: createdAt,
    usableFrom,
  };
}

interface ActivityRow {
  readonly time: number;
  readonly kind: string;
  readonly address: string;
  readonly device: string;
  readonly sessionId: string | null;
}

function listActivity(
  identity: Identity,
  { person, box }: SignedIn,
  after: string | undefined,
  limit: number,
) {
  const done = person.activity.map(({ time, kind, session, from }): ActivityRow => {
    const { address, device } = identity.readFrom(box, from);
    return { time, kind, address, device, sessionId: session || null };
  });
  const failed = identity.failures.of(person.id).map(({ time, kind, origin }): ActivityRow => {
    return { time, kind, address: origin.ip, device: origin.device, sessionId: null };
  });
  let before = { time: -1, count: 0 };
  const rows = [...done, ...failed]
    .toSorted((a, b) => a.time - b.time)
    .map((row) => {
      // Rows of the same millisecond are numbered, so that each id is unique.
      before = { time: row.time, count: row.time === before.time ? before.count + 1 : 0 };
      return { id: `${row.time}-${before.count}`, ...row };
    })
    .toReversed();
  const at = after === undefined ? -1 : rows.findIndex(({ id }) => id === after);
  if (after !== undefined && at < 0) throw identityRefusal('value-invalid', 'after is not the id of a row.');
  return rows.slice(at + 1, at + 1 + Math.min(limit, PAGE_MAX));
}
