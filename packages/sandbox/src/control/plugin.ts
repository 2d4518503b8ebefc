/** Mounts the sandbox's control API. A venue does not have it. */

import {
  type Admission,
  bearerPlugin,
  type OperatorAccess,
  type OperatorTraffic,
  type RequestLog,
  Type,
} from '@bourse/api';
import type { Sandbox } from '../sandbox.ts';
import { CLOCK_ROUTES, MARKET_ROUTES, WORLD_ROUTES } from './world-routes.ts';
import { FAULT_ROUTES } from './fault-routes.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { REPORT_ROUTES, WATCH_ROUTES } from './watch-routes.ts';
import { SANDBOX_STATUSES } from '../sandbox-errors.ts';
import { type ControlContext, type ControlRoute, controlRoute } from './route.ts';

/** Overview of the sandbox: market, seed, clock, and the numbers of snapshots, forks and faults. */
const OVERVIEW_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'get-sandbox',
    method: 'GET',
    path: '/',
    summary: 'Seed, market, clock, sequence, and the numbers of snapshots, forks and faults.',
    async handle({ sandbox }) {
      const { world } = sandbox;
      const { preset, seed, symbols } = await world.living.view();
      return {
        seed,
        market: { preset, symbols: symbols.map(({ symbol }) => symbol) },
        clock: world.clock.view,
        seq: world.services.port.health.seq,
        snapshots: (await sandbox.snapshots.list()).length,
        forks: sandbox.forks.list().length,
        faults: sandbox.faults.list().length,
      };
    },
  }),
];

/** The mails that a sandbox without a mail server would have sent. */
const MAIL_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    id: 'list-mail',
    method: 'GET',
    path: '/mail',
    summary: 'Mails to people of this sandbox, newest first; `to` names one address.',
    query: { to: Type.Optional(Type.String()) },
    handle: ({ sandbox, query }) => sandbox.mailbox.list(query.to),
  }),
];

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...OVERVIEW_ROUTES,
  ...CLOCK_ROUTES,
  ...MARKET_ROUTES,
  ...MONEY_ROUTES,
  ...MAIL_ROUTES,
  ...WORLD_ROUTES,
  ...FAULT_ROUTES,
  ...WATCH_ROUTES,
  ...REPORT_ROUTES,
];

export interface ControlOptions {
  readonly sandbox: Sandbox;
  readonly access: OperatorAccess;
  readonly admission: Admission;
  readonly bodyBytesMax: number;
  readonly log: RequestLog;
  readonly traffic: OperatorTraffic;
}

/** Register it under SANDBOX_MOUNT. */
export function controlPlugin({ sandbox, ...options }: ControlOptions) {
  return bearerPlugin<object, ControlContext>({
    name: 'sandbox',
    listedAt: '/openapi.json',
    routes: CONTROL_ROUTES,
    statuses: SANDBOX_STATUSES,
    invoke: (route, parts) => route.handle({ sandbox, ...parts }),
    ...options,
  });
}
