/** Whether the exchange takes orders. Only where it does not is anything said, in its own words. */

import { useQuery } from '@tanstack/react-query';
import { publicClient } from '../exchange/connection.ts';

const ASKED_EVERY_MS = 15_000;

interface ServiceStatus {
  readonly status: 'open' | 'close';
  readonly msg: string;
}

export function ServiceBanner() {
  const { data } = useQuery({
    queryKey: ['service-status'],
    queryFn: () => publicClient.http.call<ServiceStatus>('GET', '/api/v1/status'),
    refetchInterval: ASKED_EVERY_MS,
  });
  if (data === undefined || data.status === 'open') return null;
  return (
    <p role="status" className="border-b border-line bg-warning-tint px-3 py-1.5 text-xs text-warning">
      The exchange takes no orders at present: {data.msg}.
    </p>
  );
}
