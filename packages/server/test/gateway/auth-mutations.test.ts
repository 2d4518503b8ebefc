/**
 * P12: every single-byte change of a signed request is refused and changes nothing. A part of all changes by default;
 * all of them (minutes) with BOURSE_MUTATIONS=all.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '../../../../bench/http/connection.ts';
import { probeRoutes } from './probe-routes.ts';
import { credentials, sign, startServer } from '../server.ts';

const ALL = process.env['BOURSE_MUTATIONS'] === 'all';
const AT_ONCE = 8;
const ALICE = credentials('alice');

interface Part {
  readonly text: string;
  /** Whether a changed byte here must be noticed. */
  readonly isBound: boolean;
}

const bound = (text: string): Part => ({ text, isBound: true });
const free = (text: string): Part => ({ text, isBound: false });

/** What is signed or proves who signed; header names and what separates things may be written in several ways. */
function request(method: string, mount: string, path: string, body: string, prefix: string): Part[] {
  const headers = sign(ALICE, method, path, body, { prefix, timestamp: String(Date.now() + 2000) });
  return [
    bound(method),
    free(' '),
    // A changed mount may be no dialect at all, or the same path in another one: refused either way.
    bound(mount + path),
    free(' HTTP/1.1\r\nhost: a\r\n'),
    ...Object.entries(headers).flatMap(([name, value]) => [
      free(`${name}: `),
      // Both versions are right for every key, and the version is not signed.
      name.endsWith('VERSION') ? free(value) : bound(value),
      free('\r\n'),
    ]),
    free(
      body === ''
        ? '\r\n'
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    bound(body),
  ];
}

const REQUESTS: readonly [
  what: string,
  method: string,
  mount: string,
  path: string,
  body: string,
  prefix: string,
][] = [
  ['GET with a query', 'GET', '', '/probe/things/41?symbol=BTC-USDT&limit=7', '', 'SVC'],
  ['POST with a body', 'POST', '', '/probe/things', '{"text":"buy 1","size":"0.25"}', 'SVC'],
  ['DELETE', 'DELETE', '', '/probe/things/41', '', 'SVC'],
  ['GET in the family dialect', 'GET', '/compat', '/probe/things/41?symbol=BTC-USDT%2CETH', '', 'KC'],
  ['POST in the family dialect', 'POST', '/compat', '/probe/things', '{"text":"buy 1","size":"0.25"}', 'KC'],
];

const bytesOf = (parts: readonly Part[]): Buffer =>
  Buffer.from(parts.map(({ text }) => text).join(''), 'latin1');

/** Which positions are bound. */
function positions(parts: readonly Part[]): number[] {
  const found: number[] = [];
  let at = 0;
  for (const { text, isBound } of parts) {
    for (let i = 0; i < text.length; i++, at++) if (isBound) found.push(at);
  }
  return found;
}

/** Other bytes for this position: each one, or the neighbours that are most alike and two that separate things. */
function others(byte: number): number[] {
  if (ALL) return Array.from({ length: 256 }, (_, each) => each).filter((each) => each !== byte);
  return [byte ^ 1, byte ^ 0x20, 0x25, 0x20].filter((each) => each !== byte);
}

for (const [what, method, mount, path, body, prefix] of REQUESTS) {
  test(`P12 no byte of a signed ${what} can be changed`, async () => {
    const server = await startServer({ routes: probeRoutes, quotas: { spot: 1e9, public: 1e9 } });
    try {
      const make = () => request(method, mount, path, body, prefix);
      const parts = make();
      const jobs = positions(parts).flatMap((at) => others(bytesOf(parts)[at]).map((byte) => ({ at, byte })));
      const { lastSeq } = server.log;
      let sent = 0;
      const accepted: string[] = [];
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
            // Signed anew: a request that is too old would be refused for that alone.
            const bytes = bytesOf(make());
            const before = bytes[job.at];
            if (before === job.byte) continue;
            bytes[job.at] = job.byte;
            const answer = await ask(server.port, bytes);
            sent++;
            if (answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer)) continue;
            if (isSameRequest(path, mount, job.at - method.length - 1, job.byte)) continue;
            accepted.push(
              `byte ${job.at} ${before} -> ${job.byte}: ${answer.slice(0, 40)} ... ${answer.slice(-120)}`,
            );
          }
        }),
      );
      assert.deepEqual(accepted, []);
      assert.ok(sent > 100, `${sent} changed requests were sent`);
      assert.equal(server.log.lastSeq, lastSeq, 'nothing has happened');
      assert.match(
        await ask(server.port, bytesOf(make())),
        /^HTTP\/1\.1 200 /,
        'the unchanged request is right',
      );
    } finally {
      await server.close();
    }
  });
}

/** `%2c` is `%2C`: in the family dialect, where decoded paths are signed, this changes nothing. */
function isSameRequest(path: string, mount: string, at: number, byte: number): boolean {
  const target = Buffer.from(mount + path);
  if (mount === '' || at < 0 || at >= target.length) return false;
  target[at] = byte;
  return decodeURIComponent(target.toString('latin1')) === decodeURIComponent(mount + path);
}

/** A connection each: a changed request may leave the other side waiting, so one answer or a moment is enough. */
async function ask(port: number, bytes: Buffer): Promise<string> {
  const connection = await Connection.open(port);
  try {
    return await Promise.race([
      connection.ask(bytes).catch(() => ''),
      new Promise<string>((resolve) => setTimeout(resolve, 10_000, '').unref()),
    ]);
  } finally {
    connection.close();
  }
}
