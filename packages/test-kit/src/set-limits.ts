/** Imported before the exchange (`node --import`): gives it the limits of the environment. See limits.ts. */

import { LIMITS } from '../../bourse/src/config/limits.ts';

export const LIMITS_VARIABLE = 'TEST_LIMITS';

const given = process.env[LIMITS_VARIABLE];
if (given !== undefined) Object.assign(LIMITS, JSON.parse(given));
