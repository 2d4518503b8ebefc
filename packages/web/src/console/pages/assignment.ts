/** Assignment of queue entries: the same two buttons for deposits, withdrawals and questionnaires. */

import type { Action } from '../action/action.ts';

export const assignment = (call: string, what: string, given: NonNullable<Action['given']>): Action => ({
  call,
  title: `Assign ${what}`,
  consequence:
    'Other operators see the assignment. Leave it empty to assign it to yourself. Anyone with the role may still act on it.',
  given,
});

export const release = (call: string, what: string, given: NonNullable<Action['given']>): Action => ({
  call,
  title: `Release ${what}`,
  consequence: 'It is no longer assigned to anybody.',
  given,
});
