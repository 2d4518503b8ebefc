/** A user and a lane as one number, for maps in memory. */

const LANES = 2 ** 22;

export const laneKeyOf = (user: number, lane: number): number => user * LANES + lane;

export const readLaneKey = (key: number): readonly [user: number, lane: number] => [
  Math.floor(key / LANES),
  key % LANES,
];
