import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalIp, networkOf } from '../../src/gateway/access/ip-addresses.ts';
import { probeRoutes } from './probe-routes.ts';
import { Client, credentials, startServer } from '@bourse/test-kit/server.ts';
import { submit } from '@bourse/test-kit/submit.ts';

describe('addresses', () => {
  test('have one canonical spelling', () => {
    const spellings = [
      ['203.0.113.7', '203.0.113.7'],
      ['2001:DB8::7', '2001:db8::7'],
      ['2001:db8:0::7', '2001:db8::7'],
      ['2001:0db8:0:0:0:0:0:7', '2001:db8::7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::FFFF:cb00:7107', '203.0.113.7'],
      ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
      ['fe80::1%1', 'fe80::1'],
      ['0:0:0:0:0:0:0:1', '::1'],
      ['', ''],
      ['203.0.113.7:80', '203.0.113.7:80'],
      ['unknown', 'unknown'],
    ];
    for (const [text, canonical] of spellings) assert.equal(canonicalIp(text), canonical);
  });

  test('share limits with their /64 in IPv6, and with no other address in IPv4', () => {
    const networks = [
      ['203.0.113.7', '203.0.113.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
      ['2001:db8:1:2::6', '2001:db8:1:2'],
      ['2001:db8::6', '2001:db8:0:0'],
      ['2001:db8:0:0:3:4:5:6', '2001:db8:0:0'],
      ['1::4:5:6:7:8', '1:0:0:4'],
      ['1::', '1:0:0:0'],
      ['::1', '0:0:0:0'],
      ['::', '0:0:0:0'],
      ['1:2:3', '1:2:3'],
      ['::x::', '::x::'],
    ];
    for (const [address, network] of networks) assert.equal(networkOf(address), network);
  });

  test('an IP allow list matches an address in any spelling, in the list or from the proxy', async () => {
    const server = await startServer({ routes: probeRoutes, settings: { trustedProxies: ['127.0.0.1'] } });
    try {
      const alice = new Client(server.url, 'alice');
      const from = async (ip: string) =>
        (await alice.send('GET', '/probe/things/1', undefined, { 'x-forwarded-for': ip })).status;
      const key = credentials('alice').apiKey;
      // The form in older logs.
      const ipAllowList = ['2001:DB8:0::7', '::ffff:203.0.113.7'];
      await submit(server.services.port, { kind: 'change-key', key, ipAllowList });
      for (const ip of [
        '2001:db8::7',
        '2001:DB8:0:0::7',
        '203.0.113.7',
        '::ffff:203.0.113.7',
        '::FFFF:cb00:7107',
      ])
        assert.equal(await from(ip), 200, ip);
      for (const ip of ['2001:db8::8', '203.0.113.8', '::203.0.113.7', 'unknown'])
        assert.equal(await from(ip), 403, ip);
      const shown = await new Client(server.url).send('GET', '/probe/public', undefined, {
        'x-forwarded-for': '::ffff:203.0.113.9',
      });
      assert.equal(shown.json['ip'], '203.0.113.9');
    } finally {
      await server.close();
    }
  });
});
