/** Starts an exchange on a port that is free and in a directory that goes with it. */

import { Exchange } from './exchange.ts';
import type { StartOptions } from './start-options.ts';

const NODE_MAJOR_MIN = 24;

/** In this process, or with an older Node in one beside it, which has the Node that lies with this package. */
export async function startExchange(options: StartOptions = {}): Promise<Exchange> {
  const { connection, close } = await start(options);
  return new Exchange(connection, close);
}

/** Each is loaded only here: an older Node cannot load the exchange. */
async function start(options: StartOptions) {
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
    return (await import('./beside.ts')).startBeside(options);
  }
  return (await import('./in-process.ts')).startInProcess(options);
}
