/**
 * What may stand at the next place of the stream. A message that was sent may be let in long after it was given up, so
 * whatever was tried at a place may be found there; the servers let in at most one.
 */

/** A message without its MAC, which depends on its place. */
export interface Unsigned {
  readonly bytes: Uint8Array;
}

export interface Candidates<T extends Unsigned> {
  readonly tried: readonly T[];
  /** To be sent now. */
  next(): T;
}

export function only<T extends Unsigned>(message: T): Candidates<T> {
  return { tried: [message], next: () => message };
}

/** `message` while it is not late; from then on what `makeLate` returns. */
export function untilLate<T extends Unsigned>(
  message: T,
  isLate: () => boolean,
  makeLate: () => T,
): Candidates<T> {
  const tried = [message];
  const next = (): T => {
    if (tried.length === 1 && isLate()) tried.push(makeLate());
    return tried.at(-1)!;
  };
  return { tried, next };
}
