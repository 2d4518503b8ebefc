/** The report of a user, as in `bourse report`. */

import { findUser, Type } from '@bourse/api';
import type { Report, SandboxReport } from '../report/report.ts';
import { ReportsBusy } from '../report/report-threads.ts';
import { NoReport } from '../report/user-report.ts';
import { sandboxRefusal } from '../sandbox-errors.ts';
import type { Sandbox } from '../sandbox.ts';
import { type ControlRoute, controlRoute } from './route.ts';

const Time = Type.String({ pattern: '^[0-9]{1,15}$', expects: 'a time in milliseconds' });

export const REPORT_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'get-report',
    method: 'GET',
    path: '/report',
    summary:
      'Reports on a user over a period: orders, fills, fees, PnL in a currency (USDT by default), inventory, slippage, rejections, rate limits, and a curve. Computed from the log.',
    query: {
      user: Type.String({ minLength: 1, maxLength: 128 }),
      from: Type.Optional(Time),
      until: Type.Optional(Time),
      currency: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    },
    async handle({ sandbox, query }): Promise<SandboxReport> {
      const { world } = sandbox;
      const user = findUser({ catalogue: world.services.catalogue }, query.user).name;
      const report = await reportOf(sandbox, {
        user,
        ...(query.from !== undefined && { from: Number(query.from) }),
        ...(query.until !== undefined && { until: Number(query.until) }),
        ...(query.currency !== undefined && { currency: query.currency }),
      });
      const until = query.until === undefined ? world.clock.now() : Number(query.until);
      return { ...report, requests: sandbox.requestUses.of(user, Number(query.from ?? 0), until) };
    },
  }),
];

async function reportOf(
  { reports, world }: Sandbox,
  options: Parameters<Sandbox['reports']['run']>[0]['options'],
): Promise<Report> {
  try {
    return await reports.run({ dir: world.dir, options });
  } catch (error) {
    if (error instanceof NoReport) throw sandboxRefusal('value-invalid', error.message);
    if (error instanceof ReportsBusy) throw sandboxRefusal('reports-busy', error.message);
    throw error;
  }
}
