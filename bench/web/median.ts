/** The one in the middle; the upper one of two. */
export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;
