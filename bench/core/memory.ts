/** Memory in use, counted after a full collection. */

export function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
}

/**
 * Memory in use, without reserved heap. Taken from the system, because V8 does not count memory that grows in place;
 * so differences of about a megabyte are noise. Collects twice, because array memory is freed only after its owner is
 * collected.
 */
export function bytesInUse(): number {
  collectGarbage();
  collectGarbage();
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed;
}
