/** The middle value; of two middle values the upper one. */
export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;
