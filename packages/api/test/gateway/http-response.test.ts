import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { type HttpResponse, writeResponse, writeOrdinaryResponse } from '../../src/gateway/http/messages.ts';
import { makeHttpServer } from '../../src/gateway/http/http-listener.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../../src/gateway/http/limits.ts';
import { sendBytes } from '@bourse/test-kit/wire/requests.ts';

const SPENT = { allowed: true, limit: 4000, remaining: 3999, resetMs: 29_998 };
const NOW = 1_700_000_000_123;

type Write = (response: HttpResponse, status: number, text: string, id: string) => void;
/** As Node would write it, header by header. */
const bySteps: Write = (response, status, text, id) => writeResponse(response, status, text, SPENT, id);
const whole: Write = (response, status, text, id) =>
  writeOrdinaryResponse(response, status, text, SPENT, id, NOW, false);

interface Seen {
  readonly bytes: string;
  readonly responses: readonly HttpResponse[];
  readonly finished: number;
}

/** Sends the requests in one write and collects the responses; `/STATUS/TEXT` returns that status and text. */
async function exchange(
  write: Write,
  targets: readonly string[],
  limits: Partial<HttpLimits> = {},
): Promise<Seen> {
  const responses: HttpResponse[] = [];
  let finished = 0;
  const waiting: (() => void)[] = [];
  const server = makeHttpServer({ ...DEFAULT_HTTP_LIMITS, ...limits }, (request, response) => {
    responses.push(response);
    response.on('finish', () => finished++);
    const [, status = '', text = ''] = request.url!.split('/');
    assert.ok(response.isOrdinary, request.url);
    waiting.push(() =>
      write(response, Number(status), decodeURIComponent(text), `req-${responses.indexOf(response)}`),
    );
    // Last one first: responses are still sent in the order of the requests.
    if (waiting.length === targets.length) for (const answer of waiting.toReversed()) answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const requests = targets.map((target) => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join('');
  const bytes = await sendBytes(port, requests, targets.length);
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  return { bytes, responses, finished };
}

const sameDate = (bytes: string): string => bytes.replaceAll(/^Date: .*$/gm, 'Date: then');

describe('a response that is sent in one write', () => {
  const cases: readonly (readonly [string, readonly string[], Partial<HttpLimits>])[] = [
    ['a success', ['/200/%7B%22code%22%3A%22200000%22%7D'], {}],
    ['refusals', ['/400/no'], {}],
    ['a status that is in no table', ['/499/no'], {}],
    ['text that is not ASCII', ['/200/gr%C3%BC%C3%9Fe%20%E2%82%AC'], {}],
    ['pipelined requests, answered last one first', ['/200/a', '/429/b', '/200/c'], {}],
    ['a maximum of requests per connection', ['/200/a', '/200/b'], { requestsPerConnectionMax: 9 }],
    ['another keep-alive time-out', ['/200/a'], { keepAliveTimeoutMs: 12_345 }],
  ];
  for (const [name, targets, limits] of cases) {
    test(`has the bytes that Node writes: ${name}`, async () => {
      const [theirs, ours] = [
        await exchange(bySteps, targets, limits),
        await exchange(whole, targets, limits),
      ];
      assert.equal(sameDate(ours.bytes), sameDate(theirs.bytes));
      assert.match(ours.bytes, /^Date: Tue, 14 Nov 2023 22:13:20 GMT\r$/m);
      assert.equal(ours.finished, targets.length);
      for (const response of ours.responses) {
        assert.ok(response.writableEnded && response.writableFinished && response.headersSent);
      }
    });
  }
});

test('a response that ends its connection, or has no body, does not take the fast path', async () => {
  const seen: boolean[] = [];
  const server = makeHttpServer({ ...DEFAULT_HTTP_LIMITS, requestsPerConnectionMax: 1 }, (_, response) => {
    seen.push(response.isOrdinary);
    response.end('x');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await sendBytes(port, 'HEAD / HTTP/1.1\r\nhost: localhost\r\n\r\n', 1);
  await sendBytes(port, 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 1);
  await sendBytes(port, 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n', 1);
  server.close();
  server.closeAllConnections();
  assert.deepEqual(seen, [false, false, false]);
});
