/** The labels of the user's orders on the chart: dragged they ask what would change, and their cross cancels. */

import { useMemo, useRef } from 'react';
import { formatExact } from '../../decimal/format.ts';
import { showToast } from '../../ui/toast.tsx';
import { type Action, useAct } from '../../user/actions.ts';
import { cancelOco, cancelOrder, cancelStop } from '../orders/order-actions.ts';
import type { Handle } from './chart-handles.tsx';
import type { LineOrder, OrderLine } from './order-lines.ts';

export function useOrderHandles(
  lines: readonly OrderLine[],
  onMove: (line: OrderLine, to: string) => void,
): readonly Handle[] {
  const act = useAct();
  const latest = useRef({ act, onMove });
  latest.current = { act, onMove };
  return useMemo(
    () =>
      lines.map((line) => {
        const name = `${line.text} at ${formatExact(line.price)}`;
        return {
          key: line.key,
          price: line.price,
          tone: line.side === 'buy' ? 'up' : 'down',
          text: line.text,
          name,
          onDrop: ({ price }) => latest.current.onMove(line, price),
          removeLabel: `Cancel ${name}`,
          onRemove: () => {
            for (const order of line.orders) {
              latest.current.act.mutate(cancelOf(order), {
                onSuccess: () => showToast('done', `Cancelled: ${name}`, '', line.key),
              });
            }
          },
        };
      }),
    [lines],
  );
}

function cancelOf(of: LineOrder): Action {
  if (of.kind === 'order') return cancelOrder(of.order);
  return of.kind === 'stop' ? cancelStop(of.stop) : cancelOco(of.oco);
}
