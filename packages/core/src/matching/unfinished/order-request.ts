/** An order request with its fields in canonical order, as a snapshot needs them. */

import type { OrderRequest } from '../../commands/commands.ts';
import { pick } from '../../values/pick.ts';

const REQUEST = [
  'symbol',
  'type',
  'side',
  'price',
  'size',
  'funds',
  'timeInForce',
  'cancelAfterSec',
  'postOnly',
  'hidden',
  'iceberg',
  'visibleSize',
  'stp',
  'clientId',
  'tags',
  'remark',
] as const satisfies readonly (keyof OrderRequest)[];

export function requestOf(command: OrderRequest): OrderRequest {
  return pick<OrderRequest, keyof OrderRequest>(command, REQUEST);
}
