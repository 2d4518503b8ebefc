/**
 * The code of the reference at /docs/reference: for each call, ccxt and our client send the documented request. The
 * first calls of a user run unchanged against the exchange in every language except Python, of which only the syntax is
 * checked.
 */

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { BourseClient } from '@bourse/client';
import { startServer, type TestServer } from '@bourse/test-kit/server.ts';
import ccxt from 'ccxt';

type Code = ReadonlyMap<string, string>;
type Run = (...values: unknown[]) => Promise<unknown>;

interface Sent {
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly body: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly 'x-example'?: { readonly method: string; readonly path: string; readonly body: string };
}

const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Run;
const SILENT = { log: () => {} };

function codeIn(html: string): Code {
  const blocks = html.matchAll(/<pre tabindex="0" data-language="([^"]+)"[^>]*>([^<]*)<\/pre>/g);
  return new Map(Array.from(blocks, ([, language = '', text = '']) => [language, plain(text)] as const));
}

const plain = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number)));

describe('the code of the reference', () => {
  let server: TestServer;
  let setup: Code;
  let calls: ReadonlyMap<string, Code>;
  let operations: readonly Operation[];

  before(async () => {
    server = await startServer();
    const html = await (await fetch(`${server.url}/docs/reference`)).text();
    const page = html.replaceAll('http://127.0.0.1:8080', server.url);
    setup = codeIn(page.split('<section id="setup">')[1]!.split('</section>')[0]!);
    const articles = page.matchAll(/<article class="call" id="([\w-]+)">(.*?)<\/article>/gs);
    calls = new Map(Array.from(articles, ([, id = '', text = '']) => [id, codeIn(text)] as const));
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>;
    };
    operations = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter((each) => each['x-example'] !== undefined);
  });
  after(() => server.close());

  const withoutImport = (code: string): string => code.replace(/^import .*$/m, '');

  /** Members of the example that the request lacks, or that differ. */
  function check(id: string, sent: Sent | undefined, example: Operation['x-example']): void {
    assert.ok(sent !== undefined && example !== undefined, `${id} sent nothing`);
    const [asked, wanted] = [new URL(sent.path, server.url), new URL(example.path, server.url)];
    assert.deepEqual([sent.method, asked.pathname], [example.method, wanted.pathname], id);
    for (const [name, value] of wanted.searchParams) assert.equal(asked.searchParams.get(name), value, id);
    assert.deepEqual(sent.body, example.body === '' ? undefined : JSON.parse(example.body), id);
  }

  test('ccxt sends the documented request', async () => {
    const make = new AsyncFunction(
      'ccxt',
      `${withoutImport(setup.get('ccxt, JavaScript')!)}\nreturn exchange;`,
    );
    const exchange = (await make(ccxt)) as InstanceType<typeof ccxt.kucoin>;
    const balance = (await exchange.fetchBalance()) as unknown as { free: Record<string, number> };
    assert.ok(balance.free['USDT']! > 0, 'what is needed first runs as it stands');
    exchange.enableRateLimit = false;
    for (const { operationId: id, 'x-example': example } of operations) {
      let sent: Sent | undefined;
      exchange.fetch = (url: string, method = 'GET', _headers: unknown, body?: string) => {
        const path = url.replace(`${server.url}/compat`, '');
        sent = { method, path, body: body === undefined || body === '' ? undefined : JSON.parse(body) };
        return Promise.resolve({});
      };
      const run = new AsyncFunction('exchange', 'url', 'console', calls.get(id)!.get('ccxt, JavaScript')!);
      await run(exchange, `${server.url}/compat`, SILENT);
      check(id, sent, example);
    }
  });

  test('our client sends the documented request', async () => {
    const make = new AsyncFunction(
      'BourseClient',
      `${withoutImport(setup.get('@bourse/client')!)}\nreturn client;`,
    );
    const client = (await make(BourseClient)) as BourseClient;
    assert.ok((await client.accounts()).length > 0, 'what is needed first runs as it stands');
    for (const { operationId: id, 'x-example': example } of operations) {
      let sent: Sent | undefined;
      Object.assign(client.http, {
        call: (
          method: string,
          path: string,
          asked: { query?: Record<string, string>; body?: unknown } = {},
        ) => {
          const query = new URLSearchParams(asked.query).toString();
          sent = { method, path: query === '' ? path : `${path}?${query}`, body: asked.body };
          return Promise.resolve({});
        },
      });
      await new AsyncFunction('client', 'console', calls.get(id)!.get('@bourse/client')!)(client, SILENT);
      check(id, sent, example);
    }
  });

  test('curl sends signed and public requests', async () => {
    const script = ['place-order', 'list-accounts', 'get-ticker']
      .map((id) => `${calls.get(id)!.get('curl')!}; echo`)
      .join('\n');
    const { stdout } = await promisify(execFile)('sh', ['-c', `${setup.get('curl')!}\n${script}`], {
      timeout: 60_000,
    });
    const [placed, accounts, ticker] = stdout.trim().split('\n');
    assert.match(placed!, /"orderId":"\w+"/);
    assert.match(accounts!, /"code":"200000","data":\[\{/);
    assert.match(ticker!, /"bestBid":"30000"/);
  });

  test('Python reads the Python', {
    skip: spawnSync('python3', ['--version']).status !== 0 && 'there is no python3',
  }, () => {
    const texts = [...calls.values()].flatMap((code) => code.get('ccxt, Python') ?? []);
    assert.equal(texts.length, operations.length);
    const input = JSON.stringify([setup.get('ccxt, Python')!, ...texts]);
    const program = 'import ast, json, sys; [ast.parse(text) for text in json.load(sys.stdin)]';
    const { status, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
});
