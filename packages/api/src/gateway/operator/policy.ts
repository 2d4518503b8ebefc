/** Rules of the policy, in the format of the API. */

import type { PolicyRule } from '@bourse/core';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney } from '../decimals.ts';

export function showRules(rules: readonly PolicyRule[], catalogue: Catalogue): object[] {
  return rules.map(({ call, above, approvals, roles }) => ({
    call,
    ...(above && { above: showAmounts(above, catalogue) }),
    approvals,
    roles,
  }));
}

function showAmounts(above: NonNullable<PolicyRule['above']>, catalogue: Catalogue): object {
  return Object.fromEntries(
    above.map(({ currency, amount }) => {
      const { code, scale } = catalogue.currencyAt(currency);
      return [code, formatMoney(amount, scale)];
    }),
  );
}
