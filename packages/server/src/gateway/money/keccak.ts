/** Keccak-256 as Ethereum uses it: SHA-3 before its padding was changed, so Node's own SHA-3 gives another hash. */

const LANES = 25;
const ROUNDS = 24;
const RATE_BYTES = 136;
const HASH_BYTES = 32;
const MASK = (1n << 64n) - 1n;

/** Rotations of rho and places of pi, in the order in which one lane after the other is moved. */
const ROTATIONS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44];
const PLACES = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1];

const rotate = (lane: bigint, by: number): bigint =>
  ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK;

/** The constants of iota: bits of a shift register, at the places 2^j - 1 of a lane. */
const CONSTANTS = roundConstants();

function roundConstants(): bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let j = 0; j < 7; j++) {
      if (register & 1) constant |= 1n << BigInt(2 ** j - 1);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    return constant;
  });
}

export function keccak256(bytes: Uint8Array): Buffer {
  const length = (Math.floor(bytes.length / RATE_BYTES) + 1) * RATE_BYTES;
  const padded = Buffer.alloc(length);
  padded.set(bytes);
  padded[bytes.length] ^= 0x01;
  padded[length - 1] ^= 0x80;
  const state = Array<bigint>(LANES).fill(0n);
  for (let block = 0; block < length; block += RATE_BYTES) {
    for (let lane = 0; lane < RATE_BYTES / 8; lane++) state[lane] ^= padded.readBigUInt64LE(block + 8 * lane);
    permute(state);
  }
  const hash = Buffer.alloc(HASH_BYTES);
  for (let lane = 0; lane < HASH_BYTES / 8; lane++) hash.writeBigUInt64LE(state[lane], 8 * lane);
  return hash;
}

function permute(state: bigint[]): void {
  for (const constant of CONSTANTS) {
    const columns = [0, 1, 2, 3, 4].map(
      (x) => state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20],
    );
    for (let at = 0; at < LANES; at++) {
      state[at] ^= columns[(at + 4) % 5] ^ rotate(columns[(at + 1) % 5], 1);
    }
    let moved = state[1];
    for (const [step, place] of PLACES.entries()) {
      [state[place], moved] = [rotate(moved, ROTATIONS[step]), state[place]];
    }
    for (let row = 0; row < LANES; row += 5) {
      const before = state.slice(row, row + 5);
      for (let x = 0; x < 5; x++) {
        state[row + x] = before[x] ^ (~before[(x + 1) % 5] & MASK & before[(x + 2) % 5]);
      }
    }
    state[0] ^= constant;
  }
}
