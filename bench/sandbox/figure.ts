/** What a bench comes to: a figure, and the bar that it must not be above. */

export interface Figure {
  /** As it is called in the JSON. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar: number;
  /** Processor time of the same, in milliseconds: on a busy machine it says more than the clock. */
  readonly cpuMs?: number;
}

export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;

/** How long each of so many calls took, in milliseconds. */
export async function timed(count: number, action: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now();
    await action();
    times.push(performance.now() - startedAt);
  }
  return times;
}
