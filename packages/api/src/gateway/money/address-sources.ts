/**
 * Sources of a chain's deposit addresses: a list loaded by an operator, an extended public key, an operator's program,
 * or, in a sandbox, none, because its addresses are not real. A venue's chain without a source has no addresses,
 * because money sent to an address whose key nobody has is lost. Each source is a note in the log, so that setting one
 * leaves the others unchanged, even if it waits for approval.
 */

import { createHash } from 'node:crypto';
import type { Address, Reference } from '@bourse/core';
import type { ExchangePort } from '@bourse/engine';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import {
  accountName,
  base58Check,
  bech32Address,
  checksummed,
  RIPPLE_BASE58,
  stellar,
  tonFriendly,
} from './addresses.ts';

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
  ['bech32', (bytes: Uint8Array) => bech32Address('bc', bytes.subarray(0, 20), WITNESS)],
  ['btcln', (bytes: Uint8Array) => bech32Address('bc', bytes, WITNESS)],
  ['bchsv', (bytes: Uint8Array) => base58Check(BITCOIN_VERSION, bytes.subarray(0, 20))],
  ['ltc', (bytes: Uint8Array) => bech32Address('ltc', bytes.subarray(0, 20), WITNESS)],
  ['doge', (bytes: Uint8Array) => base58Check(DOGE_VERSION, bytes.subarray(0, 20))],
  [
    'ada',
    (bytes: Uint8Array) => bech32Address('addr', Uint8Array.of(CARDANO_HEADER, ...bytes.subarray(0, 28))),
  ],
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

/** Fake addresses of a sandbox: well-formed, derived from the user, the currency and the chain; nobody has their keys. */
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

// Deposit addresses derived from an extended public key (BIP 32), so that the exchange never has a private key. An
// account key (depth 3) derives key/0/index, as wallets do; any other key derives key/index.

const ACCOUNT_DEPTH = 3;
/** Version bytes of SLIP 132: keys whose addresses are bech32. */
const SEGWIT_VERSIONS = { private: 0x04b2430c, public: 0x04b24746 };
const EVM_CHAINS = ['eth', 'kcc', 'bsc', 'arbitrum', 'optimism', 'matic', 'avaxc', 'base', 'etc', 'linea'];

type Write = (publicKey: Uint8Array, isSegwit: boolean) => string;

const hash160 = (publicKey: Uint8Array): Uint8Array => ripemd160(sha256(publicKey));
const account = (publicKey: Uint8Array): Uint8Array =>
  keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).subarray(12);

const KEY_WRITERS: ReadonlyMap<string, Write> = new Map<string, Write>([
  [
    'btc',
    (key, isSegwit) =>
      isSegwit ? bech32Address('bc', hash160(key), WITNESS) : base58Check(0x00, hash160(key)),
  ],
  ['bech32', (key) => bech32Address('bc', hash160(key), WITNESS)],
  ['ltc', (key) => bech32Address('ltc', hash160(key), WITNESS)],
  ['doge', (key) => base58Check(0x1e, hash160(key))],
  ['bchsv', (key) => base58Check(0x00, hash160(key))],
  ['trx', (key) => base58Check(TRON_VERSION, account(key))],
  ...EVM_CHAINS.map((chain): [string, Write] => [
    chain,
    (key) => checksummed(`0x${Buffer.from(account(key)).toString('hex')}`),
  ]),
]);

/**
 * Why no addresses of the chain can be derived from the text; null if they can. The message does not repeat the text.
 */
export function keyFault(chain: string, text: string): string | null {
  if (!KEY_WRITERS.has(chain)) {
    return `addresses of ${chain} cannot be derived from a key; those of ${[...KEY_WRITERS.keys()].join(', ')} can`;
  }
  if (/^.prv/.test(text)) return 'this is a private key, which must never leave its wallet; give the xpub';
  try {
    const key = readKey(text);
    return key.privateKey === null || key.privateKey === undefined ? null : 'this is a private key';
  } catch {
    return 'this is not an extended public key. Expected xpub6... or zpub6..., with its checksum';
  }
}

