/**
 * Addresses of chains: their text encodings with checksums, and validation for chains with a known format. Money sent
 * to a wrong address is lost.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import {
  base32nopad,
  base58,
  base58xrp,
  bech32,
  type Bech32Decoded,
  bech32m,
  type BytesCoder,
  createBase58check,
  utils,
} from '@scure/base';

type Coder = ReturnType<typeof createBase58check>;

/** With the first four bytes of the double SHA-256 as checksum. */
const BITCOIN_BASE58: Coder = createBase58check(sha256);
export const RIPPLE_BASE58: Coder = utils.chain(
  utils.checksum(4, (bytes: Uint8Array) => sha256(sha256(bytes))),
  base58xrp,
);

export const base58Check = (version: number, payload: Uint8Array, coder = BITCOIN_BASE58): string =>
  coder.encode(Uint8Array.of(version, ...payload));

/** `version`: the witness version before the bytes, if the chain has one. */
export const bech32Address = (prefix: string, bytes: Uint8Array, version: readonly number[] = []): string =>
  bech32.encode(prefix, [...version, ...bech32.toWords(bytes)], false);

const STELLAR_ACCOUNT = 6 << 3;

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
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff) >>> 0;
  }
  return crc;
}

interface Form {
  /** An example for the error message. */
  readonly like: string;
  isAddress(text: string): boolean;
}

const HASH_BYTES = 20;
const KEY_BYTES = 32;
const TON_BYTES = 36;

const EVM: Form = { like: '0x and 40 hex digits', isAddress: isEvm };

const bitcoinLike = (like: string, versions: readonly number[], prefix?: string): Form => ({
  like,
  isAddress: (text) => isHash(text, versions) || (prefix !== undefined && isSegwit(text, prefix)),
});

const FORMS: ReadonlyMap<string, Form> = new Map([
  ['btc', bitcoinLike('1..., 3... or bc1...', [0x00, 0x05], 'bc')],
  ['bech32', { like: 'bc1...', isAddress: (text) => isSegwit(text, 'bc') }],
  ['btcln', { like: 'an invoice lnbc...', isAddress: (text) => isInvoice(text) || isSegwit(text, 'bc') }],
  ['bchsv', bitcoinLike('1... or 3...', [0x00, 0x05])],
  ['ltc', bitcoinLike('L..., M... or ltc1...', [0x30, 0x32, 0x05], 'ltc')],
  ['doge', bitcoinLike('D... or A...', [0x1e, 0x16])],
  ['trx', bitcoinLike('T...', [0x41])],
  ['xrp', { like: 'r...', isAddress: (text) => isHash(text, [0x00], RIPPLE_BASE58) }],
  ['sol', { like: '32 bytes in base 58', isAddress: (text) => decode(base58, text)?.length === KEY_BYTES }],
  ['ada', { like: 'addr1...', isAddress: isCardano }],
  ['ton', { like: 'EQ..., UQ... or 0:...', isAddress: isTon }],
  ['xlm', { like: 'G...', isAddress: isStellar }],
  [
    'eos',
    { like: 'an account of 1 to 12 characters', isAddress: (text) => /^[a-z1-5.]{0,11}[a-z1-5]$/.test(text) },
  ],
  ...['eth', 'kcc', 'bsc', 'arbitrum', 'optimism', 'matic', 'avaxc', 'base', 'etc', 'linea', 'zksync'].map(
    (chain): [string, Form] => [chain, EVM],
  ),
]);

/** The expected format if the text is not an address of the chain; null if it is one or the format is unknown. */
export function addressFault(chainId: string, address: string): string | null {
  const form = FORMS.get(chainId);
  return form === undefined || form.isAddress(address) ? null : form.like;
}

/** The case of a mixed-case address is a checksum; a single-case address has none. */
function isEvm(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return text === checksummed(text);
}

