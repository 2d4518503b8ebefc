/** The user's orders of one market as lines, as the exchange has them. */

import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../../session/session.ts';
import type { OcoDetails } from '../../user/types.ts';
import { useOcoOrders, useOpenOrders, useStopOrders } from '../../user/user-queries.ts';
import { type OrderLine, orderLines } from './order-lines.ts';

export function useOwnLines(symbol: string): readonly OrderLine[] {
  const session = useSession();
  const open = useOpenOrders().data?.items;
  const stops = useStopOrders().data?.items;
  const pairs = useOcoOrders().data?.items;
  // The list tells which pairs there are, and each by itself what its parts are.
  const ocos = useQueries({
    queries: (pairs ?? [])
      .filter((pair) => pair.symbol === symbol)
      .map(({ orderId }) => {
        const path = `/api/v3/oco/order/details/${orderId}`;
        return {
          queryKey: ['user', session?.credentials.apiKey, path, {}],
          queryFn: () => session!.client.http.call<OcoDetails>('GET', path, { query: {} }),
          enabled: session !== null,
        };
      }),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return useMemo(() => {
    const here = (each: { readonly symbol: string }): boolean => each.symbol === symbol;
    return orderLines({ open: open?.filter(here) ?? [], stops: stops?.filter(here) ?? [], ocos });
  }, [open, stops, ocos, symbol]);
}
