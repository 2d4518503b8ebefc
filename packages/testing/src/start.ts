/** Starts an exchange on a free port and in a temporary directory. */

import { Exchange } from './exchange.ts';
import type { StartOptions } from './start-options.ts';

const NODE_MAJOR_MIN = 24;

/** In this process or, on an older Node, in a child process with the Node in this package. */
export async function startExchange(options: StartOptions = {}): Promise<Exchange> {
  const { connection, close } = await start(options);
  return new Exchange(connection, close);
}

/** Both are loaded lazily: an older Node cannot load the exchange. */
async function start(options: StartOptions) {
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
    return (await import('./beside.ts')).startBeside(options);
  }
  return (await import('./in-process.ts')).startInProcess(options);
}
