/** Text encodings of addresses by chain, including checksums. */

import { sha256 } from '@noble/hashes/sha2.js';
import { base32nopad, base58xrp, bech32 as bech32Coder, createBase58check, utils } from '@scure/base';

type Coder = ReturnType<typeof createBase58check>;

/** With the first four bytes of the double SHA-256 as checksum. */
export const BITCOIN_BASE58: Coder = createBase58check(sha256);
export const RIPPLE_BASE58: Coder = utils.chain(
  utils.checksum(4, (bytes: Uint8Array) => sha256(sha256(bytes))),
  base58xrp,
);

export const base58Check = (version: number, payload: Uint8Array, coder = BITCOIN_BASE58): string =>
  coder.encode(Uint8Array.of(version, ...payload));

/** `version`: the witness version before the bytes, if the chain has one. */
export const bech32 = (prefix: string, bytes: Uint8Array, version: readonly number[] = []): string =>
  bech32Coder.encode(prefix, [...version, ...bech32Coder.toWords(bytes)], false);

export const STELLAR_ACCOUNT = 6 << 3;

/** Version, 32 bytes and a CRC-16 with its low byte first, in base 32. */
export function stellar(bytes: Uint8Array): string {
  const body = Uint8Array.of(STELLAR_ACCOUNT, ...bytes.subarray(0, 32));
  const crc = crc16(body);
  return base32nopad.encode(Uint8Array.of(...body, crc & 0xff, crc >>> 8));
}

const ACCOUNT_NAME_ALPHABET = '12345abcdefghijklmnopqrstuvwxyz';
const ACCOUNT_NAME_LENGTH = 12;

/** An account name, for chains with names instead of keys. */
export function accountName(bytes: Uint8Array): string {
  return Array.from(
    bytes.subarray(0, ACCOUNT_NAME_LENGTH),
    (byte) => ACCOUNT_NAME_ALPHABET[byte % ACCOUNT_NAME_ALPHABET.length],
  ).join('');
}

/** Flags, workchain, 32 bytes and a CRC-16, in URL-safe base 64. */
export function tonFriendly(bytes: Uint8Array): string {
  const BOUNCEABLE = 0x11;
  const body = Uint8Array.of(BOUNCEABLE, 0, ...bytes.subarray(0, 32));
  const crc = crc16(body);
  return Buffer.of(...body, crc >>> 8, crc & 0xff).toString('base64url');
}

/** CRC-16/XMODEM; six lines, and no maintained package without its own Buffer polyfill has it. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff) >>> 0;
  }
  return crc;
}
