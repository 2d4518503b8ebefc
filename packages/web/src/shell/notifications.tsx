/** Notifications, price alerts, and the sound setting. */

import { useState } from 'react';
import { Decimal, formatExact } from '../decimal/decimal.ts';
import { addAlert, removeAlert, useLastPrice } from '../exchange/live-tickers.ts';
import { useSymbols } from '../exchange/market-data.ts';
import { ALERTS_MAX, preferences, setPreferences } from '../preferences/preferences.ts';
import { usePreferences } from '../preferences/use-preferences.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, DecimalField, SelectField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { clockTime } from '../ui/text.ts';
import { looks, useToastLog } from '../ui/toast.tsx';

export default function Notifications({ onClose }: { readonly onClose: () => void }) {
  const { hasSound, alerts } = usePreferences();
  const [tab, setTab] = useState('log');
  return (
    <Dialog isOpen onOpen={(isOpen) => isOpen || onClose()} title="Notifications" className="h-[34rem]">
      <div className="-m-4 flex h-full min-h-0 flex-col">
        <Tabs
          label="Notifications"
          value={tab}
          onValue={setTab}
          className="min-h-0 flex-1"
          aside={
            <Checkbox
              label="Sound"
              isChecked={hasSound}
              onChecked={(next) => setPreferences({ hasSound: next })}
            />
          }
          tabs={[
            { value: 'log', label: 'Log', content: <Log /> },
            { value: 'alerts', label: `Price alerts (${alerts.length})`, content: <Alerts /> },
          ]}
        />
      </div>
    </Dialog>
  );
}

function Log() {
  const log = useToastLog();
  if (log.length === 0) {
    return (
      <Empty icon="bell" title="No notifications yet">
        Fills, rejections and alerts are listed here until the page is closed.
      </Empty>
    );
  }
  return (
    <ul aria-label="Notifications, newest first" className="flex flex-col text-xs">
      {log.map(({ id, kind, title, text, time }) => (
        <li key={id} className="flex gap-2.5 border-b border-line px-4 py-2">
          <span className={looks[kind].className}>
            <Icon name={looks[kind].icon} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="font-medium">{title}</span>
            {text !== '' && <span className="block break-words text-muted">{text}</span>}
          </span>
          <time dateTime={new Date(time).toISOString()} className="text-faint">
            {clockTime(time)}
          </time>
        </li>
      ))}
    </ul>
  );
}

function Alerts() {
  const { alerts } = usePreferences();
  const symbols = useSymbols().data ?? [];
  const [symbol, setSymbol] = useState(() => preferences().symbol);
  const [price, setPrice] = useState('');
  const last = useLastPrice(symbol);
  const market = symbols.find((each) => each.symbol === symbol);
  const isFull = alerts.length >= ALERTS_MAX;
  const value = Decimal.parse(price);
  const isReady = market !== undefined && value !== null && value.units > 0n && !isFull;
  return (
    <div className="flex flex-col gap-3 p-4">
      <form
        aria-label="New alert"
        className="grid grid-cols-[1fr_1fr_auto] items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          addAlert(symbol, price);
          setPrice('');
        }}
      >
        <SelectField
          label="Market"
          value={symbol}
          onValue={setSymbol}
          choices={symbols.map((each) => ({ value: each.symbol, label: each.symbol }))}
        />
        <DecimalField
          label="Price"
          value={price}
          onValue={setPrice}
          step={market?.priceIncrement}
          from={last}
        />
        <Button type="submit" kind="primary" disabled={!isReady}>
          Add
        </Button>
      </form>
      <p className="text-xs text-muted">
        Last price: {formatExact(last)}. An alert is shown once, and only while a page of this exchange is
        open in this browser{isFull ? `. ${ALERTS_MAX} alerts are the maximum; remove one first` : ''}.
      </p>
      <ul aria-label="Price alerts" className="flex flex-col">
        {alerts.map((alert) => {
          const name = `${alert.symbol} ${alert.when} to ${formatExact(alert.price)}`;
          return (
            <li key={name} className="flex h-9 items-center justify-between border-b border-line text-xs">
              {name}
              <IconButton
                icon="cross"
                size="small"
                label={`Remove the alert ${name}`}
                onClick={() => removeAlert(alert)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
