// OpenAPI against the interface document: what it requires, the values it lists, and the form of the questionnaire.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIALECTS } from '../../src/gateway/route.ts';
import { openApi } from '../../src/gateway/docs/openapi.ts';
import { checkComplianceInfo, type SenderType } from '../../src/gateway/money/travel-rule.ts';
import { allRoutes } from '../../src/gateway/routes/all.ts';
import type { JsonSchema } from '../../src/gateway/schema.ts';
import type { Services } from '../../src/gateway/services.ts';
import { DEFAULT_QUOTAS } from '../../src/gateway/access/throttle.ts';

interface Content {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, { readonly value: Readonly<Record<string, string>> }>>;
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Content>> }>>;
}

const { paths } = JSON.parse(
  JSON.stringify(
    openApi({
      routes: allRoutes({} as Services),
      dialects: DIALECTS,
      quotas: DEFAULT_QUOTAS,
      skewMsMax: 5000,
    }),
  ),
) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const JSON_TYPE = 'application/json';
const operation = (request: string): Operation => {
  const [method, path] = request.split(' ') as [string, string];
  return paths[path]![method.toLowerCase()]!;
};
const bodyOf = (request: string): Content => operation(request).requestBody!.content[JSON_TYPE]!;

/** Members of a schema, inside any envelope or list. */
function membersOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  if (schema.items) return membersOf(schema.items);
  if (schema.anyOf) return Object.assign({}, ...schema.anyOf.map(membersOf));
  const { properties = {} } = schema;
  return properties['data'] ? membersOf(properties['data']) : properties;
}
const answerOf = (request: string) =>
  membersOf(operation(request).responses['200']!.content[JSON_TYPE]!.schema);

/** All values a schema lists, in any of the ways JSON Schema has for it. */
function valuesOf({ enum: words, const: word, anyOf = [] }: JsonSchema): unknown[] {
  return [...(words ?? []), ...(word === undefined ? [] : [word]), ...anyOf.flatMap(valuesOf)];
}

test('entries of a batch require what the document requires', () => {
  for (const path of ['/api/v1/hf/orders/multi', '/api/v1/hf/orders/multi/sync']) {
    const entry = bodyOf(`POST ${path}`).schema.properties!['orderList']!.items!;
    assert.deepEqual(entry.required!.toSorted(), ['price', 'side', 'size', 'symbol', 'type'], path);
  }
  const single = bodyOf('POST /api/v1/hf/orders').schema;
  assert.deepEqual(single.required!.toSorted(), ['side', 'symbol', 'type']);
});

const SIDES = ['buy', 'sell'];
const TYPES = ['limit', 'market'];
const TIMES = ['GTC', 'GTT', 'IOC', 'FOK'];
const MODES = ['CN', 'CO', 'CB', 'DC', ''];

test('every enumeration in the OpenAPI document lists its values', () => {
  const order = bodyOf('POST /api/v1/hf/orders').schema.properties!;
  const listed = bodyOf('POST /api/v1/hf/orders/multi').schema.properties!['orderList']!.items!.properties!;
  const detail = answerOf('GET /api/v1/hf/orders/{orderId}');
  const transfer = bodyOf('POST /api/v3/accounts/universal-transfer').schema.properties!;
  const questionnaire = bodyOf('POST /api/v1/deposit/compliance/info').schema.properties!;
  const [accountType] = operation('GET /api/v1/accounts/transferable').parameters.filter(
    ({ name }) => name === 'type',
  );
  const rows: [JsonSchema | undefined, readonly string[]][] = [
    ...[order, listed].flatMap((each): [JsonSchema | undefined, readonly string[]][] => [
      [each['type'], TYPES],
      [each['side'], SIDES],
      [each['stp'], MODES],
      [each['timeInForce'], TIMES],
    ]),
    [detail['type'], TYPES],
    [detail['side'], SIDES],
    [detail['stp'], MODES],
    [detail['timeInForce'], TIMES],
    [detail['opType'], ['DEAL']],
    [detail['tradeType'], ['TRADE']],
    [answerOf('POST /api/v1/hf/orders/sync')['status'], ['open', 'done']],
    [answerOf('DELETE /api/v1/hf/orders/sync/{orderId}')['status'], ['open', 'done']],
    [answerOf('GET /api/v1/market/histories')['side'], SIDES],
    [accountType!.schema, ['MAIN', 'TRADE']],
    [transfer['type'], ['INTERNAL', 'PARENT_TO_SUB', 'SUB_TO_PARENT']],
    [transfer['fromAccountType'], ['MAIN', 'TRADE']],
    [transfer['toAccountType'], ['MAIN', 'TRADE']],
    [questionnaire['type'], ['individual', 'company']],
    [answerOf('POST /api/v1/deposit/compliance/info')['status'], ['pending', 'success', 'fail']],
  ];
  rows.forEach(([schema, values], at) => {
    assert.ok(schema, `row ${at}`);
    assert.deepEqual(valuesOf(schema).toSorted(), values.toSorted(), `row ${at}: ${values.join()}`);
  });
});

test('the questionnaire shows its nine fields, and an example of either sender that is accepted', () => {
  const { schema, examples } = bodyOf('POST /api/v1/deposit/compliance/info');
  const info = schema.properties!['complianceInfo'] as JsonSchema & { readonly contentSchema: JsonSchema };
  assert.deepEqual(Object.keys(info.contentSchema.properties!), [
    'companyName',
    'tin',
    'firstName',
    'lastName',
    'identityType',
    'identityNo',
    'country',
    'reasonOfTransfer',
    'wallet',
  ]);
  assert.deepEqual(info.contentSchema.required, ['reasonOfTransfer', 'wallet']);
  const senders = Object.values(examples).map(({ value }) => value['type']);
  assert.deepEqual(senders, ['individual', 'company']);
  for (const { value } of Object.values(examples)) {
    checkComplianceInfo(value['type'] as SenderType, value['complianceInfo']!);
  }
});

test('the description of clientOid says how long it stays reserved', () => {
  const { clientOid } = bodyOf('POST /api/v1/hf/orders').schema.properties!;
  assert.match(clientOid!.description!, /72 hours/);
});
