/** The state of the connection. If it is lost, a banner reports that, and that the page reconnects by itself. */

import { ApiError } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';
import { publicClient } from '../exchange/connection.ts';
import { useConnectionState } from '../exchange/live-tickers.ts';
import { sentenceOf } from '../ui/states.tsx';
import { classNames } from '../ui/text.ts';
import { LOST_ASK_MS, useIsUserFeedLost } from '../user/user-feed.ts';

const words = {
  connecting: { text: 'Connecting', dot: 'bg-warning animate-pulse-soft' },
  live: { text: 'Live', dot: 'bg-good' },
  lost: { text: 'Connection lost', dot: 'bg-danger animate-pulse-soft' },
} as const;

export function ConnectionState() {
  const state = useConnectionState();
  return (
    <p
      role="status"
      data-connection={state}
      className="flex items-center gap-1.5 px-2 text-xs max-sm:px-1 text-muted"
    >
      <span aria-hidden="true" className={classNames('size-2 rounded-full', words[state].dot)} />
      <span className={state === 'live' ? 'max-sm:sr-only' : ''}>{words[state].text}</span>
    </p>
  );
}

/** Shown while the connection to the market feed or to the user's feed is lost. */
export function LostBanner() {
  const state = useConnectionState();
  const isUserFeedLost = useIsUserFeedLost();
  if (state !== 'lost' && !isUserFeedLost) return null;
  return (
    <p role="alert" className="border-b border-line bg-warning-tint px-3 py-1.5 text-xs text-warning">
      {state === 'lost'
        ? 'The exchange cannot be reached. This page shows the last known state and keeps trying to reconnect.'
        : `Live updates of your orders and balances are interrupted; the page requests them every ${LOST_ASK_MS / 1000} seconds.`}
    </p>
  );
}

const ASKED_EVERY_MS = 5_000;

interface ServiceStatus {
  readonly status: 'open' | 'close';
  readonly msg: string;
}

/** Shows the exchange's own message while it does not accept orders. */
export function ServiceBanner() {
  const { data, error } = useQuery({
    queryKey: ['service-status'],
    queryFn: () => publicClient.http.call<ServiceStatus>('GET', '/api/v1/status'),
    refetchInterval: ASKED_EVERY_MS,
  });
  const text =
    error instanceof ApiError
      ? `The exchange rejected the status request: ${sentenceOf(error)}. This page shows the last known state.`
      : data !== undefined && data.status !== 'open'
        ? `The exchange does not accept orders: ${data.msg}.`
        : '';
  if (text === '') return null;
  return (
    <p role="status" className="border-b border-line bg-warning-tint px-3 py-1.5 text-xs text-warning">
      {text}
    </p>
  );
}
