import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressFault } from '../../src/gateway/money/addresses.ts';
import { UnownedAddresses } from '../../src/gateway/money/address-sources.ts';
import { CURRENCIES } from '../../../sandbox/src/reference-data.ts';

/** Addresses that everybody knows, by chain. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  btc: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  bech32: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  eth: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdac17f958d2ee523a2206206994597c13d831ec7',
    '0xDAC17F958D2EE523A2206206994597C13D831EC7',
  ],
  trx: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  xrp: ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  sol: ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', '11111111111111111111111111111111'],
  ton: ['EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c', `0:${'0'.repeat(64)}`],
  xlm: ['GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'],
  ada: [
    'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
  ],
  eos: ['eosio', 'eosio.token', 'gu3tsmjvgyge'],
};

test('known addresses are valid on their chain, and invalid with one letter changed', () => {
  for (const [chain, addresses] of Object.entries(KNOWN)) {
    for (const address of addresses) assert.equal(addressFault(chain, address), null, `${chain} ${address}`);
  }
  // Account names, raw keys and hex of one case carry no checksum.
  const CHECKED = ['btc', 'bech32', 'trx', 'xrp', 'xlm', 'ada'];
  for (const chain of CHECKED) {
    for (const address of KNOWN[chain]) {
      for (const at of [1, Math.floor(address.length / 2), address.length - 1]) {
        const other = address[at] === '2' ? '3' : '2';
        const changed = address.slice(0, at) + other + address.slice(at + 1);
        assert.notEqual(addressFault(chain, changed), null, `${chain} ${changed}`);
      }
    }
  }
  assert.notEqual(addressFault('eth', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), null, 'a wrong case');
});

test('an invalid address, or one of another chain, is rejected on every chain whose format is known', () => {
  const wrong = [
    '',
    'not-an-address',
    'not an address',
    '0x',
    'x'.repeat(300),
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
    '☃',
  ];
  for (const chain of [...Object.keys(KNOWN), 'ltc', 'doge', 'bchsv', 'btcln', 'bsc', 'kcc', 'arbitrum']) {
    for (const text of wrong) assert.notEqual(addressFault(chain, text), null, `${chain} ${text}`);
  }
  assert.notEqual(addressFault('trx', KNOWN['btc'][0]), null);
  assert.notEqual(addressFault('btc', KNOWN['trx'][0]), null);
  assert.notEqual(addressFault('bech32', KNOWN['btc'][0]), null, 'Segwit alone');
  assert.notEqual(addressFault('btc', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'), null);
  assert.equal(addressFault('a-chain-nobody-knows', 'not-an-address'), null);
});

test('every address that the built-in custody creates is valid on its own chain', () => {
  const custody = new UnownedAddresses();
  for (const { code, chains } of CURRENCIES) {
    for (const { chainId } of chains) {
      for (let user = 0; user < 20; user++) {
        const { address } = custody.address(user, code, chainId);
        assert.equal(addressFault(chainId, address), null, `${chainId} ${address}`);
      }
    }
  }
});
