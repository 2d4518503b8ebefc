/**
 * The rows of the operator API. Every change needs a reason, and becomes a command in the log with operator and reason;
 * the response is its outcome.
 */

import type { Administration, Outcome, Rejection, Role } from '@bourse/core';
import { Unavailable } from '@bourse/engine';
import { explain } from '../errors/explain.ts';
import type { Refusal } from '../errors/refusal.ts';
import { type RouteOf, rowsOf } from '../route.ts';
import { line, Type } from '../schema.ts';
import type { Services } from '../services.ts';
import type { Operator } from './access.ts';
import type { FigureHistory } from './figure-history.ts';
import { type OperatorErrorName, operatorRefusal } from './operator-errors.ts';

/** The result of a reload. */
export interface Reloaded {
  /** Settings that have taken effect. */
  readonly changed: readonly string[];
  /** Changed settings that take effect only at the next start. */
  readonly restart: readonly string[];
}

export interface OperatorServices extends Services {
  /** The largest single deposit, in decimals by currency code, `*` for the others. */
  readonly creditMax: Readonly<Record<string, string>>;
  /** Only of a node of a cluster. */
  readonly cluster?: ClusterControl;
  /** Creates an invitation to sign up; absent if people cannot sign up. */
  readonly invite?: (terms: { readonly email?: string; readonly expires?: number }) => string;
  /** Sends a mail with which a new operator signs in for the first time; absent if people cannot sign in. */
  readonly welcome?: (email: string, from: CallOrigin) => void;
  /** The keyed hash of an e-mail address; absent if people cannot sign in. */
  readonly loginOf?: (email: string) => string;
  readonly figures?: FigureHistory | undefined;
  /** Writes a warning into the log. */
  readonly warn?: (message: string) => void;
  /** Rotates to the secret in a file on this machine. Only for a venue on a single machine. */
  readonly rotateSecret?: (file: string) => Promise<void>;
  /** Not in a sandbox on one machine. */
  readonly reload?: () => Promise<Reloaded>;
}

export interface OperatorCaller {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly mayChange: boolean;
  /** Ids of the calls that it may use. */
  readonly calls: readonly string[];
}

/** Where a call comes from. */
export interface CallOrigin {
  readonly ip: string;
  /** The User-Agent header. */
  readonly agent: string;
}

/** The arguments of handlers besides the parts of the request. */
export interface OperatorContext {
  readonly services: OperatorServices;
  readonly caller: OperatorCaller;
  readonly from: CallOrigin;
  /** Aborted when the client has closed the connection. */
  readonly gone: AbortSignal;
  /**
   * Submits the command with the operator and the reason; throws a rejection as a Refusal. If a policy applies,
   * throws a HeldCall; `shown` then becomes part of the response, because it is shown only once.
   */
  readonly act: (command: Administration, shown?: object) => Promise<Outcome>;
}

export interface OperatorTerms {
  /** Operators with one of these roles have this call. */
  readonly roles: readonly Role[];
  /** How a policy can require approval for it: never, always, or above an amount. */
  readonly policy: 'never' | 'always' | 'above';
  /** Whether the call has an effect without any optional field. Other calls reject an empty body as a mistake. */
  readonly mayBeEmpty: boolean;
}

export type OperatorRoute = RouteOf<OperatorTerms, OperatorContext>;

/**
 * By default, calls that read are open to every role but `custodian`, without a policy; calls that change something
 * can need approval `always`.
 */
interface GivenTerms extends Partial<OperatorTerms> {
  /** For calls that change nothing in the exchange. */
  readonly isReasonOptional?: true;
}

const REASON_LENGTH_MAX = 256;
const Reason = line(REASON_LENGTH_MAX, 1);

/** Declares a route of the operator API. Changes need a reason. */
export const operatorRoute = rowsOf<GivenTerms, OperatorContext, OperatorTerms>({
  isClosed: true,
  terms({ id, method, roles = method === 'GET' ? READERS : [], policy, mayBeEmpty = false }) {
    if (roles.length === 0) throw new TypeError(`${id}: nobody may call it`);
    return { roles, policy: policy ?? (method === 'GET' ? 'never' : 'always'), mayBeEmpty };
  },
  ofChanges: ({ isReasonOptional }) => ({ reason: isReasonOptional ? Type.Optional(Reason) : Reason }),
});

