/** The result of a bench: a figure, and its upper bound. */

export interface Figure {
  /** Its name in the JSON. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar: number;
  /** CPU time in milliseconds: on a busy machine more meaningful than wall time. */
  readonly cpuMs?: number;
}

export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;

/** The duration of each call, in milliseconds. */
export async function timed(count: number, action: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now();
    await action();
    times.push(performance.now() - startedAt);
  }
  return times;
}
