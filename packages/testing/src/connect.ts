/** The same methods for an exchange that runs in another process, such as `bourse start --config-out FILE`. */

import { Exchange } from './exchange.ts';
import type { Connection } from './types.ts';

/** `stop()` ends nothing here: the exchange belongs to whoever started it. */
export function connect(connection: Connection): Exchange {
  if (connection.sandboxUrl === undefined) {
    throw new Error(
      'The connection has no sandboxUrl: it is that of a venue, of a cluster, or of a service behind a proxy, and none of them has a control interface.',
    );
  }
  return new Exchange(connection, async () => undefined);
}