/**
 * Records a call whose effect is outside the log in the audit trail, after the effect. If the exchange accepts no commands
 * at that moment, the effect stays without a record.
 */
export async function noteCall(
  { act, services }: Pick<OperatorContext, 'act' | 'services'>,
  noted: string,
): Promise<void> {
  try {
    await act({ kind: 'note-call', noted });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    services.warn?.(`${noted} is not in the audit trail: ${error.message}`);
  }
}

/** The call needs approval: its response is the proposal. */
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

/** The command determines the currency or symbol whose units the rejection uses. */
export function refuse(
  rejection: Rejection,
  command: Administration,
  { catalogue }: OperatorServices,
): Refusal<OperatorErrorName> {
  const about = {
    ...('currency' in command ? { currency: catalogue.currencyAt(command.currency) } : {}),
    ...('symbol' in command && command.symbol !== undefined
      ? { symbol: catalogue.symbolAt(command.symbol) }
      : {}),
  };
  const { detail, message } = explain(rejection, catalogue, about);
  return operatorRefusal(rejection.code, detail || message);
}

/** If all fields but the reason are optional, at least one must be present: an empty change is a mistake. */
export function checkNotEmpty({ body: schema, mayBeEmpty }: OperatorRoute, body: unknown): void {
  if (mayBeEmpty) return;
  const properties = schema?.properties ?? {};
  const required: readonly string[] = schema?.required ?? [];
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const isChange = optional.length > 0 && required.length === 1 && required[0] === 'reason';
  if (!isChange || optional.some((name) => name in (body as object))) return;
  const msg = `Nothing to change. Give at least one of ${optional.join(', ')}.`;
  throw operatorRefusal('nothing-to-change', msg);
}

/** Every role but `custodian`, which is for programs. */
export const READERS: readonly Role[] = ['viewer', 'support', 'finance', 'listing', 'compliance', 'admin'];

/** The only calls of a closed root. */
const BREAK_GLASS = 'add-operator';

/** The calls of each role, derived from the list in each row of the interface. */
export interface CallTerms {
  readonly id: string;
  readonly method: string;
  /** Absent if any holder of a shared token may call it. */
  readonly roles?: readonly Role[];
}

export function mayCall({ kind, roles }: Operator, call: CallTerms): boolean {
  switch (kind) {
    case 'root':
      return true;
    case 'closed-root':
      return call.id === BREAK_GLASS;
    case 'reader':
      return call.method === 'GET';
    default:
      return call.roles === undefined || call.roles.some((role) => roles.includes(role));
  }
}

// The operator API's view of a cluster, set up when a node starts.

export interface ClusterNode {
  readonly name: string;
  readonly url: string;
  /** The last record that it has applied, and the digest up to there. */
  readonly seq: number;
  readonly digest: string;
  readonly state: string;
  readonly isLeader: boolean;
}

export interface ClusterLogServer {
  readonly name: string;
  /** `silent`: it does not respond. */
  readonly state: 'current' | 'behind' | 'silent';
  readonly isLeader: boolean;
}

export interface ClusterStatus {
  /** The leader's name; null without a leader. */
  readonly leader: string | null;
  readonly nodes: readonly ClusterNode[];
  readonly logServers: readonly ClusterLogServer[];
  /** What is missing, as in `/readyz`; null for nothing. */
  readonly degraded: string | null;
}

export interface ClusterFigures {
  readonly isLeading: boolean;
  readonly hasLeader: boolean;
  /** Nodes that respond, including this one. */
  readonly nodes: number;
  /** Log servers that are up to date. */
  readonly logServers: number;
  /** No majority of log servers responds here, and the log may continue elsewhere. */
  readonly isIsolated: boolean;
  readonly clockAheadMs: number;
  /** Nodes whose settings differ from this one's, and log servers that acknowledge before they sync. */
  readonly differing: number;
  /** Stream messages since the start that were not written by a node of this cluster. */
  readonly forged: number;
}

/** `clock`: its clock is too far from most others' for the time of records. */
export type LeadResult = 'leads' | 'unknown' | 'clock' | 'timeout';

/** The operator's view and control of the cluster that this node belongs to. */
export interface ClusterControl {
  status(): Promise<ClusterStatus>;
  figures(): ClusterFigures;
  /** Asks the node to take over; resolves once it is the leader. */
  lead(name: string): Promise<LeadResult>;
}
