/**
 * What may be at the next position of the stream. A message may be accepted long after its sender gave up, so anything
 * tried at a position may be found there; the servers accept at most one.
 */

/** A message without its MAC, which depends on its position. */
export interface Unsigned {
  readonly bytes: Uint8Array;
}

export interface Candidates<T extends Unsigned> {
  readonly tried: readonly T[];
  /** The one to send now. */
  next(): T;
}

export function only<T extends Unsigned>(message: T): Candidates<T> {
  return { tried: [message], next: () => message };
}

/** `message` until it is late; from then on the result of `makeLate`. */
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
