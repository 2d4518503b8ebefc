/** `tradeType`, which clients of the family send: only spot trading exists here. */

import { invalid, shown } from '../errors/invalid.ts';
import type { Members } from '../members.ts';
import { asked, type Asking } from '../paging.ts';
import { Type } from '../schema.ts';

const SPOT = 'TRADE';

export const TRADE_TYPE_QUERY = {
  tradeType: Type.Optional(Type.String({ description: 'TRADE; there are no orders of another type.' })),
};

/** Whether spot orders are requested; there are no others. */
export function isOfSpot(call: Asking<'tradeType'>): boolean {
  return (asked(call, 'tradeType') ?? SPOT) === SPOT;
}

/** An order for another kind of trading must not become a spot order. */
export function refuseOtherTrading({ tradeType }: Members): void {
  if (tradeType === undefined || tradeType === null || tradeType === '' || tradeType === SPOT) return;
  throw invalid(`tradeType ${shown(tradeType)} must be ${SPOT}: there is spot trading only.`);
}
