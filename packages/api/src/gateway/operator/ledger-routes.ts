/** The zero-sum report, the audit trail, the caller, and the state of the engine. */

import { EVERYBODY, LogRewritten, Unavailable } from '@bourse/engine';
import { type Exchange, ROLES } from '@bourse/core';
import { LiabilitiesFull } from '../transparency.ts';
import { operatorRefusal } from './operator-errors.ts';
import { line, Type } from '../schema.ts';
import { formatMoney } from '../decimals.ts';
import { auditEntry } from './audit-entry.ts';
import { FIGURE_RANGES } from './figure-history.ts';
import { noteCall, type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';
import { RawText } from '../json-interface.ts';
import {
  houseStatementOf,
  type Period,
  STATEMENT_QUERY,
  statementCsv,
  statementOf,
} from '../money/statement.ts';
import { userId } from '../ids.ts';
import { findUser, findCurrency, parseAmount } from './resolve.ts';

const SYSTEM = ['fees', 'waiting', 'suspense', 'outside'] as const;
const AUDIT_LIMIT_MAX = 500;
const AUDIT_LIMIT = 100;
const Digits = Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', expects: 'a whole number' }));

export const LEDGER_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'check-ledger',
    method: 'GET',
    path: '/v1/ledger/check',
    summary:
      'For each currency the sum of all accounts: users, fees, pending deposits, suspense and `outside`. Always 0.',
    async handle({ services }) {
      const rows = await sumLedger(services);
      return Object.fromEntries(rows.map(({ currency, sum }) => [currency, sum]));
    },
  }),
  operatorRoute({
    id: 'get-ledger',
    method: 'GET',
    path: '/v1/ledger',
    summary: 'The same sums by part: users’ available balances and holds, and the system accounts.',
    handle: ({ services }) => sumLedger(services),
  }),
  operatorRoute({
    id: 'list-audit',
    method: 'GET',
    path: '/v1/audit',
    summary:
      'The audit trail, newest first: operator, reason, command and outcome. Next page: `after` the last id.',
    query: { after: Digits, limit: Digits, from: Digits, until: Digits },
    async handle({ services, query }) {
      await services.historyCaughtUp();
      const { after, limit, from, until } = query;
      const span = {
        ...(from === undefined ? {} : { from: Number(from) }),
        ...(until === undefined ? {} : { until: Number(until) }),
      };
      return services.longLists.collect({
        user: EVERYBODY,
        page: {
          limit: Math.min(Number(limit) || AUDIT_LIMIT, AUDIT_LIMIT_MAX),
          ...(after === undefined ? {} : { after: Number(after) }),
        },
        read: (piece) => services.history.audit({ ...span, ...piece }),
        show: (rows) => rows.map((row) => auditEntry(row, services.catalogue)),
      });
    },
  }),
  operatorRoute({
    id: 'get-caller',
    method: 'GET',
    path: '/v1/caller',
    roles: ROLES,
    summary: 'The caller: id, name in the audit trail, roles, and the calls of these roles.',
    handle: ({ caller }) => caller,
  }),
  operatorRoute({
    id: 'get-status',
    method: 'GET',
    path: '/v1/status',
    summary: 'The state of the engine: last record, pending commands, lag of history.',
    handle: ({ services }) => services.port.health,
  }),
  operatorRoute({
    id: 'take-checkpoint',
    method: 'POST',
    path: '/v1/checkpoints',
    roles: ['admin'],
    policy: 'never',
    summary:
      'Takes a checkpoint: signs the Merkle root of all records of the log, and publishes it at /transparency/checkpoint. Checkpoints are also taken every hour and at shutdown.',
    async handle({ services, act }) {
      const { transparency } = services;
      if (!transparency) throw operatorRefusal('no-checkpoints', 'A cluster node takes no checkpoints.');
      const taken = await transparency.take().catch(refuseSigning);
      await noteCall({ act, services }, 'take-checkpoint');
      return taken;
    },
  }),
  operatorRoute({
    id: 'list-liabilities',
    method: 'GET',
    path: '/v1/liabilities',
    summary: 'Published liabilities to users, with sum and root by currency, newest first.',
    handle: ({ services: { transparency } }) => transparency?.liabilities.published() ?? [],
  }),
  operatorRoute({
    id: 'take-liabilities',
    method: 'POST',
    path: '/v1/liabilities',
    roles: ['finance', 'admin'],
    policy: 'never',
    summary:
      'Publishes the current liabilities to users: one Merkle-sum tree per currency, its root signed in a checkpoint.',
    async handle({ services, act }) {
      const { transparency } = services;
      if (!transparency) throw operatorRefusal('no-checkpoints', 'A cluster node publishes no liabilities.');
      const published = await transparency.liabilities.take().catch(refuseSigning);
      await noteCall({ act, services }, 'take-liabilities');
      return published;
    },
  }),
  operatorRoute({
    id: 'get-figures',
    method: 'GET',
    path: '/v1/figures',
    summary:
      'Orders, response times, records, connections, memory and disk: every two seconds for five minutes (`recent`), or every minute for 24 hours (`day`).',
    query: { range: Type.Optional(Type.Union([Type.Literal('recent'), Type.Literal('day')])) },
    handle: ({ services, query: { range = 'recent' } }) => ({
      everyMs: FIGURE_RANGES[range].everyMs,
      samples: services.figures?.samples(range) ?? [],
    }),
  }),
  operatorRoute({
    id: 'reload',
    method: 'POST',
    path: '/v1/reload',
    roles: ['admin'],
    policy: 'never',
    summary: 'Reloads settings and tokens; returns what changed and what needs a restart.',
    async handle({ services, act }) {
      const { reload } = services;
      if (reload === undefined) {
        const msg = 'A sandbox reads its settings only at start. Restart it.';
        throw operatorRefusal('reload-unavailable', msg);
      }
      const reloaded = await reload().catch((error: Error) => {
        throw operatorRefusal('settings-wrong', `Nothing has changed. ${error.message}`);
      });
      await noteCall({ act, services }, 'reload');
      return reloaded;
    },
  }),
  operatorRoute({
    id: 'rotate-secret',
    method: 'POST',
    path: '/v1/secret',
    roles: ['admin'],
    policy: 'never',
    summary:
      'Replaces the venue’s secret with the one in a file on this machine. The old one decrypts only data encrypted before.',
    body: { newSecretKeyFile: line(4096, 1) },
    async handle({ services, body: { newSecretKeyFile }, act }) {
      const { rotateSecret } = services;
      if (!rotateSecret) {
        const msg =
          'Only a venue on a single machine can rotate its secret: a sandbox’s is published, and a cluster’s is shared by its nodes.';
        throw operatorRefusal('rotation-unavailable', msg);
      }
      try {
        await rotateSecret(newSecretKeyFile);
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        throw operatorRefusal('settings-wrong', `Nothing has changed. ${(error as Error).message}`);
      }
      await noteCall({ act, services }, 'rotate-secret');
      return { rotated: true };
    },
  }),
  operatorRoute({
    id: 'accept-clock',
    method: 'POST',
    path: '/v1/clock',
    roles: ['admin'],
    policy: 'never',
    summary:
      'Confirms that the clock of the machine is right after a jump (state `clock`): commands are accepted again.',
    async handle({ services, act }) {
      services.port.acceptClock();
      await noteCall({ act, services }, 'accept-clock');
      return services.port.health;
    },
  }),
];

