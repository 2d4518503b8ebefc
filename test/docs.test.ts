import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { inLongRunOnly } from '@bourse/test-kit/run-size.ts';
import { tablePages } from '../scripts/docs.mjs';
import { hasTools } from '../scripts/recorded/commands.mjs';
import { ENDPOINTS } from '../scripts/recorded/endpoints.mjs';
import { PEOPLE_RULES, PEOPLE_TESTS } from '../scripts/people-calls.mjs';
import { VENUE_RULES, VENUE_TESTS } from '../scripts/venue-calls.mjs';
import { listFiles, root } from '../scripts/tree.mjs';
import { OPERATOR_ROUTES } from '../packages/api/src/gateway/operator/plugin.ts';
import { IDENTITY_ROUTES } from '../packages/api/src/identity/plugin.ts';
import { allRoutes } from '../packages/api/src/gateway/routes/all.ts';
import type { Services } from '../packages/api/src/gateway/services.ts';
import { EFFECT_SCHEMAS } from '../packages/sandbox/src/faults/fault-rules.ts';

/** In a separate process: ccxt leaves rejections unhandled, and those would end the test. */
async function recordedPages(): Promise<[path: string, text: string][]> {
  const pages = JSON.stringify(new URL('../scripts/recorded/pages.mjs', import.meta.url).href);
  const program = `import(${pages}).then(({ recordedPages }) => recordedPages()).then((made) => console.log(JSON.stringify(made)));`;
  const options = ['--disable-warning=ExperimentalWarning', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, options, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as [string, string][];
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function areUpToDate(made: readonly (readonly string[])[], paths: readonly string[]): void {
  assert.deepEqual(
    made.map(([path]) => path),
    paths,
  );
  const stale = made.filter(([path, text]) => read(path) !== text).map(([path]) => path);
  assert.deepEqual(stale, [], 'run npm run docs');
}

test('the pages generated from tables are as `npm run docs` writes them', () => {
  areUpToDate(tablePages(), [
    'docs/api/errors.md',
    'docs/api/identity-calls.md',
    'docs/api/limits.md',
    'docs/api/permissions.md',
    'docs/operating/roles.md',
    'docs/operating/venue-calls.md',
  ]);
});

test('the pages recorded from a sandbox are as `npm run docs` writes them', {
  skip: hasTools() ? inLongRunOnly : 'the commands of the documentation need bash, curl and openssl',
}, async () => {
  areUpToDate(await recordedPages(), [
    'docs/api/endpoints.md',
    'docs/api/mistakes.md',
    'packages/api/src/gateway/docs/answers.json',
    'docs/operating/sandbox-calls.md',
    'docs/operating/faults.md',
    'docs/operating/people-day.md',
  ]);
});

test('the page of faults has every effect', () => {
  const page = read('docs/operating/faults.md');
  const shown = new Set(Array.from(page.matchAll(/^\| `\{"kind":"([\w-]+)"/gm), ([, kind]) => kind!));
  assert.deepEqual(
    [...shown].toSorted(),
    Object.keys(EFFECT_SCHEMAS).toSorted(),
    'see scripts/recorded/faults.mjs',
  );
});

const titlesIn = (path: string): string[] =>
  Array.from(read(path).matchAll(/^\s*test\(\s*(['"`])(.*)\1,/gm), ([, , title]) => title!);

interface Held {
  readonly path: string;
  readonly title: string;
}

const testsOf = (rules: readonly (readonly string[])[]): Held[] =>
  rules.map(([, path = '', title = '']) => ({ path, title }));

function areThere(tests: readonly Held[]): void {
  for (const { path, title } of tests)
    assert.ok(titlesIn(path).includes(title), `no test '${title}' in ${path}`);
}

test('every call of people, operators and proposals has a test that exists', () => {
  const ofOffice = /^\/v1\/(operators|root|policy|proposals|invitations|caller)\b/;
  const office = OPERATOR_ROUTES.filter(({ path }) => ofOffice.test(path));
  const calls = [...IDENTITY_ROUTES, ...office].map(({ id }) => id);
  assert.deepEqual(calls.toSorted(), [...PEOPLE_TESTS.keys()].toSorted());
  areThere([...PEOPLE_TESTS.values(), ...testsOf(PEOPLE_RULES)]);
});

test('every call about money, users, markets and trust has a test that exists', () => {
  const elsewhere = /^\/v1\/(status|figures|reload|clock|cluster)\b|openapi/;
  const calls = OPERATOR_ROUTES.filter(({ id, path }) => !PEOPLE_TESTS.has(id) && !elsewhere.test(path));
  assert.deepEqual(calls.map(({ id }) => id).toSorted(), [...VENUE_TESTS.keys()].toSorted());
  areThere([...VENUE_TESTS.values(), ...testsOf(VENUE_RULES)]);
});

/** The document's list of endpoints, independent of the code. */
const DOCUMENT = [
  'POST /api/v1/hf/orders',
  'POST /api/v1/hf/orders/sync',
  'POST /api/v1/hf/orders/multi',
  'POST /api/v1/hf/orders/multi/sync',
  'GET /api/v1/hf/orders/{orderId}',
  'GET /api/v1/hf/orders/client-order/{clientOid}',
  'DELETE /api/v1/hf/orders/{orderId}',
  'DELETE /api/v1/hf/orders/client-order/{clientOid}',
  'DELETE /api/v1/hf/orders/sync/{orderId}',
  'DELETE /api/v1/hf/orders/sync/client-order/{clientOid}',
  'GET /api/v3/currencies/{currency}',
  'GET /api/v2/symbols',
  'GET /api/v1/trade-fees',
  'GET /api/v1/market/histories',
  'GET /api/v1/market/orderbook/level1',
  'GET /api/v1/accounts/{accountId}',
  'GET /api/v1/accounts',
  'GET /api/v1/accounts/transferable',
  'POST /api/v3/accounts/universal-transfer',
  'GET /api/v2/deposit-addresses',
  'POST /api/v1/deposit-addresses',
  'POST /api/v1/deposit/compliance/info',
  'GET /kyc/regions/v4',
];

describe('every endpoint of the document', () => {
  const page = read('docs/api/endpoints.md');
  const routes = allRoutes({} as Services);

  test('has a row, and no other row exists', () => {
    const rows = Array.from(
      page.matchAll(/^\| \[[^\]]+\]\(#[\w-]+\) \| `([^`]+)` \|/gm),
      ([, request]) => request,
    );
    assert.deepEqual(rows, DOCUMENT);
  });

  for (const { id, name, test: held } of ENDPOINTS) {
    test(`${name}: its test exists, and it has a request with a response`, () => {
      assert.ok(
        routes.some((route) => route.id === id),
        `no route ${id}`,
      );
      assert.ok(titlesIn(held.path).includes(held.title), `no test '${held.title}' in ${held.path}`);
      const [, section = ''] = page.split(`<a id="${id}"></a>`);
      assert.match(section, /^\n\n### .+\n\n```sh\n[\s\S]+?\n```\n\n```json\n[\s\S]+?\n```\n/);
    });
  }
});

test('no page runs the bare package name with npx: the registry’s package of that name is not ours', () => {
  const texts = listFiles().filter((path) => /\.(md|tsx?|m?js|py|json|service|ya?ml)$/.test(path));
  const wrong = texts.filter(
    (path) => path !== 'test/docs.test.ts' && /npx (-\S+ )*bourse\b/.test(read(path)),
  );
  assert.deepEqual(wrong, []);
});