/** The address of the index; `keyFault` must have returned null. */
export function deriveAddress(chain: string, text: string, index: number): string {
  const key = readKey(text);
  const parent = key.depth === ACCOUNT_DEPTH ? key.deriveChild(0) : key;
  const { publicKey } = parent.deriveChild(index);
  const write = KEY_WRITERS.get(chain);
  if (!write || !publicKey) throw new Error(`no address ${index} of ${chain}`);
  return write(publicKey, isSegwitKey(text));
}

const isSegwitKey = (text: string): boolean => text.startsWith('zpub');
const readKey = (text: string): HDKey =>
  isSegwitKey(text) ? HDKey.fromExtendedKey(text, SEGWIT_VERSIONS) : HDKey.fromExtendedKey(text);

type SourceKind = 'list' | 'key' | 'program';

export interface AddressSource {
  readonly kind: SourceKind;
  /** An extended public key. */
  readonly key?: string;
}

const NOTE_PREFIX = 'address-source:';
/** Operators are warned when no more than this many loaded addresses are left. */
export const FEW_ADDRESSES = 20;

export function sourceOf(reference: Reference, chain: string): AddressSource | undefined {
  const text = reference.note(NOTE_PREFIX + chain);
  return text === '' ? undefined : (JSON.parse(text) as AddressSource);
}

/** By chain. */
export function sourcesOf(reference: Reference): ReadonlyMap<string, AddressSource> {
  const chains = new Set(reference.currencies.flatMap((each) => each.chains.map(({ chainId }) => chainId)));
  return new Map(
    [...chains].flatMap((chain) => {
      const source = sourceOf(reference, chain);
      return source ? [[chain, source] as const] : [];
    }),
  );
}

/** The note that sets or removes the source of a chain. */
export const sourceNote = (chain: string, source: AddressSource | null) => ({
  name: NOTE_PREFIX + chain,
  text: source === null ? '' : JSON.stringify(source),
});

const fakes = new UnownedAddresses();

/** Whether nobody has its key: such addresses were assigned before venues had sources. */
export function isUnowned({ user, chain, address }: Address, currency: string): boolean {
  return fakes.address(user, currency, chain).address === address;
}

/**
 * Counts the remaining addresses of each chain whose source is a list. Operators must load new ones before they run
 * out: the log warns when few are left and when none is, and the metrics count customers whose request failed.
 */
export class AddressStock {
  /** Customers' requests that failed since the start because no address was left. */
  refused = 0;
  readonly #port: Pick<ExchangePort, 'read'>;
  readonly #onWarning: (message: string) => void;
  /** Chains with a warning, and the number left at that time. */
  readonly #warned = new Map<string, number>();

  constructor(port: Pick<ExchangePort, 'read'>, onWarning: (message: string) => void) {
    this.#port = port;
    this.#onWarning = onWarning;
  }

  /** The number of addresses left for each chain with a list. */
  async look(): Promise<ReadonlyMap<string, number>> {
    const left = await this.#port.read(({ reference }) => {
      const lists = [...sourcesOf(reference)].filter(([, { kind }]) => kind === 'list');
      return new Map(lists.map(([chain]) => [chain, reference.freeAddresses(chain).count]));
    });
    for (const [chain, count] of left) this.#warn(chain, count);
    return left;
  }

  /** Call it after an address was assigned or loaded, or a source was set. */
  changed(): void {
    // The requested change is done, whether or not this check succeeds.
    void this.look().catch(() => undefined);
  }

  refuse(): void {
    this.refused++;
    this.changed();
  }

  /** Warns once when few are left and once when none is; again after more were loaded. */
  #warn(chain: string, count: number): void {
    if (count > FEW_ADDRESSES) {
      this.#warned.delete(chain);
      return;
    }
    const before = this.#warned.get(chain);
    this.#warned.set(chain, count);
    const isMore = before === undefined || count > before;
    if (!isMore && (count > 0 || before === 0)) return;
    const left =
      count === 0
        ? `No deposit address on ${chain} is left: requests for one are refused`
        : `Deposit addresses on ${chain} are running out: ${count} left`;
    this.#onWarning(`${left}. Load more with \`bourse addresses load ${chain} FILE.csv\``);
  }
}
