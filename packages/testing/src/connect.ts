/** The same methods for an exchange that runs in another process, such as `bourse start --config-out FILE`. */

import { Exchange } from './exchange.ts';
import type { Connection } from './types.ts';

/** `stop()` does nothing here: the exchange belongs to whoever started it. */
export function connect(connection: Connection): Exchange {
  if (connection.sandboxUrl === undefined) {
    throw new Error(
      'The connection has no sandboxUrl. Venues, clusters and services behind a proxy have no control API.',
    );
  }
  return new Exchange(connection, async () => undefined);
}
