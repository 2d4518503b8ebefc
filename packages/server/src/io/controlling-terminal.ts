/** Whether this process belongs to a terminal, which sends SIGHUP when it is gone. */

import { closeSync, openSync } from 'node:fs';

/** To be asked at the start: when the terminal is gone, it can no longer be opened. */
export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
