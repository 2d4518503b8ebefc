/**
 * How long a command may take. A caller gets a response before its own timeout (ccxt: 10 s), and after that response the
 * command is already in a record or never will be: the leader drops expired commands.
 *
 * A deadline is in the leader's monotonic clock. A node knows a lower bound of that clock from the leader's last
 * announcement, so the leader's deadline never passes later than the node's own; wall clocks are not involved.
 */

/** From `send` until the command must be in a record that is being appended. */
export const TAKE_MS = 4000;
/** After that, for appending the record: no attempt is sent once the first of its callers has a response. */
export const APPEND_MS = 1000;
/** From `send` until the caller gets any response. */
export const ANSWER_MS = TAKE_MS + APPEND_MS;
/** Nothing is sent to a leader that was silent for this long: its callers can still be told that nothing was executed. */
export const UNHEARD_MS = 1500;
/** A node that has not known for this long whether it has the complete log rejects reads and closes its feeds. */
export const STALE_MS = 5000;
/** A node that has not heard a leader for this long reports that there is none. */
export const LEADERLESS_MS = 3000;
/** After the servers had no space for a record, commands are rejected for this long. */
export const FULL_MS = 1000;
