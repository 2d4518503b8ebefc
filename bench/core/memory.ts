/** Memory in use, counted after a full collection. */

export function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
}

/**
 * What lies in memory, without the room that the heap has in reserve. From the system and not from V8, which does not
 * count memory that grows in place; so a megabyte more or less is chance. Twice, because the memory of arrays is given
 * back only after their owners are gone.
 */
export function bytesInUse(): number {
  collectGarbage();
  collectGarbage();
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed;
}
