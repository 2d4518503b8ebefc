/**
 * Fake addresses of a sandbox: well-formed, derived from the user, the currency and the chain; nobody has their keys.
 * A venue has sources of addresses instead: see address-sources.ts.
 */

import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { accountName, base58Check, bech32, RIPPLE_BASE58, stellar, tonFriendly } from './address-text.ts';

export interface Custody {
  readonly name: string;
  /** The user's address for the currency on the chain; always the same. */
  address(user: number, currency: string, chainId: string): DepositAddress;
}

export interface DepositAddress {
  readonly address: string;
  /** '' if the chain needs none. */
  readonly memo: string;
}

const BITCOIN_VERSION = 0x00;
const TRON_VERSION = 0x41;
const DOGE_VERSION = 0x1e;
const WITNESS = [0];
/** An address with a single key. */
const CARDANO_HEADER = 0x61;

/** How each chain encodes an address of a given length; chains not listed here use Ethereum's format. */
const WRITERS: ReadonlyMap<string, (bytes: Uint8Array) => string> = new Map([
  ['btc', (bytes: Uint8Array) => base58Check(BITCOIN_VERSION, bytes.subarray(0, 20))],
  ['bech32', (bytes: Uint8Array) => bech32('bc', bytes.subarray(0, 20), WITNESS)],
  ['btcln', (bytes: Uint8Array) => bech32('bc', bytes, WITNESS)],
  ['bchsv', (bytes: Uint8Array) => base58Check(BITCOIN_VERSION, bytes.subarray(0, 20))],
  ['ltc', (bytes: Uint8Array) => bech32('ltc', bytes.subarray(0, 20), WITNESS)],
  ['doge', (bytes: Uint8Array) => base58Check(DOGE_VERSION, bytes.subarray(0, 20))],
  ['ada', (bytes: Uint8Array) => bech32('addr', Uint8Array.of(CARDANO_HEADER, ...bytes.subarray(0, 28)))],
  ['trx', (bytes: Uint8Array) => base58Check(TRON_VERSION, bytes.subarray(0, 20))],
  ['sol', (bytes: Uint8Array) => base58.encode(bytes)],
  ['ton', (bytes: Uint8Array) => tonFriendly(bytes)],
  ['xrp', (bytes: Uint8Array) => base58Check(BITCOIN_VERSION, bytes.subarray(0, 20), RIPPLE_BASE58)],
  ['xlm', (bytes: Uint8Array) => stellar(bytes)],
  ['eos', (bytes: Uint8Array) => accountName(bytes)],
]);

/** Chains on which users share an address and are identified by a memo. */
export const CHAINS_WITH_MEMO: ReadonlySet<string> = new Set(['xrp', 'ton', 'xlm', 'eos']);
const MEMO_END = 4_000_000_000;

export class UnownedAddresses implements Custody {
  readonly name = 'unowned-addresses';

  address(user: number, currency: string, chainId: string): DepositAddress {
    const bytes = createHash('sha256').update(`unowned ${chainId} ${currency} ${user}`).digest();
    const write =
      WRITERS.get(chainId) ?? ((from) => `0x${Buffer.from(from.subarray(0, 20)).toString('hex')}`);
    const memo = CHAINS_WITH_MEMO.has(chainId) ? String(bytes.readUInt32BE(24) % MEMO_END) : '';
    return { address: write(bytes), memo };
  }
}
