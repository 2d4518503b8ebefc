/** The sandbox's control interface, mounted. A venue has none of it. */

import {
  type Admission,
  bearerPlugin,
  type OperatorAccess,
  type OperatorTraffic,
  type RequestLog,
} from '@bourse/api';
import type { Sandbox } from '../sandbox.ts';
import { CLOCK_ROUTES } from './clock-routes.ts';
import { FAULT_ROUTES } from './fault-routes.ts';
import { MAIL_ROUTES } from './mail-routes.ts';
import { MARKET_ROUTES } from './market-routes.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { OVERVIEW_ROUTES } from './overview-routes.ts';
import { REPORT_ROUTES } from './report-routes.ts';
import { SANDBOX_STATUSES } from '../sandbox-errors.ts';
import type { ControlContext, ControlRoute } from './route.ts';
import { WATCH_ROUTES } from './watch-routes.ts';
import { WORLD_ROUTES } from './world-routes.ts';

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
