/** Reconciliation of the exchange's liabilities with external wallets. */

import { formatMoney } from '../decimals.ts';
import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findCurrency, parseAmount } from './resolve.ts';
import { type OperatorRoute, operatorRoute } from './route.ts';

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
