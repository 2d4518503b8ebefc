/**
 * How a deposit stands, in the words of its owner's lists and feed. One under the Travel Rule is WAIT_TRM_MGT until its
 * questionnaire is submitted, PROCESSING while that is reviewed, TRM_MGT_REJECTED when it was refused and may be
 * submitted again, RETURNED when the money was sent back.
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

/** What the filter of a list may say; another status has no deposits. PROCESSING is every deposit not yet credited. */
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

/** Of a deposit: all that arrived, and what is or was taken off when it is credited. */
export function depositAmounts({ amount, fee = 0n }: Deposit, scale: number) {
  return { amount: formatMoney(amount, scale), fee: formatMoney(fee, scale) };
}
