/**
 * An invariant is false, so the program is wrong. Nothing catches this error: the process ends, and the next start
 * recovers from the log. Assertions stay on in production.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new BrokenInvariant(what);
}
