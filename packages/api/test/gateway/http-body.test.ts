import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { probeRoutes } from './probe-routes.ts';
import { refused } from './refused.ts';
import { Client, credentials, sign, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { sendBytes, splitAnswers } from '@bourse/test-kit/wire/requests.ts';

describe('bodies over HTTP', () => {
  let server: TestServer;
  let alice: Client;
  before(async () => {
    server = await startServer({ routes: probeRoutes });
    alice = new Client(server.url, 'alice');
  });
  after(() => server.close());

  test('a body that is not declared as JSON gets 415000, even when it is large', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/json; charset=latin1',
      `application/json${' '.repeat(90)};`,
    ]) {
      refused(
        await alice.send('POST', '/probe/things', '{"text":"a"}', { 'content-type': type }),
        415,
        '415000',
      );
    }
    refused(
      await alice.send('POST', '/probe/things', 'x'.repeat(200_000), { 'content-type': 'text/xml' }),
      415,
      '415000',
    );
    const raw = 'POST /probe/things HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}';
    assert.equal(splitAnswers(await sendBytes(server.port, raw, 1))[0].status, 415);
  });

  test('a compressed body gets 415000 with the reason, and other codings are ignored', async () => {
    const head = 'POST /probe/things HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
    for (const coding of ['gzip', 'x-gzip', 'br', 'deflate', 'GZIP', 'identity, zstd']) {
      const raw = `${head}content-encoding: ${coding}\r\ncontent-length: 2\r\n\r\n{}`;
      const [answer] = splitAnswers(await sendBytes(server.port, raw, 1));
      assert.equal(answer!.status, 415, coding);
      assert.match(answer!.body, new RegExp(`'${coding}': send it uncompressed`));
    }
    const transfer = `${head}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    assert.equal(splitAnswers(await sendBytes(server.port, transfer, 1))[0]!.status, 415);
    for (const coding of ['identity', 'utf-8']) {
      const { status } = await alice.send('POST', '/probe/things', '{"text":"a"}', {
        'content-encoding': coding,
      });
      assert.equal(status, 200, coding);
    }
  });

  test('chunks may have extensions, and trailers are ignored', async () => {
    const head =
      'POST /probe/things HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
      'transfer-encoding: chunked\r\n\r\n';
    const statusOf = async (rest: string) =>
      splitAnswers(await sendBytes(server.port, head + rest, 1))[0]!.status;
    const plain = await statusOf('2\r\n{}\r\n0\r\n\r\n');
    assert.equal(await statusOf('2;a=b;c="d"\r\n{}\r\n0\r\n\r\n'), plain);
    assert.equal(await statusOf('2\r\n{}\r\n0\r\nSVC-API-KEY: x\r\nx-a: b\r\n\r\n'), plain);
    assert.equal(await statusOf(`2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`), 400);
    assert.equal(await statusOf(`2\r\n{}\r\n0\r\n${'x-a: b\r\n'.repeat(5000)}\r\n`), 431);
    for (const size of ['-2', '0x2', 'FFFFFFFFFFFFFFFFF', ' 2'])
      assert.equal(await statusOf(`${size}\r\n{}\r\n0\r\n\r\n`), 400, size);
  });

  test('JSON is declared in every usual way', async () => {
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
    ]) {
      const reply = await alice.send('POST', '/probe/things', '{"text":"a"}', { 'content-type': type });
      assert.equal(reply.status, 200, `${type}: ${reply.text}`);
    }
  });

  test('no body needs no content type, and a content type needs no body', async () => {
    const json = { 'content-type': 'application/json' };
    assert.equal((await alice.send('GET', '/probe/things/1', undefined, json)).status, 200);
    assert.equal((await alice.send('DELETE', '/probe/things/1', undefined, json)).status, 200);
    assert.equal((await alice.send('POST', '/probe/empty', undefined, json)).status, 200);
    assert.equal((await alice.send('POST', '/probe/empty', undefined)).status, 200);
    assert.equal((await alice.send('POST', '/probe/empty', '{}')).status, 200);
    refused(await alice.send('POST', '/probe/things', undefined, json), 400, '400100', /body is missing/);
  });

  test('a body over the limit is 413000, declared or not, and the connection lives on', async () => {
    refused(
      await alice.send('POST', '/probe/things', `{"text":"${'x'.repeat(65_536)}"}`),
      413,
      '413000',
      /65536/,
    );
    const chunk = `ffff\r\n${'x'.repeat(65_535)}\r\n`;
    const head =
      'POST /probe/things HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
    const next = 'GET /probe/public HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const answers = splitAnswers(await sendBytes(server.port, `${head}${chunk}${chunk}0\r\n\r\n${next}`, 2));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [413, 200],
    );
  });

  test('a body in many pieces is read completely, and so is the request after it', async () => {
    const body = JSON.stringify({ text: 'in pieces', more: 'x'.repeat(500) });
    const signed = Object.entries(sign(credentials('alice'), 'POST', '/probe/things', body));
    const head = [
      'POST /probe/things HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      'transfer-encoding: chunked',
      ...signed.map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n');
    const pieces = [...body].map((character) => `1\r\n${character}\r\n`).join('');
    const next = 'GET /probe/public HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const answers = splitAnswers(await sendBytes(server.port, `${head}\r\n\r\n${pieces}0\r\n\r\n${next}`, 2));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.match(answers[0].body, /in pieces/);
  });

  test('a body that is declared only by its type, or that no route reads, does not block the next request', async () => {
    const next = 'GET /probe/public HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const typed = 'host: localhost\r\ncontent-type: application/json\r\n';
    const asked: [request: string, status: number][] = [
      [`POST /nope HTTP/1.1\r\n${typed}\r\n`, 404],
      [`PUT /probe/things HTTP/1.1\r\n${typed}\r\n`, 405],
      [`DELETE /probe/things/1 HTTP/1.1\r\n${typed}\r\n`, 400],
      [`GET /probe/things/1 HTTP/1.1\r\n${typed}content-length: 200000\r\n\r\n${'x'.repeat(200_000)}`, 413],
      [`GET /probe/public HTTP/1.1\r\n${typed}content-length: 200000\r\n\r\n${'x'.repeat(200_000)}`, 413],
      [`GET /probe/public HTTP/1.1\r\n${typed}content-length: 2\r\n\r\n{}`, 200],
    ];
    for (const [request, status] of asked) {
      const answers = splitAnswers(await sendBytes(server.port, request + next, 2));
      assert.deepEqual(
        answers.map((each) => each.status),
        [status, 200],
        request.slice(0, 30),
      );
    }
  });

  test('a body is part of the signed text, whatever the method', async () => {
    for (const method of ['GET', 'DELETE']) {
      const path = '/probe/things/1';
      const ask = async (signedBody: string): Promise<number> => {
        const signed = Object.entries(sign(credentials('alice'), method, path, signedBody));
        const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json'];
        const head = [...lines, 'content-length: 2', ...signed.map((pair) => pair.join(': '))].join('\r\n');
        return splitAnswers(await sendBytes(server.port, `${head}\r\n\r\n{}`, 1))[0].status;
      };
      assert.deepEqual([await ask('{}'), await ask('')], [200, 401], method);
    }
  });

  test('a body just within the limit is read', async () => {
    const body = JSON.stringify({ text: 'a', more: 'x'.repeat(65_536 - 22) });
    assert.equal(Buffer.byteLength(body), 65_536);
    assert.equal((await alice.send('POST', '/probe/things', body)).status, 200);
  });

  const wrongBodies: [what: string, body: string | Buffer][] = [
    ['a member twice', '{"text":"a","text":"b"}'],
    ['a member twice, spelt differently', '{"text":"a","te\\u0078t":"b"}'],
    ['a member twice, inside', '{"text":"a","list":[{"price":"1","price":"2"}]}'],
    ['__proto__', '{"text":"a","__proto__":{"size":"1"}}'],
    ['__proto__, spelt differently', '{"text":"a","\\u005f_proto__":1}'],
    ['deep nesting', `{"text":"a","more":${'['.repeat(60_000)}`],
    ['deep but closed nesting', `{"text":"a","more":${'['.repeat(9)}${']'.repeat(9)}}`],
    ['something behind the end', '{"text":"a"}}'],
    ['a comma too many', '{"text":"a",}'],
    ['an array', '[{"text":"a"}]'],
    ['a string', '"text"'],
    ['null', 'null'],
    ['nothing but blanks', '  '],
    ['a byte order mark', '\ufeff{"text":"a"}'],
    ['half a surrogate pair', '{"text":"\\ud800"}'],
    ['half a surrogate pair in a name', '{"text":"a","\\udc00":1}'],
    [
      'bytes that are not UTF-8',
      Buffer.from([...Buffer.from('{"text":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
    ],
    ['a raw line break in a string', '{"text":"a\nb"}'],
    ['a number as text', '{"text":1}'],
    ['a long text', `{"text":"${'x'.repeat(41)}"}`],
    ['a word that is none', '{"text":"a","side":"hold"}'],
    ['a missing member', '{}'],
  ];
  for (const [what, body] of wrongBodies) {
    test(`a body with ${what} gets 400100 with an error message`, async () => {
      const reply = await alice.sendBytes('POST', '/probe/things', Buffer.from(body));
      refused(reply, 400, '400100', /^Parameter Error: .{10,}/);
      assert.equal(reply.json['success'], false);
    });
  }
});
