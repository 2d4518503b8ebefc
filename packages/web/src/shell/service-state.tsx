/** Whether the exchange takes orders. Only where it does not is anything said, in its own words. */

import { ApiError } from '@bourse/client';
import { useQuery } from '@tanstack/react-query';
import { publicClient } from '../exchange/connection.ts';
import { sentenceOf } from '../ui/states.tsx';

const ASKED_EVERY_MS = 5_000;

interface ServiceStatus {
  readonly status: 'open' | 'close';
  readonly msg: string;
}

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
