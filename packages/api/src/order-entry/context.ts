/** Shared by all sessions of order entry. */

import type { Dialect } from '../gateway/route.ts';
import type { GatewayContext } from '../gateway/http/request.ts';
import type { WaitingBytes } from '../sockets/outlet.ts';
import type { WorkTurns } from '../sockets/work-turns.ts';
import type { OrderEntryLimits } from './limits.ts';
import type { Operation } from './operations.ts';

export interface OrderEntryContext {
  readonly gateway: GatewayContext;
  readonly dialect: Dialect;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly limits: OrderEntryLimits;
  /** Bytes of unread responses, over all sessions. */
  readonly waiting: WaitingBytes;
  readonly turns: WorkTurns;
}
