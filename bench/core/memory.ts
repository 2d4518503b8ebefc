/** Memory in use, counted after a full collection. */

export function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
}

/** Twice, because the memory of typed arrays is given back only after their owners are gone. */
export function bytesInUse(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
