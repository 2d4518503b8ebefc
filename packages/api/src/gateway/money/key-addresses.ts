/**
 * Deposit addresses derived from an extended public key (BIP 32), so that the exchange never has a private key. An
 * account key (depth 3) derives key/0/index, as wallets do; any other key derives key/index.
 */

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { HDKey } from '@scure/bip32';
import { base58Check, bech32 } from './address-text.ts';
import { checksummed } from './address-forms.ts';

const ACCOUNT_DEPTH = 3;
const TRON_VERSION = 0x41;
/** Version bytes of SLIP 132: keys whose addresses are bech32. */
const SEGWIT_VERSIONS = { private: 0x04b2430c, public: 0x04b24746 };
const WITNESS = [0];
const EVM_CHAINS = ['eth', 'kcc', 'bsc', 'arbitrum', 'optimism', 'matic', 'avaxc', 'base', 'etc', 'linea'];

type Write = (publicKey: Uint8Array, isSegwit: boolean) => string;

const hash160 = (publicKey: Uint8Array): Uint8Array => ripemd160(sha256(publicKey));
const account = (publicKey: Uint8Array): Uint8Array =>
  keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).subarray(12);

const WRITERS: ReadonlyMap<string, Write> = new Map<string, Write>([
  [
    'btc',
    (key, isSegwit) => (isSegwit ? bech32('bc', hash160(key), WITNESS) : base58Check(0x00, hash160(key))),
  ],
  ['bech32', (key) => bech32('bc', hash160(key), WITNESS)],
  ['ltc', (key) => bech32('ltc', hash160(key), WITNESS)],
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
  if (!WRITERS.has(chain)) {
    return `no key gives addresses of ${chain}; one does for ${[...WRITERS.keys()].join(', ')}`;
  }
  if (/^.prv/.test(text)) return 'this is a private key, which must never leave its wallet; give the xpub';
  try {
    const key = readKey(text);
    return key.privateKey === null || key.privateKey === undefined ? null : 'this is a private key';
  } catch {
    return 'this is no extended public key: one looks like xpub6... (or zpub6...), with its checksum';
  }
}

/** The address of the index; `keyFault` must have returned null. */
export function deriveAddress(chain: string, text: string, index: number): string {
  const key = readKey(text);
  const parent = key.depth === ACCOUNT_DEPTH ? key.deriveChild(0) : key;
  const { publicKey } = parent.deriveChild(index);
  const write = WRITERS.get(chain);
  if (!write || !publicKey) throw new Error(`no address ${index} of ${chain}`);
  return write(publicKey, isSegwitKey(text));
}

const isSegwitKey = (text: string): boolean => text.startsWith('zpub');
const readKey = (text: string): HDKey =>
  isSegwitKey(text) ? HDKey.fromExtendedKey(text, SEGWIT_VERSIONS) : HDKey.fromExtendedKey(text);
