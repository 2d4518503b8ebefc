/** The engine's messages for rejected commands and clock jumps. */

import type { UnavailableReason } from './exchange-port.ts';

export const SAYS: Record<UnavailableReason, string> = {
  'queue-full': 'too many commands wait: try again soon',
  'disk-full': 'no room on the disk for the log: commands are refused until there is',
  'history-behind': 'history has fallen too far behind: commands are refused until it catches up',
  clock:
    'the clock of the exchange has jumped, and nobody has said yet that it is right: commands are refused until then',
  'no-leader': 'no node of the cluster leads at the moment: nothing was done, and nothing will be; try again',
  stale: 'this node has not heard of the log for too long: nothing was done, ask another node',
  expired: 'the command did not come into the log in time: nothing was done, and nothing will be; try again',
  unanswered:
    'the log did not answer in time: the command may have been done; look it up, an order by its clientOid, before you send it again',
  stopped: 'the exchange is shutting down',
};

export const CLOCK_BELIEVED = 'The clock of this machine is believed again, and commands are taken';

export function jumped(jumpMs: number): string {
  const seconds = Math.round(Math.abs(jumpMs) / 1000);
  return (
    `The clock of this machine was set ${jumpMs > 0 ? 'forward' : 'back'} by ${seconds} seconds while the exchange ran. ` +
    'Commands are refused, and nothing expires; reads go on. If the clock is wrong, set it right, and the exchange goes ' +
    'on by itself; if it is right now, say so with POST /operator/v1/clock'
  );
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
