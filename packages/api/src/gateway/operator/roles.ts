/** The calls of each role, derived from the list in each row of the interface. */

import type { Role } from '@bourse/core';
import type { Operator } from './access.ts';

/** Every role but `custodian`, which is for programs. */
export const READERS: readonly Role[] = ['viewer', 'support', 'finance', 'listing', 'compliance', 'admin'];

/** The only calls of a closed root. */
const BREAK_GLASS = 'add-operator';

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
