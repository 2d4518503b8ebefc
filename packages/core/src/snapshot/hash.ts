/**
 * 128 bits of any bytes, for comparing states and finding damage. Four lanes of multiply and rotate, mixed at the
 * end; fast and well spread, and not for keeping anybody out.
 */

const LANES = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));

/** The four lanes after all bytes. */
function digest(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let a = LANES[0] | 0;
  let b = LANES[1] | 0;
  let c = LANES[2] | 0;
  let d = LANES[3] | 0;
  const whole = bytes.length - (bytes.length % 16);
  const step = (lane: number, word: number) => Math.imul(rotate(lane ^ Math.imul(word, LANES[0]), 15), LANES[1]);
  for (let at = 0; at < whole; at += 16) {
    a = (step(a, view.getInt32(at, true)) + b) | 0;
    b = (step(b, view.getInt32(at + 4, true)) + c) | 0;
    c = (step(c, view.getInt32(at + 8, true)) + d) | 0;
    d = (step(d, view.getInt32(at + 12, true)) + a) | 0;
  }
  for (let at = whole; at < bytes.length; at++) {
    a = (step(a, bytes[at]) + b) | 0;
    b = (step(b, at) + c) | 0;
  }
  d ^= bytes.length;
  // Enough rounds that every lane depends on every other.
  for (let round = 0; round < 4; round++) {
    a = (step(a, d) + b) | 0;
    b = (step(b, a) + c) | 0;
    c = (step(c, b) + d) | 0;
    d = (step(d, c) + a) | 0;
  }
  return Uint32Array.of(a, b, c, d);
}

/** As 32 hex digits. */
export function hashBytes(bytes: Uint8Array): string {
  return [...digest(bytes)].map((lane) => lane.toString(16).padStart(8, '0')).join('');
}
