/** An exchange in its own process, with a given number of book changes per second in one symbol. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The symbol whose book changes. */
export const SYMBOL = 'BTC-USDT';

export interface BusyBook {
  readonly url: string;
  /** Number of book changes so far. */
  changes(): Promise<number>;
  close(): Promise<void>;
}

export async function startBusyBook(updatesPerSecond: number): Promise<BusyBook> {
  const child = fork(fileURLToPath(new URL('./exchange.ts', import.meta.url)), [
    String(updatesPerSecond),
    SYMBOL,
  ]);
  const [{ url }] = (await once(child, 'message')) as [{ readonly url: string }];
  return {
    url,
    async changes() {
      child.send('changes');
      const [{ changes }] = (await once(child, 'message')) as [{ readonly changes: number }];
      return changes;
    },
    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
