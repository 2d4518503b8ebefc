/** One admission check for three transports: the same fault gets the same error message on each. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Unavailable } from '../../../engine/src/exchange-port.ts';
import { OPERATOR_MOUNT } from '../../src/gateway/operator/plugin.ts';
import { SANDBOX_OPERATOR_TOKEN } from '../../../sandbox/src/users.ts';
import { Peer } from '../order-entry/peer.ts';
import { Client, type ServerOptions, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { limit, ORDERS } from '@bourse/test-kit/gateway/trading.ts';

const ORDER = limit('buy', '20000', '0.001');

/** The error message, from whichever member of the response has it. */
const sentence = (...texts: unknown[]): string => {
  const said = texts.find((text) => typeof text === 'string' && text !== '');
  return String(said).replaceAll(/\d+/g, 'N');
};

async function operator(server: TestServer, path: string, body: string, headers = {}): Promise<string> {
  const reply = await fetch(`${server.url}${OPERATOR_MOUNT}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SANDBOX_OPERATOR_TOKEN}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
  assert.notEqual(reply.status, 200);
  return sentence(((await reply.json()) as { msg: string }).msg);
}

const USERS = '/v1/users';
const ADD_USER = JSON.stringify({ name: 'newcomer', reason: 'a test' });

describe('HTTP, order entry and the operator API share one admission check', () => {
  const servers: TestServer[] = [];
  const start = async (options?: ServerOptions): Promise<TestServer> => {
    const server = await startServer(options);
    servers.push(server);
    return server;
  };
  after(async () => {
    for (const server of servers) await server.close();
  });

  test('an empty pool', async () => {
    const server = await start({ quotas: { spot: 0, operator: 0 } });
    const peer = await Peer.open(server, 'alice');
    const http = await new Client(server.url, 'alice', 'family').post(ORDERS, ORDER);
    const entry = await peer.ask('spot.order', ORDER);
    peer.close();
    const wanted = 'This costs N, the spot pool has N of N left; it is full again in N ms.';
    assert.equal(sentence(http.json['detail']), wanted);
    assert.equal(sentence(entry.detail), wanted);
    assert.equal(await operator(server, USERS, ADD_USER), wanted.replace('spot', 'operator'));
  });

  test('an engine that accepts no commands', async () => {
    let isBusy = false;
    const server = await start({
      wrapPort: (port) => ({
        send(command, waiter, sender) {
          if (isBusy) throw new Unavailable('queue-full', 'too much waits');
          port.send(command, waiter, sender);
        },
        read: (query) => port.read(query),
        subscribe: (listener) => port.subscribe(listener),
        historyCaughtUp: () => port.historyCaughtUp(),
        acceptClock: () => port.acceptClock(),
        get health() {
          return port.health;
        },
        get aheadMs() {
          return port.aheadMs;
        },
      }),
    });
    const peer = await Peer.open(server, 'alice');
    isBusy = true;
    const http = await new Client(server.url, 'alice', 'family').post(ORDERS, ORDER);
    const entry = await peer.ask('spot.order', ORDER);
    peer.close();
    assert.equal(sentence(http.json['detail']), 'too much waits.');
    assert.equal(sentence(entry.detail), 'too much waits.');
    assert.equal(await operator(server, USERS, ADD_USER), 'too much waits.');
  });

  describe('with everything open', () => {
    let server: TestServer;
    let http: Client;
    before(async () => {
      server = await start();
      http = new Client(server.url, 'alice', 'family');
    });

    test('a body with a duplicate member', async () => {
      const wanted = 'The body has the same member twice in one object.';
      const peer = await Peer.open(server, 'alice');
      peer.ws.send('{"id":"a","op":"spot.order","op":"spot.order","args":{}}');
      assert.ok((await peer.next()).msg?.endsWith(wanted));
      peer.close();
      const reply = await http.send('POST', ORDERS, '{"symbol":"BTC-USDT","symbol":"BTC-USDT"}');
      assert.equal(sentence(reply.json['detail']), wanted);
      assert.equal(await operator(server, USERS, '{"name":"a","name":"b"}'), wanted);
    });

    test('a body that is too large or has another content type', async () => {
      const big = JSON.stringify({ name: 'x'.repeat(70_000) });
      const tooLarge = sentence((await http.send('POST', ORDERS, big)).json['detail']);
      assert.equal(tooLarge, 'At most N bytes are accepted.');
      assert.equal(await operator(server, USERS, big), tooLarge);
      const type = { 'content-type': 'text/plain' };
      const wrongType = sentence((await http.send('POST', ORDERS, '{}', type)).json['detail']);
      assert.match(wrongType, /^Content-Type is 'text\/plain': a body needs/);
      assert.equal(await operator(server, USERS, '{}', type), wrongType);
    });

    test('a foreign page', async () => {
      const headers = { origin: 'http://evil.example' };
      const reply = await http.send('POST', ORDERS, JSON.stringify(ORDER), headers);
      assert.match(sentence(reply.json['detail']), /^A page of http:\/\/evil\.example may not do this/);
      assert.equal(await operator(server, USERS, ADD_USER, headers), sentence(reply.json['detail']));
      const another = await http.send('POST', ORDERS, JSON.stringify(ORDER), {
        origin: 'http://localhost:1',
      });
      assert.equal(another.status, 403, 'another port of this machine is another page');
      const own = await http.send('POST', ORDERS, JSON.stringify(ORDER), { origin: server.url });
      assert.equal(own.status, 200, own.text);
      assert.equal((await http.send('GET', '/api/v1/timestamp', undefined, headers)).status, 200);
    });

    test('a message id of order entry is remembered for as long as a signature', async () => {
      const peer = await Peer.open(server, 'alice');
      const count = server.log.records.length;
      await peer.ask('spot.order', ORDER, 'remembered');
      peer.close();
      await http.post(ORDERS, ORDER);
      const untils = server.log.records
        .slice(count)
        .flatMap(({ time, commands }) =>
          commands.flatMap((command) => (command.once ? command.once.until - time : [])),
        );
      assert.equal(untils.length, 2);
      assert.ok(Math.abs(untils[0] - untils[1]) < 2000, String(untils));
    });
  });
});

describe('paths outside the API have a weight as well', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ quotas: { service: 12 } });
  });
  after(() => server.close());

  test('documents, metrics and unknown paths are charged to the client address; health checks are free', async () => {
    const nobody = new Client(server.url);
    const weights = [
      ['/healthz', 0],
      ['/nope', 1],
      ['/nope', 1],
      ['/metrics', 10],
    ] as const;
    let left = 12;
    for (const [path, weight] of weights) {
      const reply = await fetch(server.url + path);
      await reply.text();
      assert.notEqual(reply.status, 429, path);
      left -= weight;
    }
    assert.equal(left, 0);
    for (const path of ['/docs/reference', '/openapi.json', '/asyncapi.json', '/nope', '/metrics']) {
      const reply = await nobody.get(path);
      assert.equal(reply.status, 429, path);
      assert.match(
        String(reply.json.msg),
        /^Too Many Requests: This costs \d+, the service pool has 0 of 12 left/,
      );
    }
    for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(server.url + path)).status, 200);
    // Requests for these cannot exhaust the API's pools, nor API requests theirs.
    assert.equal((await nobody.get('/api/v1/timestamp')).status, 200);
  });
});
