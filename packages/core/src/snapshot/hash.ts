/**
 * A 128-bit hash for comparing states and finding damage. Four lanes of multiply and rotate, mixed at the end; fast and
 * evenly distributed, but not cryptographic.
 */

const LANES = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));

const BLOCK = 16;

const step = (lane: number, word: number) =>
  Math.imul(rotate(lane ^ Math.imul(word, LANES[0]), 15), LANES[1]);

/** Mixes whole blocks into the lanes. */
function mix(lanes: Int32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [a, b, c, d] = lanes;
  for (let at = 0; at < bytes.length; at += BLOCK) {
    a = (step(a, view.getInt32(at, true)) + b) | 0;
    b = (step(b, view.getInt32(at + 4, true)) + c) | 0;
    c = (step(c, view.getInt32(at + 8, true)) + d) | 0;
    d = (step(d, view.getInt32(at + 12, true)) + a) | 0;
  }
  lanes.set([a, b, c, d]);
}

/** The four lanes after all bytes, the length, and enough rounds that every lane depends on every other. */
function digest(bytes: Uint8Array): Uint32Array {
  const lanes = Int32Array.from(LANES);
  const whole = bytes.length - (bytes.length % BLOCK);
  mix(lanes, bytes.subarray(0, whole));
  const last = new Uint8Array(BLOCK * 6);
  last.set(bytes.subarray(whole));
  new DataView(last.buffer).setFloat64(BLOCK, bytes.length, true);
  mix(lanes, last);
  return Uint32Array.from(lanes);
}

/** As 32 hex digits. */
export function hashBytes(bytes: Uint8Array): string {
  return [...digest(bytes)].map((lane) => lane.toString(16).padStart(8, '0')).join('');
}
