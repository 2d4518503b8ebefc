/** Whether the page hears the exchange. When it does not, a banner says so, and that the page tries again by itself. */

import { ApiError } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';
import { publicClient } from '../exchange/connection.ts';
import { useConnectionState } from '../exchange/live-tickers.ts';
import { classNames } from '../ui/class-names.ts';
import { sentenceOf } from '../ui/states.tsx';
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

/** Over the whole width while the connection is lost, or the user's own. */
export function LostBanner() {
  const state = useConnectionState();
  const isUserFeedLost = useIsUserFeedLost();
  if (state !== 'lost' && !isUserFeedLost) return null;
  return (
    <p role="alert" className="border-b border-line bg-warning-tint px-3 py-1.5 text-xs text-warning">
      {state === 'lost'
        ? 'The exchange cannot be reached. This page shows the last known state and keeps trying to reconnect.'
        : `Changes of your orders and balances do not arrive by themselves; the page asks for them every ${LOST_ASK_MS / 1000} seconds.`}
    </p>
  );
}

const ASKED_EVERY_MS = 5_000;

interface ServiceStatus {
  readonly status: 'open' | 'close';
  readonly msg: string;
}

/** Whether the exchange takes orders. Only where it does not is anything said, in its own words. */
export function ServiceBanner() {
  const { data, error } = useQuery({
    queryKey: ['service-status'],
    queryFn: () => publicClient.http.call<ServiceStatus>('GET', '/api/v1/status'),
    refetchInterval: ASKED_EVERY_MS,
  });
  const text =
    error instanceof ApiError
      ? `The exchange refused to answer: ${sentenceOf(error)}. This page shows the last known state.`
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
