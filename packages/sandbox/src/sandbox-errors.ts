/** The error codes of a sandbox's control API, the operators' and its own, with their statuses. */

import { OPERATOR_ERRORS, type OperatorErrorName, Refusal, statusTable } from '@bourse/api';

const SANDBOX_ERRORS = {
  ...OPERATOR_ERRORS,
  'assertion-unknown': 404,
  'fault-unknown': 404,
  'fork-unknown': 404,
  'record-gone': 404,
  'record-unknown': 404,
  'scenario-unknown': 404,
  'snapshot-unknown': 404,
  'topic-unknown': 404,
  'clock-runs': 409,
  'events-gone': 409,
  'name-ambiguous': 409,
  'name-taken': 409,
  'port-taken': 409,
  'reports-busy': 409,
  'scenario-runs': 409,
  'snapshot-damaged': 409,
  'too-many': 409,
  'disk-full': 503,
} as const;

export const SANDBOX_STATUSES = statusTable(SANDBOX_ERRORS);

export type SandboxErrorName = keyof typeof SANDBOX_ERRORS | OperatorErrorName;

export const sandboxRefusal = (error: SandboxErrorName, detail: string): Refusal<SandboxErrorName> =>
  new Refusal<SandboxErrorName>(error, detail);
