/** Statements of users, for finance. */

import { EVERYBODY } from '@bourse/engine';
import { RawText } from '../json-interface.ts';
import { STATEMENT_QUERY, statementCsv, statementOf } from '../money/statement.ts';
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
      const period = { from: Number(query.from), until: Number(query.until) };
      if (period.from >= period.until) throw operatorRefusal('value-invalid', 'from must be before until.');
      const { until, accounts } = await statementOf(services, number, period, EVERYBODY);
      if (query.format === 'csv') return new RawText('text/csv; charset=utf-8', statementCsv(accounts));
      return { userId: userId(number), from: period.from, until, accounts };
    },
  }),
];
