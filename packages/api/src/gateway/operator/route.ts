/**
 * The operator's routes: rows of data, like the public ones. Every change carries a
 * reason, becomes a command in the log with who and why, and is answered with what came of it.
 */

import type { Administration, Outcome, Rejection, RejectionCode, Role } from '@bourse/core';
import { line, type Static, type TObject, type TProperties, Type } from '../schema.ts';
import { explain } from '../errors/explain.ts';
import type { Services } from '../services.ts';
import type { ClusterControl } from './cluster-control.ts';
import { OperatorError } from './operator-error.ts';
import { READERS } from './roles.ts';

/** What came of reading the settings again. */
export interface Reloaded {
  /** In force. */
  readonly changed: readonly string[];
  /** Changed where they came from, but not in force before the next start. */
  readonly restart: readonly string[];
}

export interface OperatorServices extends Services {
  /** The largest single deposit, in decimals by currency code, `*` for the others. */
  readonly creditMax: Readonly<Record<string, string>>;
  /** Only of a node of a cluster. */
  readonly cluster?: ClusterControl;
  /** Makes an invitation to sign up; left out where people cannot. */
  readonly invite?: (terms: { readonly email?: string; readonly expires?: number }) => string;
  /** The hash by which a person with this e-mail address is known; left out where people cannot sign in. */
  readonly loginOf?: (email: string) => string;
  /** Writes a warning into the log. */
  readonly warn?: (sentence: string) => void;
  /** Not in a sandbox on one machine. */
  readonly reload?: () => Promise<Reloaded>;
}

export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly mayChange: boolean;
  /** Ids of the calls that it may use. */
  readonly calls: readonly string[];
}

export interface OperatorCall<Params, Query, Body> {
  readonly services: OperatorServices;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
  /**
   * Submits the command with who and why; a rejection is thrown as an OperatorError. Under policy it throws a HeldCall;
   * `shown` is then part of the answer, because it is told once.
   */
  act(command: Administration, shown?: object): Promise<Outcome>;
}

export interface OperatorRoute {
  /** Kebab-case, unique. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/operator`. */
  readonly path: string;
  readonly summary: string;
  /** Those that have this call. */
  readonly roles: readonly Role[];
  /** What the policy can say about it: nothing, that it needs approval, or above which amount. */
  readonly policy: 'never' | 'always' | 'above';
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  handle(call: OperatorCall<never, never, never>): unknown;
}

const REASON_LENGTH_MAX = 256;
export const Reason = line(REASON_LENGTH_MAX, 1);

type Parts<P extends TProperties, Q extends TProperties, B extends TProperties> = {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  handle(
    call: OperatorCall<
      Static<TObject<P>>,
      Static<TObject<Q>>,
      Static<TObject<B>> & { readonly reason: string }
    >,
  ): unknown;
  /** Left out of what reads: then every role has it but `custodian`. */
  readonly roles?: readonly Role[];
  /** Left out of what changes something: `always`. */
  readonly policy?: OperatorRoute['policy'];
} & Pick<OperatorRoute, 'id' | 'method' | 'path' | 'summary'>;

/** Keeps a row's types together. A member that the row does not know is refused: a typing error must not pass. */
export function operatorRoute<
  P extends TProperties = Record<never, never>,
  Q extends TProperties = Record<never, never>,
  B extends TProperties = Record<never, never>,
>(parts: Parts<P, Q, B>): OperatorRoute {
  const { params, query, body, ...rest } = parts;
  const { policy = parts.method === 'GET' ? 'never' : 'always' } = parts;
  const { roles = parts.method === 'GET' ? READERS : [] } = parts;
  if (roles.length === 0) throw new TypeError(`${parts.id}: nobody may call it`);
  const closed = (properties: TProperties) => Type.Object(properties, { additionalProperties: false });
  const changes = parts.method === 'POST';
  return {
    ...rest,
    roles,
    policy,
    ...(params ? { params: closed(params) } : {}),
    query: closed(parts.method === 'DELETE' ? { ...query, reason: Reason } : (query ?? {})),
    ...(changes ? { body: closed({ ...body, reason: Reason }) } : {}),
  } as OperatorRoute;
}

/** The policy wants approvals: the call is answered with its proposal. */
export class HeldCall extends Error {
  override readonly name = 'HeldCall';
  readonly proposal: number;
  readonly shown: object;

  constructor(proposal: number, shown: object) {
    super(`the call is proposal ${proposal}`);
    this.proposal = proposal;
    this.shown = shown;
  }
}

/** What the core refuses because something is not there, or is there already; all else is 400. */
const STATUSES: Readonly<Partial<Record<RejectionCode, number>>> = {
  'user-unknown': 404,
  'currency-unknown': 404,
  'symbol-unknown': 404,
  'chain-unknown': 404,
  'key-unknown': 404,
  'order-unknown': 404,
  'deposit-unknown': 404,
  'questionnaire-unknown': 404,
  'withdrawal-unknown': 404,
  'fee-rule-unknown': 404,
  'operator-unknown': 404,
  'proposal-unknown': 404,
  'request-repeated': 409,
  'code-taken': 409,
  'code-in-use': 409,
  'key-taken': 409,
  'address-taken': 409,
  'address-in-use': 409,
  'address-index': 409,
  'transfer-conflict': 409,
  'deposit-conflict': 409,
  'market-closed': 409,
  'questionnaire-closed': 409,
  'withdrawal-closed': 409,
  'withdrawal-claimed': 409,
  'not-claimed': 409,
  'root-closed': 409,
  role: 403,
  'last-admin': 409,
  'own-proposal': 403,
  'not-proposer': 403,
  'approved-already': 409,
  'proposal-closed': 409,
  expired: 409,
  'proposals-in-all': 409,
  'operators-in-all': 409,
};

/** The command says in which currency's or symbol's units the rejection counts. */
export function refuse(
  rejection: Rejection,
  command: Administration,
  { catalogue }: OperatorServices,
): OperatorError {
  const about = {
    ...('currency' in command ? { currency: catalogue.currencyAt(command.currency) } : {}),
    ...('symbol' in command && command.symbol !== undefined
      ? { symbol: catalogue.symbolAt(command.symbol) }
      : {}),
  };
  const { detail, message } = explain(rejection, catalogue, about);
  return new OperatorError(statusOfRejection(rejection), rejection.code, detail || message);
}

export const statusOfRejection = ({ code }: Rejection): number => STATUSES[code] ?? 400;
