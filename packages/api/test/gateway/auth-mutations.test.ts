/**
 * Promise 12: every single-byte change of a signed request is rejected and changes nothing. Over real sockets, each
 * byte of each request is replaced by a sample of other bytes, different at each position, or, with BOURSE_ONE_OF=1, by
 * every other byte.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sender, signRequest } from '@bourse/test-kit/wire/requests.ts';
import { DIALECTS } from '../../src/gateway/route.ts';
import type { ExchangePort } from '../../../engine/src/exchange-port.ts';
import { probeRoutes } from './probe-routes.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { credentials, startServer, type TestServer } from '@bourse/test-kit/server.ts';

/** Connections with one request at a time, and connections that several share. */
const LONELY = 16;
const SHARED = 3;
const SHARED_BY = 16;
const BYTES = 256;
const ONE_OF = Number(process.env['BOURSE_ONE_OF'] ?? ofSize(37, 5));
const ALICE = credentials('alice');
const [LITERAL, FAMILY] = DIALECTS;
const BODY = '{"text":"buy 1","size":"0.25"}';
const SECONDS = 1000;

interface Case {
  readonly what: string;
  readonly method: string;
  readonly dialect: typeof LITERAL;
  readonly path: string;
  readonly body: string;
}

const CASES: readonly Case[] = [
  {
    what: 'GET with a query',
    method: 'GET',
    dialect: LITERAL,
    path: '/probe/things/41?symbol=BTC-USDT&limit=7',
    body: '',
  },
  { what: 'POST with a body', method: 'POST', dialect: LITERAL, path: '/probe/things', body: BODY },
  { what: 'DELETE', method: 'DELETE', dialect: LITERAL, path: '/probe/things/41', body: '' },
  {
    what: 'GET in the family dialect',
    method: 'GET',
    dialect: FAMILY,
    path: '/probe/things/41?symbol=BTC-USDT%2CETH',
    body: '',
  },
  { what: 'POST in the family dialect', method: 'POST', dialect: FAMILY, path: '/probe/things', body: BODY },
];

/** A place in the request and the byte that is put there. */
interface Change {
  readonly at: number;
  readonly byte: number;
  /** Signed bytes, and bytes that prove who signed: no other byte may be accepted in their place. */
  readonly isBound: boolean;
  /** The length of the request may depend on it, so such a request has its own connection. */
  readonly isFraming: boolean;
  /** Well-formed HTTP with any content, so it can share a connection. */
  readonly isHarmless: boolean;
}

const bytesOf = ({ method, dialect, path, body }: Case, time = Date.now() + 2 * SECONDS): Buffer =>
  signRequest(ALICE, dialect, method, path, body === '' ? undefined : Buffer.from(body), time).bytes;

/** Everything about the text of a request that the change of one byte may touch. */
function changesOf(request: Case): Change[] {
  const text = bytesOf(request).toString('latin1');
  const headEnd = text.indexOf('\r\n\r\n') + 4;
  const bound = Array.from({ length: text.length }, () => false);
  const mark = (start: number, length: number): void => void bound.fill(true, start, start + length);
  mark(0, request.method.length);
  mark(request.method.length + 1, (request.dialect.mount + request.path).length);
  // Both versions are right for every key, and the version is not signed.
  for (const { index, 1: name, 2: value } of text.matchAll(
    /(-API-(?:KEY|SIGN|TIMESTAMP|PASSPHRASE): )([^\r]+)/g,
  ))
    mark(index + name.length, value.length);
  mark(headEnd, text.length - headEnd);
  const lengthAt = text.indexOf('content-');
  return Array.from(text, (char, at) => {
    const isFraming = !bound[at] && ('\r\n: '.includes(char) || (lengthAt > 0 && at >= lengthAt));
    const isHarmless = (byte: number) =>
      at >= headEnd || (bound[at] && at > request.method.length && byte > 0x20 && byte < 0x7f);
    const bytes = Array.from({ length: BYTES }, (_, byte) => byte).filter(
      (byte) => (byte + at) % ONE_OF === 0,
    );
    return bytes.map((byte) => {
      return { at, byte, isBound: bound[at], isFraming, isHarmless: isHarmless(byte) };
    });
  }).flat();
}

