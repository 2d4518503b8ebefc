/** Why commands are refused, in sentences. */

import type { UnavailableReason } from './exchange-port.ts';

export const SAYS: Record<UnavailableReason, string> = {
  'queue-full': 'too many commands wait: try again soon',
  'disk-full': 'no room on the disk for the log: commands are refused until there is',
  'history-behind': 'history has fallen too far behind: commands are refused until it catches up',
  clock:
    'the clock of the exchange has jumped, and nobody has said yet that it is right: commands are refused until then',
  stopped: 'the exchange is shutting down',
};
