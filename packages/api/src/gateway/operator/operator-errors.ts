/** How the operators' interface refuses: the codes with their statuses. Rejections of the core that are missing are 400. */

import type { RejectionCode } from '@bourse/core';
import { statusTable } from '../errors/json-error.ts';
import { Refusal } from '../errors/refusal.ts';

export const OPERATOR_ERRORS = {
  'body-missing': 400,
  'call-not-possible': 400,
  'call-unknown': 400,
  'credit-above-cap': 400,
  'field-missing': 400,
  'field-not-allowed': 400,
  'field-unknown': 400,
  'name-invalid': 400,
  'nothing-to-change': 400,
  'settings-wrong': 400,
  'text-invalid': 400,
  'value-invalid': 400,
  'no-session': 401,
  'token-missing': 401,
  'token-wrong': 401,
  'foreign-origin': 403,
  'not-proposer': 403,
  'own-proposal': 403,
  'read-only': 403,
  'remote-denied': 403,
  role: 403,
  'chain-unknown': 404,
  'currency-unknown': 404,
  'deposit-unknown': 404,
  'fee-rule-unknown': 404,
  'key-unknown': 404,
  'no-cluster': 404,
  'no-identity': 404,
  'node-unknown': 404,
  'notice-unknown': 404,
  'operator-unknown': 404,
  'order-unknown': 404,
  'proposal-unknown': 404,
  'questionnaire-unknown': 404,
  'route-unknown': 404,
  'symbol-unknown': 404,
  'user-unknown': 404,
  'withdrawal-unknown': 404,
  'address-in-use': 409,
  'address-index': 409,
  'address-taken': 409,
  'approved-already': 409,
  'clock-wrong': 409,
  'code-in-use': 409,
  'code-taken': 409,
  'deposit-conflict': 409,
  expired: 409,
  hash: 409,
  'key-taken': 409,
  'last-admin': 409,
  'market-closed': 409,
  'not-claimed': 409,
  'operators-in-all': 409,
  'proposal-closed': 409,
  'proposals-in-all': 409,
  'questionnaire-closed': 409,
  'reload-unavailable': 409,
  'request-repeated': 409,
  'root-closed': 409,
  'transfer-conflict': 409,
  'withdrawal-claimed': 409,
  'withdrawal-closed': 409,
  gone: 499,
  'node-silent': 503,
} as const;

export const OPERATOR_STATUSES = statusTable(OPERATOR_ERRORS);

export type OperatorErrorName = keyof typeof OPERATOR_ERRORS | RejectionCode;

export const operatorRefusal = (error: OperatorErrorName, detail: string): Refusal<OperatorErrorName> =>
  new Refusal<OperatorErrorName>(error, detail);
