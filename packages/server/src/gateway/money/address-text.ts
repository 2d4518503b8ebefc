/** How chains write the bytes of an address, checksums included. */

import { createHash } from 'node:crypto';

export const BITCOIN_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
export const BECH32_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
export const BECH32_CHECKSUM_LENGTH = 6;

/** The first bytes of the hash of the hash. */
export function base58Checksum(bytes: Uint8Array): Buffer {
  const sha256 = (from: Uint8Array): Buffer => createHash('sha256').update(from).digest();
  return sha256(sha256(bytes)).subarray(0, 4);
}

/** The bytes as one number in base 58; leading zero bytes are written as leading zero digits. */
export function base58(bytes: Uint8Array, alphabet = BITCOIN_ALPHABET): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  for (let i = 0; i < bytes.length && bytes[i] === 0; i++) text = alphabet[0] + text;
  return text;
}

export function base58Check(version: number, payload: Uint8Array, alphabet = BITCOIN_ALPHABET): string {
  const body = Buffer.concat([Uint8Array.of(version), payload]);
  return base58(Buffer.concat([body, base58Checksum(body)]), alphabet);
}

/** With the witness version before the bytes, where the chain writes one. */
export function bech32(prefix: string, bytes: Uint8Array, version: readonly number[] = []): string {
  const data = [...version, ...bitGroups(bytes)];
  const room = Array.from({ length: BECH32_CHECKSUM_LENGTH }, () => 0);
  const rest = bech32Rest(prefix, [...data, ...room]) ^ 1;
  const checksum = Array.from({ length: BECH32_CHECKSUM_LENGTH }, (_, i) => (rest >>> (5 * (5 - i))) & 31);
  return `${prefix}1${[...data, ...checksum].map((value) => BECH32_ALPHABET[value]).join('')}`;
}

/** Of prefix and data with their checksum: 1, or another constant in a later version of the form. */
export function bech32Rest(prefix: string, data: readonly number[]): number {
  const high = Array.from(prefix, (letter) => letter.charCodeAt(0) >> 5);
  const low = Array.from(prefix, (letter) => letter.charCodeAt(0) & 31);
  return polymod([...high, 0, ...low, ...data]);
}

/** The bytes in groups of five bits, the last one filled up with zeros. */
function bitGroups(bytes: Uint8Array): number[] {
  const groups: number[] = [];
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) groups.push((value >>> (bits - 5)) & 31);
  }
  if (bits > 0) groups.push((value << (5 - bits)) & 31);
  return groups;
}

function polymod(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (let i = 0; i < 5; i++) if ((top >>> i) & 1) check ^= BECH32_GENERATORS[i];
  }
  return check;
}

export const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const STELLAR_ACCOUNT = 6 << 3;

/** Version, 32 bytes and a CRC-16 with its low byte first, in base 32. */
export function stellar(bytes: Uint8Array): string {
  const body = Buffer.concat([Uint8Array.of(STELLAR_ACCOUNT), bytes.subarray(0, 32)]);
  const crc = crc16(body);
  const whole = Buffer.concat([body, Uint8Array.of(crc & 0xff, crc >>> 8)]);
  return bitGroups(whole)
    .map((group) => BASE32_ALPHABET[group])
    .join('');
}

const ACCOUNT_NAME_ALPHABET = '12345abcdefghijklmnopqrstuvwxyz';
const ACCOUNT_NAME_LENGTH = 12;

/** An account name, where a chain has names instead of keys. */
export function accountName(bytes: Uint8Array): string {
  return Array.from(
    bytes.subarray(0, ACCOUNT_NAME_LENGTH),
    (byte) => ACCOUNT_NAME_ALPHABET[byte % ACCOUNT_NAME_ALPHABET.length],
  ).join('');
}

/** Flags, workchain, 32 bytes and a CRC-16, in URL-safe base 64. */
export function tonFriendly(bytes: Uint8Array): string {
  const BOUNCEABLE = 0x11;
  const body = Buffer.concat([Uint8Array.of(BOUNCEABLE, 0), bytes.subarray(0, 32)]);
  const crc = crc16(body);
  return Buffer.concat([body, Uint8Array.of(crc >>> 8, crc & 0xff)]).toString('base64url');
}

export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff) >>> 0;
  }
  return crc;
}