interface LedgerRow {
  readonly currency: string;
  readonly available: string;
  readonly holds: string;
  readonly fees: string;
  readonly waiting: string;
  readonly suspense: string;
  readonly outside: string;
  readonly sum: string;
}

function refuseSigning(error: unknown): never {
  if (error instanceof LogRewritten) throw operatorRefusal('log-rewritten', error.message);
  throw error instanceof LiabilitiesFull ? operatorRefusal('liabilities-full', error.message) : error;
}

/**
 * Sums everything synchronously between two records, so the result is consistent, but blocks the event loop. Queries both
 * accounts of every user in every currency: 50 ms with 50,000 users and 10 currencies.
 */
function sumLedger({ port, catalogue }: OperatorServices): Promise<LedgerRow[]> {
  return port.read((exchange) =>
    catalogue.currencies().map(({ number, code, scale }) => sumCurrency(exchange, number, code, scale)),
  );
}

function sumCurrency(exchange: Exchange, currency: number, code: string, scale: number): LedgerRow {
  let available = 0n;
  let holds = 0n;
  for (let user = 0; user < exchange.counts.users; user++) {
    for (const type of ['main', 'trade'] as const) {
      const balance = exchange.balance(user, type, currency);
      available += balance.available;
      holds += balance.hold;
    }
  }
  const [fees, waiting, suspense, outside] = SYSTEM.map((account) =>
    exchange.systemBalance(account, currency),
  );
  const show = (units: bigint) => formatMoney(units, scale);
  return {
    currency: code,
    available: show(available),
    holds: show(holds),
    fees: show(fees),
    waiting: show(waiting),
    suspense: show(suspense),
    outside: show(outside),
    sum: show(available + holds + fees + waiting + suspense + outside),
  };
}

