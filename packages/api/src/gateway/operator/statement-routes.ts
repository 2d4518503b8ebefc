/** Statements of users and of the house, for finance. */

import { EVERYBODY } from '@bourse/engine';
import { RawText } from '../json-interface.ts';
import {
  houseStatementOf,
  type Period,
  STATEMENT_QUERY,
  statementCsv,
  statementOf,
} from '../money/statement.ts';
import { userId } from '../ids.ts';
import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findUser } from './resolve.ts';
import { type OperatorRoute, operatorRoute } from './route.ts';

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
      'The same of the house: fees, suspense, waiting (deposits that nobody may use yet) and outside (the negated sum of all others), by currency. Trades of a symbol in one record are one entry.',
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
