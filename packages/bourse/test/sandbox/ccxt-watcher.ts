/**
 * ccxt as a bot runs it: `node ccxt-watcher.ts URL USER`. For each line of its input, a watch method with its
 * arguments, it prints the result. It runs in a separate process, because ccxt leaves unhandled rejections, which would
 * end a test.
 */

import { createInterface } from 'node:readline';
import { ccxtProClient } from '../clients/ccxt-client.ts';

export interface Watched {
  /** 'watched', or the class of the error and its message. */
  readonly saw: string;
  /** Unhandled rejections since the previous line. */
  readonly unhandled: readonly string[];
}

/** After an error the connection is closed, and pending sends fail. */
const AFTERWARDS_MS = 300;
const [url = '', user] = process.argv.slice(2);
const unhandled: string[] = [];
process.on('unhandledRejection', (error: Error) => unhandled.push(error.message));
const client = await ccxtProClient(url, user);
await client.loadMarkets();
console.log(JSON.stringify({ saw: 'ready', unhandled } satisfies Watched));
for await (const line of createInterface({ input: process.stdin })) {
  const [method = '', ...args] = line.split(' ');
  const saw = await watch(method, args);
  await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS));
  console.log(JSON.stringify({ saw, unhandled: unhandled.splice(0) } satisfies Watched));
}
process.exit(0);

async function watch(method: string, args: readonly string[]): Promise<string> {
  const methods = client as unknown as Record<string, (...given: readonly string[]) => Promise<unknown>>;
  try {
    await methods[method]!(...args);
    return 'watched';
  } catch (error) {
    return `${(error as Error).constructor.name}: ${(error as Error).message}`;
  }
}
