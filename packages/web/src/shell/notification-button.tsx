/** The bell, with the number of unread notifications. Notifications and alerts are loaded lazily. */

import { lazy, Suspense, useState } from 'react';
import { usePriceAlerts } from '../exchange/price-alerts.ts';
import { IconButton } from '../ui/button.tsx';
import { readToasts, useUnreadToasts } from '../ui/toast.tsx';

const Notifications = lazy(() => import('./notifications.tsx'));

export function NotificationButton() {
  usePriceAlerts();
  const unread = useUnreadToasts();
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => {
    readToasts();
    setIsOpen(false);
  };
  return (
    <span className="relative">
      <IconButton
        icon="bell"
        label={unread === 0 ? 'Notifications' : `Notifications, ${unread} new`}
        onClick={() => setIsOpen(true)}
      />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0.5 right-0.5 min-w-4 rounded-full bg-accent-fill px-1 text-center text-2xs leading-4 font-medium text-white"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
      {isOpen && (
        <Suspense>
          <Notifications onClose={close} />
        </Suspense>
      )}
    </span>
  );
}
