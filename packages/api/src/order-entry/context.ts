/** Shared by all sessions of order entry. */

import type { Dialect } from '../gateway/route.ts';
import type { GatewayContext } from '../gateway/http/request.ts';
import type { WaitingBytes } from '../sockets/outlet.ts';
import type { WorkScheduler } from '../sockets/work-scheduler.ts';
import type { OrderEntryLimits } from './limits.ts';
import type { Operation } from './operations.ts';

export interface OrderEntryContext {
  readonly gateway: GatewayContext;
  readonly dialect: Dialect;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly limits: OrderEntryLimits;
  /** Bytes of unread responses, over all sessions. */
  readonly waiting: WaitingBytes;
  readonly scheduler: WorkScheduler;
}
