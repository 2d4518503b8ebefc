/**
 * P13: rubbish in, 4xx out; never 5xx, never a crash, never a changed state. A short run by default, a long one with
 * BOURSE_FUZZ=<inputs>; BOURSE_SEED repeats one.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '@bourse/core';
import { exampleOf } from '../../src/gateway/docs/examples.ts';
import { allRoutes } from '../../src/gateway/routes/all.ts';
import type { Services } from '../../src/gateway/services.ts';
import { Client, startServer, type TestServer } from '../server.ts';
import { sendBytes, splitAnswers } from '../support/raw-socket.ts';

const INPUTS = Number(process.env['BOURSE_FUZZ'] ?? 2000);
const SEED = Number(process.env['BOURSE_SEED'] ?? Date.now() % 2 ** 31);
const AT_ONCE = 16;

/** Mulberry32: small, and the same everywhere. */
function randomOf(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof randomOf>;
const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)];

/** Text that is wrong as a value of anything. */
const WORDS = [
  '',
  ' ',
  '-1',
  '+1',
  '1e5',
  '0x10',
  'NaN',
  'Infinity',
  '0',
  '00',
  '.5',
  '5.',
  '1,5',
  '９',
  '\u0000',
  'é',
  '𝄞',
  "' OR 1=1",
  '../..',
  '%00',
  '[]',
  '{}',
  'null',
  'true',
  '9'.repeat(41),
  '0.'.padEnd(60, '0'),
  'x'.repeat(5000),
];
const NUMBERS = [-1, 0, 1.5, 1e308, -0, 2 ** 53, 1e-7];

function value(random: Random, depth = 0): unknown {
  switch (random(depth > 3 ? 4 : 6)) {
    case 0:
      return pick(random, WORDS);
    case 1:
      return pick(random, NUMBERS);
    case 2:
      return pick(random, [true, false, null]);
    case 3:
      return pick(random, ['BTC-USDT', 'USDT', 'limit', 'market', 'buy', '1', 'GTT', 'MAIN']);
    case 4:
      return Array.from({ length: random(4) }, () => value(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random(4) }, () => [pick(random, WORDS), value(random, depth + 1)]),
      );
  }
}

/** A right body with some members changed, taken away or added. */
function spoil(random: Random, body: unknown): unknown {
  if (Array.isArray(body))
    return random(4) === 0 ? value(random) : body.map((each) => (random(2) ? spoil(random, each) : each));
  if (typeof body !== 'object' || body === null) return value(random);
  const spoilt: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(body)) {
    const luck = random(6);
    if (luck === 0) continue;
    spoilt[name] = luck < 3 ? spoil(random, member) : member;
  }
  if (random(4) === 0) spoilt[pick(random, WORDS)] = value(random);
  return spoilt;
}

/** Bytes changed, taken away, doubled. */
function damage(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let i = 0; i <= random(3); i++) if (copy.length > 0) copy[random(copy.length)] = random(256);
  const [from, to] = [random(copy.length + 1), random(copy.length + 1)];
  switch (random(4)) {
    case 0:
      return copy.subarray(0, from);
    case 1:
      return Buffer.concat([copy.subarray(0, from), copy.subarray(to)]);
    default:
      return copy;
  }
}

function sumOf(exchange: Exchange, currency: number): bigint {
  let sum = 0n;
  for (let user = 0; user < exchange.counts.users; user++) {
    for (const type of ['main', 'trade'] as const) {
      const { available, hold } = exchange.balance(user, type, currency);
      assert.ok(available >= 0n && hold >= 0n);
      sum += available + hold;
    }
  }
  for (const account of ['fees', 'waiting', 'outside'] as const)
    sum += exchange.houseBalance(account, currency);
  return sum;
}

async function many(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let index = next++; index < count; index = next++) await work(index);
    }),
  );
}

async function withServer(body: (server: TestServer) => Promise<void>): Promise<void> {
  const quotas = { spot: 1e9, manage: 1e9, public: 1e9, questionnairesPerSecondMax: 1e9 };
  const server = await startServer({
    quotas,
    limits: { headersTimeoutMs: 500, requestTimeoutMs: 1000, keepAliveTimeoutMs: 300 },
  });
  try {
    await body(server);
    assert.equal((await new Client(server.url).get('/readyz')).status, 200, 'the server lives on');
  } finally {
    await server.close();
  }
}

describe(`P13 rubbish (seed ${SEED})`, () => {
  test('in signed requests: parameters, queries and bodies', async () =>
    withServer(async (server) => {
      const random = randomOf(SEED);
      const routes = allRoutes({} as Services);
      const statuses = new Map<number, number>();
      const bad: string[] = [];
      await many(INPUTS, async () => {
        const route = pick(random, routes);
        const client = new Client(server.url, 'alice', pick(random, ['literal', 'family']));
        const example = exampleOf(route);
        const words = () => encodeURIComponent(pick(random, WORDS).replaceAll(/[\ud800-\udfff]/g, '?'));
        const path = example.path.replaceAll(/[A-Z]+_[A-Z]+|(?<==)[^&]+/g, (same) =>
          random(2) ? words() : same,
        );
        const extra = random(3) === 0 ? `${path.includes('?') ? '&' : '?'}${words()}=${words()}` : '';
        const right =
          example.body === '' ? undefined : JSON.stringify(spoil(random, JSON.parse(example.body)));
        const body = right === undefined ? undefined : Buffer.from(right);
        const sent = body && random(4) === 0 ? damage(random, body) : body;
        const reply = await client.sendBytes(route.method, path + extra, sent);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        if (reply.status >= 500)
          bad.push(`${route.method} ${path}${extra} ${sent?.toString() ?? ''}: ${reply.text}`);
      });
      assert.deepEqual(bad.slice(0, 5), []);
      assert.ok((statuses.get(400) ?? 0) > INPUTS / 10, JSON.stringify([...statuses]));
      await server.services.port.read((exchange) => {
        for (const { number, code } of server.services.catalogue.currencies()) {
          assert.equal(sumOf(exchange, number), 0n, `${code} sums to zero`);
        }
      });
    }));

  test('on raw sockets: damaged requests, and bytes that never were one', async () =>
    withServer(async (server) => {
      const random = randomOf(SEED + 1);
      const { lastSeq } = server.log;
      const bad: string[] = [];
      let answered = 0;
      const samples = [
        'GET /api/v2/symbols HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
        'POST /api/v1/hf/orders HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
        'DELETE /compat/api/v1/hf/orders/x?symbol=BTC-USDT HTTP/1.1\r\nhost: a\r\nKC-API-KEY: x\r\nconnection: close\r\n\r\n',
        'POST /api/v1/hf/orders HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
        'GET /operator/v1/ledger/check HTTP/1.1\r\nhost: a\r\nauthorization: Bearer x\r\nconnection: close\r\n\r\n',
        '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ];
      await many(Math.ceil(INPUTS / 5), async () => {
        const bytes = damage(random, Buffer.from(pick(random, samples), 'latin1'));
        const received = await sendBytes(server.port, bytes);
        for (const { status } of splitAnswers(received)) {
          answered++;
          if (status >= 500) bad.push(`${status}: ${JSON.stringify(bytes.toString('latin1'))}`);
        }
      });
      assert.deepEqual(bad.slice(0, 5), []);
      assert.ok(answered > INPUTS / 20, `${answered} answers`);
      assert.equal(server.log.lastSeq, lastSeq, 'nothing has happened');
    }));
});
