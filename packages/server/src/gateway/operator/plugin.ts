/** The operator's routes, mounted: what changes something is a command with who and why. */

import type { Admission } from '../admission/admission.ts';
import type { RequestLog } from '../http/log.ts';
import type { OperatorAccess } from './access.ts';
import { type BearerRoute, bearerPlugin } from './bearer-routes.ts';
import { INVITATION_ROUTES } from './invitation-routes.ts';
import { LEDGER_ROUTES } from './ledger-routes.ts';
import { ADDRESS_ROUTES } from './address-routes.ts';
import { NOTICE_ROUTES } from './notice-routes.ts';
import { MONEY_LISTS } from './money-lists.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { CLUSTER_ROUTES } from './cluster-routes.ts';
import { CANDLE_ROUTES } from './candle-routes.ts';
import { documentRoute } from './openapi.ts';
import { OperatorError } from './operator-error.ts';
import { ORDER_ROUTES } from './order-routes.ts';
import { REFERENCE_ROUTES } from './reference-routes.ts';
import { type OperatorRoute, type OperatorServices, refuse } from './route.ts';
import type { OperatorTraffic } from './traffic.ts';
import { USER_ROUTES } from './user-routes.ts';
import { OPERATOR } from '../../engine/exchange-port.ts';
import { submit } from '../../engine/submit.ts';

export const OPERATOR_MOUNT = '/operator';

const ROUTES: readonly OperatorRoute[] = [
  ...REFERENCE_ROUTES,
  ...CANDLE_ROUTES,
  ...USER_ROUTES,
  ...INVITATION_ROUTES,
  ...ORDER_ROUTES,
  ...ADDRESS_ROUTES,
  ...MONEY_LISTS,
  ...NOTICE_ROUTES,
  ...MONEY_ROUTES,
  ...LEDGER_ROUTES,
  ...CLUSTER_ROUTES,
];

export const OPERATOR_ROUTES: readonly OperatorRoute[] = [...ROUTES, documentRoute(ROUTES, OPERATOR_MOUNT)];

export interface OperatorOptions {
  readonly services: OperatorServices;
  readonly access: OperatorAccess;
  readonly admission: Admission;
  readonly bodyBytesMax: number;
  readonly log: RequestLog;
  readonly traffic: OperatorTraffic;
}

/** To be registered under OPERATOR_MOUNT. */
export function operatorPlugin({ services, ...options }: OperatorOptions) {
  const routes = OPERATOR_ROUTES.map((route) => withServices(route, services));
  return bearerPlugin({ name: 'operator', listedAt: '/operator/openapi.json', routes, ...options });
}

function withServices(route: OperatorRoute, services: OperatorServices): BearerRoute {
  return {
    ...route,
    handle({ params, query, body, by, mayChange }) {
      const { reason = '' } = { ...(query as Reasoned), ...(body as Reasoned | undefined) };
      checkNamesAny(route, body);
      return route.handle({
        services,
        params: params as never,
        query: query as never,
        body: body as never,
        caller: { name: by, mayChange },
        async act(command) {
          const { outcome } = await submit(services.port, { ...command, by, why: reason }, OPERATOR);
          if (outcome.kind === 'rejected') throw refuse(outcome.rejection, command, services);
          return outcome;
        },
      });
    },
  };
}

/** Where every field but the reason may be left out, one must be there: a change of nothing is a slip. */
function checkNamesAny({ body: schema }: OperatorRoute, body: unknown): void {
  const properties = schema?.properties ?? {};
  const required: readonly string[] = schema?.required ?? [];
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const isChange = optional.length > 0 && required.length === 1 && required[0] === 'reason';
  if (!isChange || optional.some((name) => name in (body as object))) return;
  const msg = `There is nothing to change: give at least one of ${optional.join(', ')}.`;
  throw new OperatorError(400, 'nothing-to-change', msg);
}

interface Reasoned {
  readonly reason?: string;
}
