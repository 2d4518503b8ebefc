/**
 * The rows of a sandbox's control API. Unlike operators' changes they have no reason, because a sandbox has
 * no audit trail.
 */

import { type RouteOf, rowsOf } from '@bourse/api';
import type { Sandbox } from '../sandbox.ts';

export interface ControlContext {
  readonly sandbox: Sandbox;
}

export type ControlRoute = RouteOf<object, ControlContext>;

export const controlRoute = rowsOf<object, ControlContext>({ isClosed: true, terms: () => ({}) });
