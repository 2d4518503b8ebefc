/**
 * How long a command may take. A caller gets a response before its own time-out (ccxt: 10 s), and after that response the
 * command is in a record already, or never will be in one: the leader drops a command that is past its deadline.
 *
 * A deadline is in the leader's monotonic clock. A node knows a lower bound of that clock from what the leader last
 * announced, so the leader's deadline never passes later than the node's own; wall clocks play no part.
 */

/** From `send` until the command must be in a record that is being appended. */
export const TAKE_MS = 4000;
/** After that, attempts to append the record: no attempt is sent once the first of its callers has a response. */
export const APPEND_MS = 1000;
/** From `send` until the caller gets a response, whatever it is. */
export const ANSWER_MS = TAKE_MS + APPEND_MS;
/** A leader that announced nothing for this long is sent nothing: its callers can still be told that nothing was done. */
export const UNHEARD_MS = 1500;
/** A node that does not know for this long whether it has all of the log answers no reads, and closes its feeds. */
export const STALE_MS = 5000;
/** A node that has heard nothing of a leader for this long reports that nobody leads. */
export const LEADERLESS_MS = 3000;
/** After the servers had no room for a record, commands are refused for this long. */
export const FULL_MS = 1000;
