/**
 * Ports for processes that a test stops and restarts. They are below the ephemeral range (from 32,768 on), so that nobody
 * takes one while its process is away.
 */

import { createServer } from 'node:net';

const LOWEST = 10_000;
const HIGHEST = 32_000;

/** Consecutive ports. */
export async function freePorts(count: number): Promise<number[]> {
  const steps = Array.from({ length: count }, (_, at) => at);
  const base = await freeBase(steps);
  return steps.map((step) => base + step);
}

/** A port that is free, as are those at these offsets above it. */
export async function freeBase(steps: readonly number[]): Promise<number> {
  for (;;) {
    const base = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if ((await Promise.all(steps.map((step) => isFree(base + step)))).every(Boolean)) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
