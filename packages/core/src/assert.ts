/**
 * Broken inside: an invariant is false. Nobody catches this; the process ends and start-up is recovery.
 * Assertions stay on in production.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new BrokenInvariant(what);
}
