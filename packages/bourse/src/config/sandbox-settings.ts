/** The settings of a sandbox. A venue rejects them: it has no simulated traders and no settable clock. */

import { Type } from '@bourse/api/basics';
import { about } from './about.ts';

const sandbox = about('Sandbox');

export const SANDBOX_ROWS = {
  market: Type.Union(
    [
      Type.Literal('calm'),
      Type.Literal('busy'),
      Type.Literal('thin'),
      Type.Literal('wild'),
      Type.Literal('one-sided'),
      Type.Literal('crash'),
      Type.Literal('quiet'),
    ],
    {
      default: 'calm',
      ...sandbox(
        'Preset of the simulated market in a sandbox; `quiet` has no simulated traders and empty books. A directory that was last started with the same preset continues where it stopped.',
      ),
    },
  ),
  seed: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 4_294_967_295,
    ...sandbox('Seed of all randomness: the same seed and the same requests give the same market.', 'number'),
  }),
  recordings: Type.String({
    default: '',
    ...sandbox('Directory with recorded markets (CSV) that can be replayed. Empty: none.'),
  }),
  clock: Type.String({
    default: 'real',
    pattern: '^(real|manual|x([2-9]|[1-9][0-9]{1,3}|10000))$',
    ...sandbox(
      'Exchange time: runs with the clock of the machine (real), at a multiple of its speed (x10), or only when advanced (manual).',
    ),
    expects: 'real, manual, or x and a speed from 2 to 10000, such as x10',
  }),
  time: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 4_102_444_800_000,
    ...sandbox(
      'Initial exchange time, never before that of the log. 0: now, or with a manual clock the beginning of 2026.',
      'ms',
    ),
  }),
};

export const SANDBOX_SETTINGS = Object.keys(SANDBOX_ROWS) as readonly (keyof typeof SANDBOX_ROWS)[];
