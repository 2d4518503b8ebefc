/** The operator's document: every call is in it, and its examples set up an empty venue. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorExamples } from '../../../api/src/gateway/operator/openapi.ts';
import { OPERATOR_ROUTES } from '../../../api/src/gateway/operator/plugin.ts';
import { fits, type JsonSchema } from '../../../api/src/gateway/schema.ts';
import { type Credentials, sign } from '@bourse/test-kit/server.ts';
import { Operator, openFor } from './exchange.ts';

type Json = Record<string, string>;

interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Record<string, { schema: JsonSchema; examples: Record<string, { value: object }> }>;
  };
}

const VENUE = {
  flags: { venue: true },
  env: {
    BOURSE_SECRET_KEY: 'ab'.repeat(32),
    BOURSE_OPERATOR_TOKEN: 'a token of this venue, long enough'.replaceAll(' ', '-'),
  },
};

test('every call is in the OpenAPI document, with an example body that matches its schema', async (context) => {
  const operator = new Operator(await openFor(context, VENUE));
  const { status, body } = await operator.get('/openapi.json');
  assert.equal(status, 200);
  const { openapi, paths } = body as { openapi: string; paths: Record<string, Record<string, Operation>> };
  assert.equal(openapi, '3.1.0');
  for (const { id, method, path } of OPERATOR_ROUTES) {
    const found = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    assert.equal(found?.operationId, id);
    if (method !== 'POST') continue;
    const { schema, examples } = found!.requestBody!.content['application/json']!;
    const values = Object.values(examples);
    assert.ok(values.length > 0, `${id} has an example`);
    for (const { value } of values) assert.ok(fits(schema, value), `${id}: ${JSON.stringify(value)}`);
  }
  assert.equal(Object.values(paths).flatMap(Object.values).length, OPERATOR_ROUTES.length);
});

test('the OpenAPI document needs a token that can read the operator API', async (context) => {
  const running = await openFor(context, {
    ...VENUE,
    env: { ...VENUE.env, BOURSE_OPERATOR_READ_TOKEN: 'this-one-may-only-read-here' },
  });
  const reader = new Operator(running, { authorization: 'Bearer this-one-may-only-read-here' });
  assert.equal((await reader.get('/openapi.json')).status, 200);
  assert.equal((await new Operator(running, { authorization: '' }).get('/openapi.json')).status, 401);
});

test('the examples, sent in sequence, set up an empty venue', { timeout: 120_000 }, async (context) => {
  const running = await openFor(context, VENUE);
  const operator = new Operator(running);
  const done = async (path: string, body: object): Promise<Json> => {
    const reply = await operator.post(path, body);
    assert.ok(reply.status < 300, `${path} ${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`);
    return reply.body as Json;
  };
  const ids = new Map<string, string>();
  /** Only a customer can create these: a submitted questionnaire, a withdrawal. */
  const asCustomer = async (): Promise<void> => {
    const made = await done('/v1/users/dave/keys', { permissions: ['General', 'Withdrawal'] });
    const call = async (path: string, body: object): Promise<Json> => {
      const text = JSON.stringify(body);
      const response = await fetch(running.connection.baseUrl + path, {
        method: 'POST',
        headers: {
          ...sign(made as unknown as Credentials, 'POST', path, text),
          'content-type': 'application/json',
        },
        body: text,
      });
      const { data, ...rest } = (await response.json()) as { data: Json };
      assert.ok(data, JSON.stringify(rest));
      return data;
    };
    const waiting = { userId: 'dave', currency: 'ACME', amount: '5', txId: 'another', travelRule: true };
    const { travelRuleOId } = await done('/v1/deposits', waiting);
    const info = {
      firstName: 'Dave',
      lastName: 'Doe',
      identityType: 'PASSPORT',
      identityNo: 'P1',
      reasonOfTransfer: 'savings',
      wallet: 'personal',
    };
    const questionnaire = { travelRuleOId, type: 'individual', complianceInfo: JSON.stringify(info) };
    const { orderId } = await call('/api/v1/deposit/compliance/info', questionnaire);
    ids.set('QUESTIONNAIRE_ID', orderId!);
    const withdrawal = { currency: 'ACME', amount: '2', chain: 'acme', address: `0x${'ab'.repeat(20)}` };
    const { withdrawalId } = await call('/api/v1/withdrawals', withdrawal);
    ids.set('WITHDRAWAL_ID', withdrawalId!);
  };
  const fill = (path: string): string =>
    path.replaceAll(/\b[A-Z]+(_[A-Z]+)+\b/g, (place) => {
      const id = ids.get(place);
      assert.ok(id, `${place} is made by an example before`);
      return id;
    });

  // Excluded: a closed root or customer could not continue; there are no proposals, no refused deposit, no file with
  // another secret, and no pending entry to assign.
  const left = ['close-root', 'close-user', 'return-deposit', 'rotate-secret'];
  const alone = OPERATOR_ROUTES.filter(
    ({ id, path }) => !/^\/v1\/(cluster|proposals\/)|\/(assign|release)$/.test(path) && !left.includes(id),
  );
  const changes = alone.filter(({ method }) => method === 'POST');
  for (const route of changes) {
    for (const { path, body = {} } of operatorExamples(route)) {
      const answer = await done(fill(path), body);
      // The example before the settlement gives the claim back.
      if (route.id === 'unclaim-withdrawal') await done(fill(path.replace('unclaim', 'claim')), body);
      // There must be another admin when this one is demoted.
      if (route.id === 'add-operator') {
        ids.set('OPERATOR_ID', answer['id']!);
        await done(path, { ...body, name: 'bob' });
      }
      if (route.id === 'correct') ids.set('CORRECTION_ID', answer['correctionId']!);
      if (route.id === 'add-key') ids.set('API_KEY', answer['apiKey']!);
      if (route.id === 'report-deposit') {
        ids.set('DEPOSIT_ID', answer['depositId']!);
        await asCustomer();
      }
    }
  }
  for (const route of alone.filter(({ method }) => method === 'GET')) {
    for (const { path } of operatorExamples(route)) {
      const reply = await operator.get(fill(path));
      assert.equal(reply.status, 200, `${path}: ${JSON.stringify(reply.body)}`);
    }
  }
  const { status, body } = await operator.get('/v1/cluster');
  assert.deepEqual([status, (body as Json)['code']], [404, 'no-cluster']);
  const symbols = (await operator.get('/v1/symbols')).body as Json[];
  assert.deepEqual(
    symbols.map(({ symbol, state, minFunds }) => [symbol, state, minFunds]),
    [['ACME-EUR', 'open', '5']],
  );
});
