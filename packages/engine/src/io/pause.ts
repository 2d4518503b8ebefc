/** Waiting in a tool that has nothing else to do: unlike the clock's timers it keeps the process alive. */

import { setTimeout as wait } from 'node:timers/promises';

/** Ends early, and without a complaint, when the signal comes. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal }).catch(() => undefined);
}
