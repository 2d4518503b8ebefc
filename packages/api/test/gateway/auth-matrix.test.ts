/** Promise 12: routes x keys x permissions x owners, built from the table of routes. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { Command, Outcome, Permission } from '@bourse/core';
import { DIALECTS, type Route } from '../../src/gateway/route.ts';
import { exampleOf } from '../../src/gateway/docs/examples.ts';
import { markedId, userId } from '../../src/gateway/ids.ts';
import { allRoutes } from '../../src/gateway/routes/all.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import type { Services } from '../../src/gateway/services.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import { KEYS } from '../../../sandbox/src/users.ts';
import {
  Client,
  type Credentials,
  credentials,
  type Reply,
  sign,
  startServer,
  type TestServer,
} from '@bourse/test-kit/server.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const ROUTES = allRoutes({} as Services);
const PERMISSIONS: readonly Permission[] = ['general', 'spot', 'flex-transfers', 'withdrawal'];
const ACCESS_CODES = /^4000(0[1-9]|13)$/;

const ORDERS = '/api/v1/hf/orders';
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

describe('the matrix', () => {
  let server: TestServer;
  let serial = 0;
  const keyWith = (name: string): Credentials => ({
    apiKey: name,
    apiSecret: `secret of ${name}`,
    apiPassphrase: name,
  });
  before(async () => {
    server = await startServer({
      quotas: { spot: 1e9, manage: 1e9, public: 1e9, questionnairesPerSecondMax: 1e9 },
    });
    const secrets = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex'));
    const grants: [string, readonly Permission[]][] = [
      ['none', []],
      ...PERMISSIONS.map((each): [string, Permission[]] => [each, [each]]),
      ...PERMISSIONS.map((each): [string, Permission[]] => [
        `not-${each}`,
        PERMISSIONS.filter((other) => other !== each),
      ]),
    ];
    for (const [key, permissions] of grants) {
      const { apiSecret, apiPassphrase } = keyWith(key);
      const secret = secrets.seal(apiSecret, apiPassphrase);
      const terms = { user: 2, version: 3, permissions, ipAllowList: [], secret };
      const { outcome } = await submit(server.services.port, { kind: 'add-key', key, ...terms });
      assert.equal(outcome.kind, 'accepted');
    }
  });
  after(() => server.close());

  async function call(
    route: Route,
    who: Credentials | undefined,
    change: (text: string) => string,
    dialect = DIALECTS[0],
  ): Promise<Reply> {
    const example = exampleOf(route);
    const path = change(example.path);
    const body = change(example.body);
    const headers = who ? sign(who, route.method, path, body, { prefix: dialect.prefix }) : {};
    return new Client(server.url).send(route.method, dialect.mount + path, body || undefined, headers);
  }

  const unchanged = (text: string): string => text;
  const isSuccess = ({ json, status }: Reply): boolean =>
    status === 200 && ![json.code].some((code) => code !== undefined && !/^200(000)?$/.test(code));

  for (const route of ROUTES) {
    for (const dialect of DIALECTS.filter(({ name }) => route.dialects?.includes(name) ?? true)) {
      test(`promise 12: ${route.id} (${dialect.name}) accepts exactly the keys with its permission`, async () => {
        const { lastSeq } = server.log;
        const isOpen = route.access === 'public';
        const refusals: [string, Credentials | undefined, string][] = [
          ['no key', undefined, '400001'],
          ['an unknown key', { ...credentials('alice'), apiKey: 'nobody' }, '400003'],
          ['a wrong secret', { ...credentials('alice'), apiSecret: 'wrong' }, '400004'],
          ["another's key", { ...credentials('alice'), apiKey: credentials('bob').apiKey }, '400004'],
        ];
        for (const [what, who, code] of refusals) {
          const reply = await call(route, who, unchanged, dialect);
          if (isOpen) assert.doesNotMatch(String(reply.json.code), ACCESS_CODES, what);
          else assert.equal(reply.json.code, code, `${what}: ${reply.text}`);
        }
        for (const name of ['none', ...PERMISSIONS.map((each) => `not-${each}`)]) {
          if (name !== 'none' && name !== `not-${route.access}`) continue;
          const reply = await call(route, keyWith(name), unchanged, dialect);
          if (isOpen) assert.doesNotMatch(String(reply.json.code), ACCESS_CODES, name);
          else assert.deepEqual([reply.status, reply.json.code], [403, '400007'], `${name}: ${reply.text}`);
        }
        assert.equal(server.log.lastSeq, lastSeq, 'nothing has happened');
        if (isOpen) return;
        const reply = await call(route, keyWith(route.access), unchanged, dialect);
        assert.doesNotMatch(String(reply.json.code), ACCESS_CODES, reply.text);
      });
    }
  }

  async function act(command: Command): Promise<Outcome> {
    const { outcome } = await submit(server.services.port, command);
    assert.notEqual(outcome.kind, 'rejected', inspect(outcome));
    return outcome;
  }
  const added = async (command: Command): Promise<number> => ((await act(command)) as { id: number }).id;

  /** Values for the placeholders of an example: an object of Alice's, a new one for each request. */
  function makers(clientOid: string): Readonly<Record<string, () => Promise<string>>> {
    const { catalogue } = server.services;
    const alice = new Client(server.url, 'alice');
    const { number: currency, chains } = catalogue.currency('USDT')!;
    const { symbol } = catalogue.symbol('BTC-USDT')!;
    const place = async (): Promise<string> => {
      const placed = await alice.post(ORDERS, { ...ORDER, clientOid });
      return (placed.json.data as { orderId: string }).orderId;
    };
    const money = { currency, chain: chains[0].chainId, amount: 10n ** 13n };
    const stop = {
      user: 0,
      symbol,
      side: 'buy',
      size: 1e7,
      stopPrice: 900_000,
      clientId: clientOid,
    } as const;
    const placeStop = (): Promise<number> =>
      added({ kind: 'place-stop-order', ...stop, type: 'limit', price: 900_000, stop: 'entry' });
    const placeOco = (): Promise<number> =>
      added({ kind: 'place-oco-order', ...stop, price: 200_000, limitPrice: 900_000 });
    return {
      ORDER_ID: place,
      CLIENT_OID: async () => (await place()) && clientOid,
      async ACCOUNT_ID() {
        const { json } = await alice.get('/api/v1/accounts?currency=USDT');
        return (json.data as { id: string }[])[0].id;
      },
      async TRAVEL_RULE_OID() {
        const outcome = await act({
          kind: 'report-deposit',
          user: 0,
          ...money,
          txId: clientOid,
          travelRule: true,
        });
        return markedId('travel-rule', (outcome as { travelRuleId: number }).travelRuleId);
      },
      STOP_ORDER_ID: async () => markedId('stop-order', await placeStop()),
      STOP_CLIENT_OID: async () => String(await placeStop()) && clientOid,
      OCO_ORDER_ID: async () => markedId('oco-order', await placeOco()),
      OCO_CLIENT_OID: async () => String(await placeOco()) && clientOid,
      async WITHDRAWAL_ID() {
        const to = { address: 'somewhere', memo: '' };
        return markedId('withdrawal', await added({ kind: 'request-withdrawal', user: 0, ...money, ...to }));
      },
      SUB_USER_ID: async () => userId(3),
      SUB_NAME: async () => 'alice-sub',
      async SUB_KEY() {
        const secret = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex')).seal('a secret', 'a-passphrase');
        await act({
          kind: 'add-key',
          key: clientOid,
          user: 3,
          version: 3,
          permissions: [],
          ipAllowList: [],
          secret,
        });
        return clientOid;
      },
      SUB_PASSPHRASE: async () => 'a-passphrase',
    };
  }

  async function fillIn(text: string): Promise<string> {
    const make = makers(`matrix-${serial++}`);
    let filled = text;
    for (const [name] of text.matchAll(/[A-Z]+(?:_[A-Z]+)+/g)) {
      if (!filled.includes(name)) continue;
      assert.ok(make[name], `${name} must be filled in by the matrix`);
      filled = filled.replaceAll(name, await make[name]());
    }
    return filled;
  }

  for (const route of ROUTES) {
    const example = exampleOf(route);
    if (!/[A-Z]+_[A-Z]+/.test(example.path + example.body)) continue;
    test(`promise 12: ${route.id} neither returns nor changes anything of another user`, async () => {
      const filled = JSON.parse(
        await fillIn(JSON.stringify({ path: example.path, body: example.body })),
      ) as Record<string, string>;
      const change = (text: string) => (text === example.path ? filled['path'] : filled['body']);
      for (const { name, permissions } of KEYS) {
        if (!['bob', 'alice-sub'].includes(name) || !permissions.includes(route.access as Permission))
          continue;
        const reply = await call(route, credentials(name), change);
        assert.ok(!isSuccess(reply), `${name}: ${reply.text}`);
        assert.doesNotMatch(String(reply.json.code), ACCESS_CODES, reply.text);
      }
      const own = await call(route, credentials('alice'), change);
      assert.ok(isSuccess(own), own.text);
    });
  }
});
