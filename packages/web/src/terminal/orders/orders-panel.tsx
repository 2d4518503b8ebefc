/** Everything of the user's in the market, or in all markets. */

import { useState } from 'react';
import { BalanceTable } from '../../money/balance-table.tsx';
import { useSession } from '../../session/session.ts';
import { Checkbox } from '../../ui/field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { Order } from '@bourse/client';
import { useOpenOrders, useStopOrders } from '../../user/user-queries.ts';
import { useMarket } from '../market-context.tsx';
import { OpenOrders } from './open-orders.tsx';
import { OrderLife } from './order-life.tsx';
import { DoneOrders, Fills } from './past-orders.tsx';
import { StopOrders } from './stop-orders.tsx';

export function OrdersPanel() {
  const { symbol } = useMarket();
  const session = useSession();
  const [tab, setTab] = useState('open');
  const [isAll, setIsAll] = useState(false);
  const [life, setLife] = useState<Order>();
  const wanted = isAll ? undefined : symbol.symbol;
  const isWanted = (each: { readonly symbol: string }): boolean =>
    wanted === undefined || each.symbol === wanted;
  const open = useOpenOrders().data?.items.filter(isWanted).length ?? 0;
  const stops = useStopOrders().data?.items.filter(isWanted).length ?? 0;
  const content = (shown: React.ReactNode): React.ReactNode =>
    session === null ? (
      <Empty icon="user" title="You are not signed in">
        Your orders, fills and balances appear here.
      </Empty>
    ) : (
      shown
    );

  return (
    <>
      <Tabs
        label="Orders and balances"
        value={tab}
        onValue={setTab}
        className="h-full"
        aside={<Checkbox label="All markets" isChecked={isAll} onChecked={setIsAll} />}
        tabs={[
          {
            value: 'open',
            label: `Open orders (${open})`,
            content: content(<OpenOrders symbol={wanted} onLife={setLife} />),
          },
          {
            value: 'stops',
            label: `Stop & OCO (${stops})`,
            content: content(<StopOrders symbol={wanted} />),
          },
          {
            value: 'history',
            label: 'History',
            content: content(<DoneOrders key={wanted} symbol={wanted} onLife={setLife} />),
          },
          { value: 'fills', label: 'Fills', content: content(<Fills key={wanted} symbol={wanted} />) },
          { value: 'balances', label: 'Balances', content: content(<BalanceTable />) },
        ]}
      />
      {life !== undefined && <OrderLife order={life} onClose={() => setLife(undefined)} />}
    </>
  );
}
