/** Mounts the operators' routes: every change is a command with the operator and the reason. */

import type { Audited, Role } from '@bourse/core';
import { OPERATOR, submit, Unavailable } from '@bourse/engine';
import type { Admission } from '../admission.ts';
import type { RequestLog } from '../http/log.ts';
import type { Operator, OperatorAccess } from './access.ts';
import { type AnyParts, WithStatus } from '../json-interface.ts';
import { type AdmittedOperator, bearerPlugin } from './bearer-routes.ts';
import { INVITATION_ROUTES, USER_ROUTES } from './user-routes.ts';
import { LEDGER_ROUTES, RECONCILIATION_ROUTES, STATEMENT_ROUTES } from './ledger-routes.ts';
import { ADDRESS_ROUTES } from './address-routes.ts';
import { NOTICE_ROUTES } from './notice-routes.ts';
import { MARKET_ROUTES, CANDLE_ROUTES } from './market-routes.ts';
import { MONEY_LISTS, QUEUE_ROUTES } from './money-lists.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { CLUSTER_ROUTES } from './cluster-routes.ts';
import { CORRECTION_ROUTES } from './correction-routes.ts';
import { documentRoute } from './openapi.ts';
import { OPERATOR_ACCOUNTS } from './operator-routes.ts';
import { OPERATOR_STATUSES } from './operator-errors.ts';
import { policyRoutes } from './policy-routes.ts';
import { proposalResponse, PROPOSAL_ROUTES } from './proposal-routes.ts';
import { ORDER_ROUTES } from './order-routes.ts';
import { REFERENCE_ROUTES } from './reference-routes.ts';
import {
  mayCall,
  checkNotEmpty,
  type OperatorCaller,
  HeldCall,
  type OperatorContext,
  type OperatorRoute,
  type OperatorServices,
  type OperatorTerms,
  refuse,
} from './route.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import type { OperatorTraffic } from './traffic.ts';
import { USER_STANDING_ROUTES } from './user-standing-routes.ts';
import { WITHDRAWAL_RULE_ROUTES } from './withdrawal-rule-routes.ts';

export const OPERATOR_MOUNT = '/operator';

const BESIDES_POLICY: readonly OperatorRoute[] = [
  ...REFERENCE_ROUTES,
  ...MARKET_ROUTES,
  ...scheduleRoutes([...REFERENCE_ROUTES, ...MARKET_ROUTES]),
  ...CANDLE_ROUTES,
  ...USER_ROUTES,
  ...USER_STANDING_ROUTES,
  ...INVITATION_ROUTES,
  ...ORDER_ROUTES,
  ...ADDRESS_ROUTES,
  ...MONEY_LISTS,
  ...NOTICE_ROUTES,
  ...MONEY_ROUTES,
  ...QUEUE_ROUTES,
  ...CORRECTION_ROUTES,
  ...WITHDRAWAL_RULE_ROUTES,
  ...STATEMENT_ROUTES,
  ...RECONCILIATION_ROUTES,
  ...LEDGER_ROUTES,
  ...CLUSTER_ROUTES,
  ...OPERATOR_ACCOUNTS,
  ...PROPOSAL_ROUTES,
];

const ROUTES: readonly OperatorRoute[] = [...BESIDES_POLICY, ...policyRoutes(BESIDES_POLICY)];

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
  return bearerPlugin<OperatorTerms, OperatorContext>({
    name: 'operator',
    listedAt: '/operator/openapi.json',
    routes: OPERATOR_ROUTES,
    statuses: OPERATOR_STATUSES,
    invoke: (route, parts, admitted) => invoke(route, parts, admitted, services),
    lacksRole: (operator, { id, roles }) => noteRefusal(services, operator, id, roles),
    ...options,
  });
}

/** Records the refusal in the audit trail. If the exchange accepts no commands, the call is refused without a record. */
async function noteRefusal(
  { port }: OperatorServices,
  operator: Operator,
  refused: string,
  roles: readonly Role[],
): Promise<void> {
  const command = { kind: 'refuse-call', refused, roles, ...signed(operator), why: '' } as const;
  try {
    await submit(port, command, OPERATOR);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

/** The operator's fields of a command. */
function signed({ name, number, kind, ip }: Operator): Pick<Audited, 'by' | 'ip' | 'operator' | 'isPerson'> {
  return {
    by: name,
    ip,
    ...(number !== undefined && { operator: number }),
    ...(kind === 'person' && { isPerson: true }),
  };
}

function callerOf(operator: Operator): OperatorCaller {
  const { id, name, roles } = operator;
  const usable = OPERATOR_ROUTES.filter((route) => mayCall(operator, route));
  return {
    id,
    name,
    roles,
    mayChange: usable.some(({ method }) => method !== 'GET'),
    calls: usable.map((route) => route.id),
  };
}

async function invoke(
  route: OperatorRoute,
  given: AnyParts,
  { operator, agent, gone }: AdmittedOperator,
  services: OperatorServices,
): Promise<unknown> {
  checkNotEmpty(route, given.body);
  const { reason, parts } = withoutReason(route, given);
  try {
    return await route.handle({
      services,
      ...parts,
      get caller() {
        return callerOf(operator);
      },
      from: { ip: operator.ip, agent },
      gone,
      async act(command, shown = {}) {
        const sent = { ...command, ...signed(operator), why: reason, call: route.id };
        const { outcome } = await submit(services.port, sent, OPERATOR);
        if (outcome.kind === 'rejected') throw refuse(outcome.rejection, command, services);
        if (outcome.kind === 'proposed') throw new HeldCall(outcome.proposal, shown);
        return outcome;
      },
    });
  } catch (error) {
    if (!(error instanceof HeldCall)) throw error;
    return new WithStatus(202, { ...(await proposalResponse(services, error.proposal)), ...error.shown });
  }
}

interface Reasoned {
  readonly reason?: string;
}

/** Splits the reason from the row's own fields. */
function withoutReason(
  { method }: OperatorRoute,
  parts: AnyParts,
): { readonly reason: string; readonly parts: AnyParts } {
  if (method === 'GET') return { reason: '', parts };
  const place = method === 'DELETE' ? 'query' : 'body';
  const { reason = '', ...own } = parts[place] as Reasoned;
  return { reason, parts: { ...parts, [place]: own } };
}
