/** Who works on something that waits: the same two buttons for deposits, withdrawals and questionnaires. */

import type { Action } from '../action/action.ts';

export const assignment = (call: string, what: string, given: NonNullable<Action['given']>): Action => ({
  call,
  title: `Assign ${what}`,
  consequence:
    'The others see who works on it. Left empty, it is you. Whoever has the role may still act on it.',
  given,
});

export const release = (call: string, what: string, given: NonNullable<Action['given']>): Action => ({
  call,
  title: `Release ${what}`,
  consequence: 'Nobody in particular works on it any more.',
  given,
});
