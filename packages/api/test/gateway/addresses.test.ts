import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountName,
  base58Check,
  bech32Address,
  stellar,
  tonFriendly,
} from '../../src/gateway/money/addresses.ts';
import { UnownedAddresses } from '../../src/gateway/money/address-sources.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

test('addresses have the checksum of their chain, and known keys give their known addresses', () => {
  const genesis = bytes('62e907b15cbf27d5425399ebf6f0fb50ebb88f18');
  assert.equal(base58Check(0, genesis), '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa');
  const program = bytes('751e76e8199196d454941c45d1b3a323f1433bd6');
  assert.equal(bech32Address('bc', program, [0]), 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
  const usdtOnTron = bytes('a614f803b6fd780986a42c78ec9c7f77e6ded13c');
  assert.equal(base58Check(0x41, usdtOnTron), 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
  assert.equal(tonFriendly(new Uint8Array(32)), 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c');
  assert.equal(stellar(new Uint8Array(32)), 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF');
  assert.match(accountName(genesis), /^[1-5a-z]{12}$/);
});

test('the built-in custody gives each user, currency and chain its own address, which never changes', () => {
  const custody = new UnownedAddresses();
  const seen = new Map<string, string>();
  for (const chain of [
    'btc',
    'bech32',
    'btcln',
    'ltc',
    'doge',
    'ada',
    'trx',
    'sol',
    'ton',
    'xrp',
    'xlm',
    'eth',
    'kcc',
  ]) {
    for (const currency of ['BTC', 'USDT']) {
      for (let user = 0; user < 5; user++) {
        const { address } = custody.address(user, currency, chain);
        assert.deepEqual(custody.address(user, currency, chain), custody.address(user, currency, chain));
        const name = `${user} ${currency} ${chain}`;
        assert.equal(seen.get(address), undefined, `${name} has the address of ${seen.get(address)}`);
        seen.set(address, name);
      }
    }
  }
  assert.match(custody.address(1, 'XRP', 'xrp').address, /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/);
  assert.match(custody.address(1, 'XRP', 'xrp').memo, /^\d+$/);
  assert.equal(custody.address(1, 'BTC', 'btc').memo, '');
  assert.match(custody.address(1, 'ETH', 'eth').address, /^0x[0-9a-f]{40}$/);
});
