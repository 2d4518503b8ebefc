/** The engine's messages for rejected commands and clock jumps. */

import type { UnavailableReason } from './exchange-port.ts';

export const SAYS: Record<UnavailableReason, string> = {
  'queue-full': 'too many pending commands: try again soon',
  'disk-full': 'no space left on the disk for the log: commands are refused until there is',
  'history-behind': 'history has fallen too far behind: commands are refused until it catches up',
  clock:
    'the clock of the exchange has jumped: commands are refused until it is back, or an operator accepts it',
  'no-leader':
    'the cluster has no leader at the moment: the command was not executed and will not be; try again',
  stale: 'this node has lost contact with the log: the command was not executed; use another node',
  expired: 'the command did not reach the log in time: it was not executed and will not be; try again',
  unanswered:
    'the log did not respond in time: the command may have been executed; look it up (an order by its clientOid) before you send it again',
  stopped: 'the exchange is shutting down',
};

export const CLOCK_BELIEVED = 'The clock of this machine is trusted again, and commands are accepted';

export function jumped(jumpMs: number): string {
  const seconds = Math.round(Math.abs(jumpMs) / 1000);
  return (
    `The clock of this machine was set ${jumpMs > 0 ? 'forward' : 'back'} by ${seconds} seconds while the exchange ran. ` +
    'Commands are refused and nothing expires; reads continue. If the clock is wrong, correct it, and the exchange ' +
    'resumes by itself; if it is right now, accept it with POST /operator/v1/clock'
  );
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
