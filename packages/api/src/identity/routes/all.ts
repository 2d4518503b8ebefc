/** Every call of the identity interface. */

import type { IdentityRoute } from './route.ts';
import { ACCOUNT_ROUTES } from './account-routes.ts';
import { FACTOR_ROUTES } from './factor-routes.ts';
import { KEY_ROUTES } from './key-routes.ts';
import { SESSION_ROUTES } from './session-routes.ts';

export const IDENTITY_ROUTES: readonly IdentityRoute[] = [
  ...SESSION_ROUTES,
  ...FACTOR_ROUTES,
  ...KEY_ROUTES,
  ...ACCOUNT_ROUTES,
];