/** Applies the case checksum. */
export function checksummed(text: string): string {
  const small = text.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(small))).toString('hex');
  return `0x${Array.from(small, (digit, at) => (hash[at] >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}

/** The canonical spelling, so that an address is not assigned twice under two spellings. */
export function canonicalAddress(chainId: string, address: string): string {
  if (FORMS.get(chainId) === EVM) return checksummed(address);
  return /^[A-Z0-9]+$/.test(address) && isBech32(address) ? address.toLowerCase() : address;
}

const LITECOIN_SCRIPT = 0x32;
const SCRIPT = 0x05;

/**
 * The canonical form of an address, so that another spelling does not evade address rules: TON has several per
 * account, Litecoin two per script. Compare case-insensitively.
 */
export function payeeOf(address: string): string {
  const text = address.trim();
  if (isTon(text)) return tonRaw(text);
  const bytes = decode(BITCOIN_BASE58, text);
  if (bytes?.length !== 1 + HASH_BYTES || bytes[0] !== LITECOIN_SCRIPT) return text;
  return BITCOIN_BASE58.encode(Uint8Array.of(SCRIPT, ...bytes.subarray(1)));
}

/** Workchain and hash, without the flags and the checksum of the user-friendly form. */
function tonRaw(text: string): string {
  if (text.includes(':')) return text.toLowerCase();
  const bytes = Buffer.from(text, 'base64url');
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 2 + KEY_BYTES).toString('hex')}`;
}

const isBech32 = (text: string): boolean => bech32.decodeUnsafe(text, false) !== undefined;

/** Base58 takes quadratic time; no address is longer. */
const LENGTH_MAX = 128;

function decode(coder: BytesCoder, text: string): Uint8Array | null {
  if (text === '' || text.length > LENGTH_MAX) return null;
  try {
    return coder.decode(text);
  } catch {
    return null;
  }
}

/** A version, the hash of a key or script, and a checksum. */
function isHash(text: string, versions: readonly number[], coder = BITCOIN_BASE58): boolean {
  const bytes = decode(coder, text);
  return bytes?.length === 1 + HASH_BYTES && versions.includes(bytes[0]);
}

/** A witness version and its program: version 0 uses bech32, the others bech32m. */
function isSegwit(text: string, prefix: string): boolean {
  const isFirst = isBech32(text);
  const decoded: Bech32Decoded | void = (isFirst ? bech32 : bech32m).decodeUnsafe(text, false);
  if (decoded?.prefix !== prefix || decoded.words.length === 0) return false;
  const [version, ...words] = decoded.words;
  const bytes = bech32.fromWordsUnsafe(words)?.length ?? 0;
  if (isFirst) return version === 0 && (bytes === HASH_BYTES || bytes === KEY_BYTES);
  return version > 0 && version <= 16 && bytes >= 2 && bytes <= 40;
}

const isInvoice = (text: string): boolean =>
  /^lnbc(\d+[munp]?)?$/.test(bech32.decodeUnsafe(text, false)?.prefix ?? '');

/** A header with the hash of one or two keys; for the older form only alphabet and length are checked. */
function isCardano(text: string): boolean {
  if (/^(Ae2|DdzFF)/.test(text)) return (decode(base58, text)?.length ?? 0) > 40;
  const decoded = bech32.decodeUnsafe(text, false);
  if (decoded?.prefix !== 'addr') return false;
  const bytes = bech32.fromWordsUnsafe(decoded.words)?.length;
  return bytes === 29 || bytes === 57;
}

function isTon(text: string): boolean {
  if (/^(0|-1):[0-9a-fA-F]{64}$/.test(text)) return true;
  if (!/^[A-Za-z0-9_/+-]{48}$/.test(text)) return false;
  const bytes = Buffer.from(text, 'base64url');
  const isKind = [0x11, 0x51].includes(bytes[0]);
  return isKind && crc16(bytes.subarray(0, TON_BYTES - 2)) === bytes.readUInt16BE(TON_BYTES - 2);
}

function isStellar(text: string): boolean {
  const bytes = decode(base32nopad, text);
  if (bytes?.length !== 1 + KEY_BYTES + 2 || bytes[0] !== STELLAR_ACCOUNT) return false;
  return crc16(bytes.subarray(0, 1 + KEY_BYTES)) === Buffer.from(bytes).readUInt16LE(1 + KEY_BYTES);
}