/** Statements of users and of the house, for finance. */
export const STATEMENT_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'get-user-statement',
    method: 'GET',
    path: '/v1/users/:userId/statement',
    summary:
      'Opening balance, entries and closing balance of each account and currency of a user, `from` (inclusive) to `until` (exclusive), in milliseconds.',
    params: { userId: Type.String() },
    query: STATEMENT_QUERY,
    async handle({ services, params, query }) {
      const { number } = findUser(services, params.userId);
      const period = periodOf(query);
      const { until, accounts } = await statementOf(services, number, period, EVERYBODY);
      if (query.format === 'csv') return new RawText('text/csv; charset=utf-8', statementCsv(accounts));
      return { userId: userId(number), from: period.from, until, accounts };
    },
  }),
  operatorRoute({
    id: 'get-house-statement',
    method: 'GET',
    path: '/v1/statement',
    summary:
      'The same of the house: fees, suspense, waiting (deposits that cannot be used yet) and outside (the negated sum of all others), by currency. Trades of a symbol in one record are one entry.',
    query: STATEMENT_QUERY,
    async handle({ services, query }) {
      const period = periodOf(query);
      const { until, accounts } = await houseStatementOf(services, period);
      if (query.format === 'csv') return new RawText('text/csv; charset=utf-8', statementCsv(accounts));
      return { from: period.from, until, accounts };
    },
  }),
];

function periodOf({ from, until }: { readonly from: string; readonly until: string }): Period {
  const period = { from: Number(from), until: Number(until) };
  if (period.from < period.until) return period;
  throw operatorRefusal('value-invalid', 'from must be before until.');
}

/** Reconciliation of the exchange's liabilities with external wallets. */
export const RECONCILIATION_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'report-wallet',
    method: 'POST',
    path: '/v1/wallets',
    roles: ['custodian', 'finance'],
    policy: 'never',
    summary:
      'Reports the total balance of all wallets in a currency, and when it was read (`at`, in milliseconds).',
    body: { currency: Type.String(), balance: Type.String(), at: Type.Integer({ minimum: 0 }) },
    async handle({ services, body, act }) {
      const currency = findCurrency(services, body.currency);
      const balance = body.balance === '0' ? 0n : parseAmount(body.balance, currency);
      await act({ kind: 'report-wallet', currency: currency.number, balance, at: body.at });
      return { currency: currency.code, balance: formatMoney(balance, currency.scale), at: body.at };
    },
  }),
  operatorRoute({
    id: 'get-reconciliation',
    method: 'GET',
    path: '/v1/reconciliation',
    summary:
      'For each currency: the latest wallet balance read up to `at` (milliseconds; default: now), the exchange’s liabilities when it was reported (`reportedAt`), and the difference, which is negative if the wallets hold less. Without a report: the current liabilities.',
    query: {
      at: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', expects: 'milliseconds since 1970' })),
    },
    async handle({ services, query }) {
      const at = query.at === undefined ? Infinity : Number(query.at);
      if (at === 0) throw operatorRefusal('value-invalid', 'at: give a time in milliseconds since 1970.');
      return services.port.read((exchange) =>
        services.catalogue.currencies().map(({ number, code, scale }) => {
          const report = exchange.reference.walletReport(number, at);
          const money = (units: bigint) => formatMoney(units, scale);
          const owed = report?.liabilities ?? -exchange.systemBalance('outside', number);
          return {
            currency: code,
            liabilities: money(owed),
            wallets: report && money(report.balance),
            difference: report && money(report.balance - report.liabilities),
            at: report && report.at,
            reportedAt: report && report.time,
            by: report && report.by,
          };
        }),
      );
    },
  }),
];
