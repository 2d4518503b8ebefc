/** A venue assigns deposit addresses only from a source that an operator has set, and never one to two users. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HDKey } from '@scure/bip32';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { Client, type Credentials, type Reply } from '@bourse/test-kit/server.ts';
import { deriveAddress, keyFault, UnownedAddresses } from '../../../api/src/gateway/money/address-sources.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { clientOf, open, openFor, Operator } from './exchange.ts';
import { run } from './process.ts';

const VENUE = {
  flags: { venue: true, quotas: '{"manage":1000000}' },
  env: {
    BOURSE_SECRET_KEY: 'ab'.repeat(32),
    BOURSE_OPERATOR_TOKEN: 'a-token-of-this-venue-long-enough',
  },
};
/** Of the mnemonic of BIP 84's test vectors, and their addresses. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const [FIRST, SECOND] = [
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
];
const SEED =
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4';
const account = (coin: number) => HDKey.fromMasterSeed(Buffer.from(SEED, 'hex')).derive(`m/44'/${coin}'/0'`);

interface Source {
  readonly chain: string;
  readonly source: string;
  readonly free: number;
  readonly nextIndex: number | null;
  readonly warning: string | null;
}

class Hand {
  readonly operator: Operator;
  readonly #running: RunningExchange;

  constructor(running: RunningExchange) {
    this.#running = running;
    this.operator = new Operator(running);
  }

  async done(path: string, body: object): Promise<unknown> {
    const reply = await this.operator.post(path, body);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body;
  }

  async currencies(): Promise<void> {
    const chains = (...ids: string[]) => ids.map((id) => ({ chainId: id, chainName: id.toUpperCase() }));
    const terms = { precision: 8, scale: 12 };
    await this.done('/v1/currencies', { currency: 'BTC', ...terms, chains: chains('btc') });
    await this.done('/v1/currencies', { currency: 'ETH', ...terms, chains: chains('eth') });
    await this.done('/v1/currencies', { currency: 'USDT', ...terms, chains: chains('eth', 'ton') });
  }

  async user(name: string, dialect?: 'family'): Promise<Client> {
    await this.done('/v1/users', { name });
    const key = await this.done(`/v1/users/${name}/keys`, { permissions: ['General', 'Spot'] });
    return new Client(this.#running.connection.baseUrl, key as Credentials, dialect);
  }

  async source(chain: string): Promise<Source> {
    const { body } = await this.operator.get('/v1/address-sources');
    return (body as Source[]).find((each) => each.chain === chain)!;
  }
}

const create = (client: Client, currency: string, chain: string): Promise<Reply> =>
  client.post('/api/v1/deposit-addresses', { currency, chain });
const addressOf = ({ json, text }: Reply): string => {
  assert.equal(json.code, '200000', text);
  return (json.data as { address: string }).address;
};

test('a venue without an address source rejects every address call, and says why', async (t) => {
  const running = await openFor(t, VENUE);
  const hand = new Hand(running);
  await hand.currencies();
  const dave = await hand.user('dave');
  const erin = await hand.user('erin', 'family');
  const calls = [
    create(dave, 'BTC', 'btc'),
    dave.get('/api/v2/deposit-addresses?currency=BTC'),
    erin.post('/api/v3/deposit-address/create', { currency: 'BTC', chain: 'btc' }),
    erin.get('/api/v3/deposit-addresses?currency=BTC'),
    erin.get('/api/v1/deposit-addresses?currency=BTC&chain=btc'),
  ];
  for (const { json, text } of await Promise.all(calls)) {
    assert.equal(json.code, '260200', text);
    assert.match(text, /no source of them is configured/);
  }
});

test('a list of addresses that runs low or empty is reported in the log and in the metrics', async (t) => {
  const lines: string[] = [];
  const running = await openFor(t, {
    ...VENUE,
    logLines: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg),
  });
  const hand = new Hand(running);
  await hand.currencies();
  await hand.done('/v1/address-sources', { chain: 'eth', source: 'list' });
  const addresses = ['1', '2'].map((digit) => ({ address: `0x${digit.repeat(40)}` }));
  await hand.done('/v1/address-lists', { chain: 'eth', addresses });
  const metrics = async (): Promise<(string | undefined)[]> => {
    const text = await (await fetch(new URL('/metrics', running.connection.operatorUrl))).text();
    return [/^bourse_addresses_free\{chain="eth"\} (\d+)$/m, /^bourse_address_refusals_total (\d+)$/m].map(
      (pattern) => pattern.exec(text)?.[1],
    );
  };
  const until = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
    for (let looks = 0; !(await isSo()); looks++) {
      assert.ok(looks < 600, `never: ${what}; ${lines.join(' | ')}`);
      await sleep(50);
    }
  };
  const said = (pattern: RegExp) => () => lines.some((line) => pattern.test(line));
  await until('few are left', said(/^Deposit addresses on eth are running out: 2 left\. Load more with/));
  const clients = [await hand.user('dave'), await hand.user('erin'), await hand.user('frank')];
  for (const client of clients.slice(0, 2)) addressOf(await create(client, 'ETH', 'eth'));
  await until('none is left', said(/^No deposit address on eth is left: requests for one are refused/));
  assert.equal((await create(clients[2]!, 'ETH', 'eth')).json.code, '260200');
  // They are made at most once a second.
  await until('the metrics have it', async () => (await metrics()).join() === '0,1');
});

test('an address list gives each address to one user, even across restarts, until it is empty', async (t) => {
  const data = makeDirectory(t);
  let running = await open({ data, ...VENUE });
  t.after(() => running.close());
  let hand = new Hand(running);
  await hand.currencies();
  const file = join(data, 'addresses.csv');
  const hex = (last: string) => `0x${'0'.repeat(39)}${last}`;
  writeFileSync(file, `address,memo\n${hex('1')}\n${hex('2')}\n${hex('3')}\n`);
  const connect = ['--url', running.connection.operatorUrl, '--by', 'ann', '--reason', 'a test'];
  const env = VENUE.env;
  for (const args of [
    ['source', 'eth', 'list'],
    ['load', 'eth', file],
  ]) {
    const { code, err } = await run(['addresses', ...args, ...connect], env);
    assert.equal(code, 0, err);
  }
  assert.deepEqual(
    [(await hand.source('eth')).free, (await hand.source('eth')).warning],
    [3, '3 addresses are left'],
  );
  const again = await hand.operator.post('/v1/address-lists', {
    chain: 'eth',
    addresses: [{ address: hex('2') }],
  });
  assert.deepEqual([again.status, (again.body as { code: string }).code], [409, 'address-in-use']);
  const wrong = await hand.operator.post('/v1/address-lists', {
    chain: 'btc',
    addresses: [{ address: hex('2') }],
  });
  assert.equal(wrong.status, 400, 'no address of that chain');

  const users = [await hand.user('dave'), await hand.user('erin')];
  const given = (await Promise.all(users.map((user) => create(user, 'ETH', 'eth')))).map(addressOf);
  assert.deepEqual(given.toSorted(), [hex('1'), hex('2')], 'both at once, and not the same');
  assert.equal(
    addressOf(await create(users[0]!, 'USDT', 'eth')),
    given[0],
    'one address of the chain for all',
  );
  await running.close();
  running = await open({ data, ...VENUE });
  hand = new Hand(running);
  assert.equal(addressOf(await create(await hand.user('frank'), 'ETH', 'eth')), hex('3'));
  const late = await create(await hand.user('grace'), 'ETH', 'eth');
  assert.equal(late.json.code, '260200', late.text);
  assert.match(late.text, /All addresses on eth are assigned/);
  assert.equal((await hand.source('eth')).warning, '0 addresses are left');
});

test('an extended public key gives one index to each user; a private key is rejected and not stored', async (t) => {
  const data = makeDirectory(t);
  let running = await open({ data, ...VENUE });
  t.after(() => running.close());
  let hand = new Hand(running);
  await hand.currencies();
  const xprv = account(0).privateExtendedKey!;
  const refused = await hand.operator.post('/v1/address-sources', { chain: 'btc', source: 'key', key: xprv });
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(refused.body), /private key/);
  assert.doesNotMatch(JSON.stringify(refused.body), new RegExp(xprv.slice(8, 40)));
  await hand.done('/v1/address-sources', { chain: 'btc', source: 'key', key: ZPUB });
  const users = await Promise.all(['dave', 'erin'].map((name) => hand.user(name)));
  const given = (await Promise.all(users.map((user) => create(user, 'BTC', 'btc')))).map(addressOf);
  assert.deepEqual(given.toSorted(), [FIRST, SECOND].toSorted());
  await running.close();
  running = await open({ data, ...VENUE });
  hand = new Hand(running);
  assert.equal((await hand.source('btc')).nextIndex, 2);
  assert.equal(
    addressOf(await create(await hand.user('frank'), 'BTC', 'btc')),
    deriveAddress('btc', ZPUB, 2),
  );
});

test('a program lists the requests for addresses, and gives each user an address that nobody else has', async (t) => {
  const hand = new Hand(await openFor(t, VENUE));
  await hand.currencies();
  await hand.done('/v1/address-sources', { chain: 'ton', source: 'program' });
  const [dave, erin] = [await hand.user('dave'), await hand.user('erin')];
  for (const user of [dave, erin]) {
    const { json, text } = await create(user, 'USDT', 'ton');
    assert.equal(json.code, '260200', text);
    assert.match(text, /is being created/);
  }
  const { body } = await hand.operator.get('/v1/address-requests');
  const [first, second] = body as { userId: string; currency: string; chain: string }[];
  assert.deepEqual([first!.currency, first!.chain, (body as unknown[]).length], ['USDT', 'ton', 2]);
  const { address } = new UnownedAddresses().address(99, 'USDT', 'ton');
  await hand.done('/v1/addresses', { ...first, address, memo: '1' });
  const twice = await hand.operator.post('/v1/addresses', { ...second, address, memo: '1' });
  assert.deepEqual([twice.status, (twice.body as { code: string }).code], [409, 'address-in-use']);
  await hand.done('/v1/addresses', { ...second, address, memo: '2' });
  const shown = (await erin.get('/api/v2/deposit-addresses?currency=USDT')).json as unknown as {
    memo: string;
  }[];
  assert.deepEqual(
    shown.map(({ memo }) => memo),
    ['2'],
  );
  assert.deepEqual((await hand.operator.get('/v1/address-requests')).body, []);
});

test('addresses are derived as wallets derive them, and only from public keys', () => {
  const keyOf = (coin: number) => account(coin).publicExtendedKey;
  assert.equal(deriveAddress('btc', keyOf(0), 0), '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA');
  assert.equal(deriveAddress('bech32', ZPUB, 1), SECOND);
  assert.equal(deriveAddress('eth', keyOf(60), 0), '0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
  assert.equal(deriveAddress('trx', keyOf(195), 0), 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH');
  assert.equal(keyFault('eth', keyOf(60)), null);
  assert.match(keyFault('eth', account(60).privateExtendedKey!)!, /private/);
  assert.match(keyFault('eth', `${keyOf(60).slice(0, -1)}x`)!, /is not an extended public key/);
  assert.match(keyFault('sol', keyOf(60))!, /addresses of sol cannot be derived from a key/);
});

test('a sandbox still gives out play addresses', async (t) => {
  const running = await openFor(t);
  assert.match(addressOf(await create(clientOf(running, 'alice'), 'ETH', 'eth')), /^0x/);
});
