/** Faults of an overload run: unexpected responses, a queue beyond its bound, no rejections. */

import type { OverloadReport } from './overload.ts';

const PROMISED = ['200', '429', '503'];

export function faultsOf({ loads, queueBound }: OverloadReport): string[] {
  return loads.flatMap(({ load, statuses, offered, queueMost, refused }) => {
    const others = Object.entries(statuses).filter(([status]) => !PROMISED.includes(status));
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    return [
      ...others.map(([status, count]) => `load ${load}: ${count} times ${status}`),
      ...(answers === offered ? [] : [`load ${load}: ${answers} answers to ${offered} requests`]),
      ...(queueMost <= queueBound ? [] : [`load ${load}: ${queueMost} commands waited, bound ${queueBound}`]),
      ...(load < 5 || refused.count > 0 ? [] : [`load ${load}: nothing was refused`]),
    ];
  });
}
