/** The hash of a user's client id, which every done order needs. Keys in the database are made of it. */

import { keyedHash } from '@bourse/core';

const UNIT_BYTES = 2;
const USER_BYTES = 4;

/** The message's words. One array for all calls: none of them is interrupted. It grows with the longest text. */
let words = new Int32Array(64);

/** Of the user as 32 bits and the text's UTF-16 units, all with the lowest byte first. */
export function clientKeyHash(low: number, high: number, user: number, text: string): number {
  const { length } = text;
  if (length / UNIT_BYTES + 2 > words.length) words = new Int32Array(length);
  let at = 0;
  words[at++] = user;
  for (let i = 0; i + 1 < length; i += 2) words[at++] = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
  const left = length % 2 === 0 ? 0 : text.charCodeAt(length - 1);
  words[at++] = left | ((USER_BYTES + UNIT_BYTES * length) << 24);
  return keyedHash(low, high, words, 0, at) >>> 0;
}
