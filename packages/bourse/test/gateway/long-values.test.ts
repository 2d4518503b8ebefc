/** An error shows only the beginning of a wrong value, so a response does not grow with the request. */

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { DIALECTS, type Row } from '../../../api/src/gateway/route.ts';
import { operatorExamples } from '../../../api/src/gateway/operator/openapi.ts';
import { OPERATOR_ROUTES } from '../../../api/src/gateway/operator/plugin.ts';
import { allRoutes } from '../../../api/src/gateway/routes/all.ts';
import type { Services } from '../../../api/src/gateway/services.ts';
import { CONTROL_ROUTES } from '../../../sandbox/src/control/plugin.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { controlOf, sandboxFor, type TestSandbox } from '../sandbox/exchange.ts';
import { placesOf } from '@bourse/test-kit/gateway/request-places.ts';

const LENGTH = 600;
/** More than any error message repeats of one value, and less than was sent. */
const REPEATED_MAX = 80;
const LETTERS = ['x', '9', 'A-', 'x y', 'x,'].map((part) => part.repeat(LENGTH / part.length));
const FRACTION = `0.${'1'.repeat(LENGTH)}`;
const WORDS = ofSize([LETTERS[0], LETTERS[4], FRACTION], [...LETTERS, FRACTION]);

/** Responses that repeat too much of a value. */
class Complaints {
  readonly found = new Set<string>();
  answers = 0;

  check(status: number, text: string, word: string, where: string): void {
    this.answers++;
    if (status >= 500) this.found.add(`${where}: ${status}`);
    const plain = decodeURIComponent(text.replaceAll(/%(?![0-9A-F]{2})/g, '%25'));
    for (let from = 0; from < 4; from++)
      if (plain.includes(word.slice(from, from + REPEATED_MAX)))
        this.found.add(`${where}: ${text.slice(0, 2 * REPEATED_MAX)}`);
  }

  assertNone(answersMin: number): void {
    assert.deepEqual([...this.found], []);
    assert.ok(this.answers >= answersMin, `only ${this.answers} answers`);
  }
}

const MANY = '1000000';
const open = (context: TestContext): Promise<TestSandbox> =>
  sandboxFor(context, {
    clock: 'real',
    quotas: `{"spot":${MANY},"manage":${MANY},"public":${MANY}}`,
    servicePoolWeight: MANY,
    operatorPoolWeight: MANY,
    questionnairesPerSecondMax: '1000',
    refusalsPerAddressMax: MANY,
  });

test('of the interface, in every place of every route', async (t) => {
  const { running } = await open(t);
  const complaints = new Complaints();
  for (const route of allRoutes({} as Services)) {
    for (const { name } of DIALECTS.filter((each) => route.dialects?.includes(each.name) ?? true)) {
      const client = new Client(running.connection.baseUrl, 'alice', name);
      for (const { what, with: filled } of placesOf(route)) {
        const asking = WORDS.map(async (word) => {
          const { path, body } = filled(what.startsWith(':') ? encodeURIComponent(word) : word);
          const { status, text } = await client.send(route.method, path, body || undefined);
          complaints.check(status, text, word, `${route.id} (${name}) ${what}`);
        });
        await Promise.all(asking);
      }
    }
  }
  complaints.assertNone(1000);
});

/** Each part of the path, each parameter and each member, and one with an unknown name. */
function* wrongRequests(
  { path, query, body }: Pick<Row, 'path' | 'query' | 'body'>,
  example: { readonly path: string; readonly body?: object },
  word: string,
): Generator<{ readonly path: string; readonly body?: object }> {
  const encoded = encodeURIComponent(word);
  const [plain] = example.path.split('?') as [string];
  const parts = path.split('/');
  for (const [at, part] of parts.entries())
    if (part.startsWith(':')) yield { ...example, path: plain.split('/').with(at, encoded).join('/') };
  for (const name of [...Object.keys(query?.properties ?? {}), encoded])
    yield { ...example, path: `${plain}?${name}=${encoded}` };
  if (body === undefined) return;
  for (const name of [...Object.keys(body.properties), word])
    for (const value of [word, [word], { [word]: word }])
      yield { ...example, body: { ...example.body, [name]: value } };
}

for (const [name, routes] of [
  ['operator', OPERATOR_ROUTES],
  ['sandbox', CONTROL_ROUTES],
] as const)
  test(`of the ${name} interface`, async (t) => {
    const { running } = await open(t);
    const { operatorUrl, sandboxUrl, operatorToken } = running.connection;
    const ask = controlOf(name === 'operator' ? operatorUrl : sandboxUrl!, operatorToken);
    const complaints = new Complaints();
    for (const route of routes) {
      if (route.id === 'tail-requests') continue;
      const [example = { path: route.path, ...(route.body && { body: {} }) }] =
        name === 'operator' ? operatorExamples(route as (typeof OPERATOR_ROUTES)[number]) : [];
      for (const word of WORDS)
        for (const { path, body } of wrongRequests(route, example, word)) {
          const { status, body: answer } = await ask(route.method, path, body);
          if (status < 400) continue;
          complaints.check(status, JSON.stringify(answer), word, `${route.method} ${route.path}`);
        }
    }
    complaints.assertNone(150);
  });
