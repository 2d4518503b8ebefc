/** Which roles have which call: each row of the interface has its own list, and everything else follows from it. */

import type { Role } from '@bourse/core';
import type { Operator } from './access.ts';

/** Every role but `custodian`, which is for programs. */
export const READERS: readonly Role[] = ['viewer', 'support', 'finance', 'listing', 'compliance', 'admin'];

/** All that root may do after it was closed. */
const BREAK_GLASS = 'add-operator';

export interface CallTerms {
  readonly id: string;
  readonly method: string;
  /** Left out where whoever has a shared token may call it. */
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
