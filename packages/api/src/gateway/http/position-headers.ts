/**
 * In a cluster, each response states the record up to which its node is. A client that sends this number to any node
 * gets a response once that node has the record too, so it never reads older state than it has already seen.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { Unavailable } from '@bourse/engine';
import { Refusal } from '../errors/refusal.ts';
import type { LogPosition } from '../services.ts';

export const SEQ_HEADER = 'x-bourse-seq';
/** Age of the data; only sent while the node receives nothing from the log. */
const AGE_HEADER = 'x-bourse-age-ms';
const OLD_MS = 3000;
const SEQ = /^[0-9]{1,15}$/;

export function positionHeaders({ seq, ageMs }: LogPosition): string[] {
  const headers = [SEQ_HEADER, String(seq)];
  if (ageMs > OLD_MS) headers.push(AGE_HEADER, String(Math.round(ageMs)));
  return headers;
}

/** Throws Unavailable while this node's data is stale. */
export function checkFresh(position: LogPosition | undefined): void {
  const staleness = position?.staleness;
  if (staleness !== undefined) throw new Unavailable('stale', staleness);
}

/** Waits for the record that the request names, if it names one. */
export async function reachWanted(position: LogPosition, headers: IncomingHttpHeaders): Promise<void> {
  checkFresh(position);
  const wanted = headers[SEQ_HEADER];
  if (wanted === undefined) return;
  if (typeof wanted !== 'string' || !SEQ.test(wanted)) {
    throw new Refusal('parameter-invalid', `${SEQ_HEADER} must be a number from that header of a response.`);
  }
  if (Number(wanted) > position.seq && !(await position.reach(Number(wanted)))) {
    throw new Unavailable(
      'no-leader',
      `this node does not have record ${wanted} yet: the request was not executed; try again soon`,
    );
  }
}