/** Counts the commands that had an effect. */
function counting(port: ExchangePort, count: { effects: number }): ExchangePort {
  return {
    ...port,
    get health() {
      return port.health;
    },
    get aheadMs() {
      return port.aheadMs;
    },
    send(command, waiter, sender) {
      port.send(
        command,
        {
          answered(answer) {
            if (answer.outcome.kind !== 'rejected') count.effects++;
            waiter.answered(answer);
          },
          failed: (error) => waiter.failed(error),
        },
        sender,
      );
    },
  };
}

for (const request of CASES) {
  test(`promise 12: no byte of a signed ${request.what} can be changed`, {
    timeout: 600 * SECONDS,
  }, async (context) => {
    const count = { effects: 0 };
    const server: TestServer = await startServer({
      routes: probeRoutes,
      quotas: { spot: 1e9, public: 1e9 },
      wrapPort: (port) => counting(port, count),
    });
    const lonely = Array.from({ length: LONELY }, () => new Sender(server.port));
    const shared = Array.from({ length: SHARED }, () => new Sender(server.port));
    try {
      const right = await lonely[0].ask(bytesOf(request), false);
      assert.equal(right?.status, 200, 'the unchanged request is right');
      const all = changesOf(request);
      const tally = { sent: 0, refused: 0, unanswered: 0, same: 0 };
      const wrong: string[] = [];
      const atFirst = count.effects;
      let succeeded = 0;
      const work = async (sender: Sender, changes: Change[]): Promise<void> => {
        for (let change = changes.pop(); change !== undefined; change = changes.pop()) {
          // Signed anew: a request that is too old would be refused for that alone.
          const bytes = bytesOf(request);
          const before = bytes[change.at];
          if (before === change.byte) continue;
          bytes[change.at] = change.byte;
          const answer = await sender.ask(bytes, change.isFraming);
          tally.sent++;
          if (answer === null) tally.unanswered++;
          else if (answer.status >= 400 && answer.status <= 499) tally.refused++;
          else {
            if (answer.status === 200) succeeded++;
            const isSame = answer.body === right.body && (!change.isBound || isSameTarget(request, change));
            if (isSame) tally.same++;
            else wrong.push(`byte ${change.at} ${before} -> ${change.byte}: ${answer.status} ${answer.body}`);
          }
        }
      };
      const harmless = all.filter(({ isHarmless }) => isHarmless);
      const others = all.filter(({ isHarmless }) => !isHarmless);
      await Promise.all([
        ...lonely.map((sender) => work(sender, others)),
        ...shared.flatMap((sender) => Array.from({ length: SHARED_BY }, () => work(sender, harmless))),
      ]);
      context.diagnostic(JSON.stringify(tally));
      assert.deepEqual(wrong.slice(0, 5), []);
      const strays = [...lonely, ...shared].flatMap((sender) => sender.strays);
      const answered = strays.filter(({ status }) => status < 400 || status > 499);
      assert.deepEqual(answered, [], 'no second request was seen in one');
      assert.ok(tally.refused > 40_000 / ONE_OF, `${tally.refused} changed requests were refused`);
      const expected = request.method === 'GET' ? 0 : succeeded;
      assert.equal(count.effects - atFirst, expected, 'what was refused has changed nothing');
    } finally {
      for (const sender of [...lonely, ...shared]) await sender.close();
      await server.close();
    }
  });
}

/** `%2c` is `%2C`: in the family dialect, where decoded paths are signed, this changes nothing. */
function isSameTarget({ method, dialect, path }: Case, { at, byte }: Change): boolean {
  const target = Buffer.from(dialect.mount + path);
  const place = at - method.length - 1;
  if (dialect.isLiteral || place < 0 || place >= target.length) return false;
  target[place] = byte;
  return decodeURIComponent(target.toString('latin1')) === decodeURIComponent(dialect.mount + path);
}
