/**
 * Which texts are addresses of a chain, where its form is known: alphabet, length, version and checksum. Money sent to
 * a wrong address is lost.
 */

import {
  BASE32_ALPHABET,
  base58Checksum,
  BECH32_ALPHABET,
  BECH32_CHECKSUM_LENGTH,
  bech32Rest,
  BITCOIN_ALPHABET,
  crc16,
  RIPPLE_ALPHABET,
  STELLAR_ACCOUNT,
} from './address-text.ts';
import { keccak256 } from './keccak.ts';

interface Form {
  /** An example, for whoever sent something else. */
  readonly like: string;
  isAddress(text: string): boolean;
}

const BECH32_REST = 1;
const BECH32M_REST = 0x2bc830a3;
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
  ['xrp', { like: 'r...', isAddress: (text) => isHash(text, [0x00], RIPPLE_ALPHABET) }],
  ['sol', { like: '32 bytes in base 58', isAddress: (text) => base58Bytes(text)?.length === KEY_BYTES }],
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

/** What an address of the chain looks like, where this is none; null where it is one or nobody knows. */
export function addressFault(chainId: string, address: string): string | null {
  const form = FORMS.get(chainId);
  return form === undefined || form.isAddress(address) ? null : form.like;
}

/** In an address of mixed case the cases are a checksum; in one of a single case there is none. */
function isEvm(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return text === checksummed(text);
}

/** With the cases that are the checksum. */
export function checksummed(text: string): string {
  const small = text.slice(2).toLowerCase();
  const hash = keccak256(Buffer.from(small)).toString('hex');
  return `0x${Array.from(small, (digit, at) => (hash[at] >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}

/** One text for each address, so that the same one is not given twice under two spellings. */
export function canonicalAddress(chainId: string, address: string): string {
  if (FORMS.get(chainId) === EVM) return checksummed(address);
  return /^[A-Z0-9]+$/.test(address) && isBech32(address) ? address.toLowerCase() : address;
}

const isBech32 = (text: string): boolean => bech32Parts(text)?.rest === BECH32_REST;

/** A version, the hash of a key or script, and a checksum. */
function isHash(text: string, versions: readonly number[], alphabet = BITCOIN_ALPHABET): boolean {
  const bytes = base58Bytes(text, alphabet);
  if (bytes?.length !== 1 + HASH_BYTES + 4) return false;
  const body = bytes.subarray(0, 1 + HASH_BYTES);
  return versions.includes(bytes[0]) && base58Checksum(body).equals(bytes.subarray(1 + HASH_BYTES));
}

const BASE58_LENGTH_MAX = 128;

function base58Bytes(text: string, alphabet = BITCOIN_ALPHABET): Buffer | null {
  if (text === '' || text.length > BASE58_LENGTH_MAX) return null;
  let number = 0n;
  for (const letter of text) {
    const digit = alphabet.indexOf(letter);
    if (digit < 0) return null;
    number = number * 58n + BigInt(digit);
  }
  const hex = number === 0n ? '' : number.toString(16);
  let leading = 0;
  while (text[leading] === alphabet[0]) leading++;
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Buffer.concat([Buffer.alloc(leading), Buffer.from(even, 'hex')]);
}

/** Groups of five bits behind the prefix, without the checksum; `rest` tells which one it was. */
function bech32Parts(text: string): { prefix: string; groups: number[]; rest: number } | null {
  const small = text.toLowerCase();
  if (text !== small && text !== text.toUpperCase()) return null;
  const split = small.lastIndexOf('1');
  const groups = Array.from(small.slice(split + 1), (letter) => BECH32_ALPHABET.indexOf(letter));
  if (split < 1 || groups.length < BECH32_CHECKSUM_LENGTH || groups.includes(-1)) return null;
  const prefix = small.slice(0, split);
  return { prefix, groups: groups.slice(0, -BECH32_CHECKSUM_LENGTH), rest: bech32Rest(prefix, groups) };
}

/** Null where the bits left over are not zeros, or are a whole group. */
function bytesOfGroups(groups: readonly number[]): Buffer | null {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const group of groups) {
    value = ((value << 5) | group) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  return bits < 5 && (value & ((1 << bits) - 1)) === 0 ? Buffer.from(bytes) : null;
}

/** A witness version and its program: version 0 has the first checksum, those after it the second. */
function isSegwit(text: string, prefix: string): boolean {
  const parts = bech32Parts(text);
  if (!parts || parts.prefix !== prefix || parts.groups.length === 0) return false;
  const [version, ...groups] = parts.groups;
  const program = bytesOfGroups(groups);
  if (!program || version > 16) return false;
  if (version > 0) return parts.rest === BECH32M_REST && program.length >= 2 && program.length <= 40;
  return parts.rest === BECH32_REST && (program.length === HASH_BYTES || program.length === KEY_BYTES);
}

function isInvoice(text: string): boolean {
  const parts = bech32Parts(text);
  return parts !== null && parts.rest === BECH32_REST && /^lnbc(\d+[munp]?)?$/.test(parts.prefix);
}

/** A header with the hash of one key or two, or the older form, which is only looked at from outside. */
function isCardano(text: string): boolean {
  if (/^(Ae2|DdzFF)/.test(text)) return (base58Bytes(text)?.length ?? 0) > 40;
  const parts = bech32Parts(text);
  const bytes = parts && bytesOfGroups(parts.groups);
  if (!parts || !bytes || parts.prefix !== 'addr' || parts.rest !== BECH32_REST) return false;
  return bytes.length === 29 || bytes.length === 57;
}

function isTon(text: string): boolean {
  if (/^(0|-1):[0-9a-fA-F]{64}$/.test(text)) return true;
  if (!/^[A-Za-z0-9_/+-]{48}$/.test(text)) return false;
  const bytes = Buffer.from(text, 'base64url');
  const isKind = [0x11, 0x51].includes(bytes[0]);
  return isKind && crc16(bytes.subarray(0, TON_BYTES - 2)) === bytes.readUInt16BE(TON_BYTES - 2);
}

function isStellar(text: string): boolean {
  const groups = Array.from(text, (letter) => BASE32_ALPHABET.indexOf(letter));
  const bytes = groups.includes(-1) ? null : bytesOfGroups(groups);
  if (bytes?.length !== 1 + KEY_BYTES + 2 || bytes[0] !== STELLAR_ACCOUNT) return false;
  return crc16(bytes.subarray(0, 1 + KEY_BYTES)) === bytes.readUInt16LE(1 + KEY_BYTES);
}
