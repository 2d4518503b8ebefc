/** Memory in use, counted after a full collection. */

export function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
}

export function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
