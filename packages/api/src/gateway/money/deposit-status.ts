/**
 * Deposit status in the owner's lists and feed. Under the Travel Rule it is WAIT_TRM_MGT until the questionnaire is
 * submitted, PROCESSING during the review, TRM_MGT_REJECTED if it was rejected and may be submitted again, and
 * RETURNED if the money was sent back.
 */

import type { Deposit } from '@bourse/core';
import { formatMoney } from '../decimals.ts';
import { markedId } from '../ids.ts';
import { Type } from '../schema.ts';

type State = Deposit['state'];

const STATUSES: Readonly<Record<State, string>> = {
  waiting: 'WAIT_TRM_MGT',
  review: 'PROCESSING',
  refused: 'TRM_MGT_REJECTED',
  done: 'SUCCESS',
  returned: 'RETURNED',
};
const QUESTIONNAIRE_STATUSES: Readonly<Record<State, string | null>> = {
  waiting: null,
  review: 'pending',
  refused: 'fail',
  done: 'success',
  returned: 'fail',
};

/** Valid status filters; any other status has no deposits. PROCESSING matches every deposit not yet credited. */
export const DEPOSIT_FILTERS: ReadonlyMap<string, readonly State[]> = new Map([
  ['PROCESSING', ['waiting', 'review', 'refused']],
  ['WAIT_TRM_MGT', ['waiting']],
  ['TRM_MGT_REJECTED', ['refused']],
  ['SUCCESS', ['done']],
  ['RETURNED', ['returned']],
]);

const words = (...all: string[]) => Type.Union(all.map((each) => Type.Literal(each)));
const orNull = (schema: ReturnType<typeof words>, description: string) =>
  Type.Union([...schema.anyOf, Type.Null()], { description });

export const DEPOSIT_STATUS = {
  status: words(...Object.values(STATUSES)),
  travelRuleOId: Type.Union([Type.String(), Type.Null()], {
    description: 'What the questionnaire names; null where none is asked for.',
  }),
  questionnaireStatus: orNull(
    words('pending', 'success', 'fail'),
    'null where none is asked for, and until it is submitted.',
  ),
  failureCode: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the questionnaire failed; null unless the deposit is TRM_MGT_REJECTED.',
  }),
};

export function depositStatus({ state, travelRuleId, failureCode = '' }: Deposit) {
  const isAsked = travelRuleId > 0;
  return {
    status: STATUSES[state],
    travelRuleOId: isAsked ? markedId('travel-rule', travelRuleId) : null,
    questionnaireStatus: isAsked ? QUESTIONNAIRE_STATUSES[state] : null,
    failureCode: failureCode || null,
  };
}

/** The gross amount of a deposit, and the fee deducted when it is credited. */
export function depositAmounts({ amount, fee = 0n }: Deposit, scale: number) {
  return { amount: formatMoney(amount, scale), fee: formatMoney(fee, scale) };
}
