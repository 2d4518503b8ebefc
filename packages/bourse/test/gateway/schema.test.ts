/** Our check of JSON schemas against TypeBox's own, over every schema that there is and values near its edges. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Check } from 'typebox/schema';
import { SETTINGS } from '../../src/config/settings.ts';
import { OPERATOR_ROUTES } from '../../../api/src/gateway/operator/plugin.ts';
import { allRoutes } from '../../../api/src/gateway/routes/all.ts';
import { findProblem, fits, type JsonSchema, Type } from '../../../api/src/gateway/schema.ts';
import type { Services } from '../../../api/src/gateway/services.ts';
import { Random } from '@bourse/test-kit/random.ts';

/** Keywords that are validated, and those that only describe. */
const CHECKED = [
  'type',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
];
const DESCRIBING = [
  'description',
  'default',
  'unit',
  'group',
  'secret',
  'expects',
  'enum',
  'contentMediaType',
  'contentSchema',
];

/** TypeBox would validate the words that `wordOf` lists for readers. */
const withoutWords = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (name, value) => (name === 'enum' ? undefined : value))) as JsonSchema;

const SCHEMAS: [string, JsonSchema][] = [
  ...[...allRoutes({} as Services), ...OPERATOR_ROUTES].flatMap((route): [string, JsonSchema][] =>
    (['params', 'query', 'body', 'answer'] as const).flatMap((part): [string, JsonSchema][] => {
      const schema = (route as { [name in typeof part]?: unknown })[part] as JsonSchema | undefined;
      return schema ? [[`${route.id} ${part}`, schema]] : [];
    }),
  ),
  ['settings', SETTINGS as unknown as JsonSchema],
];

function* parts(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  const { properties = {}, anyOf = [], items, additionalProperties: more } = schema;
  for (const each of [...Object.values(properties), ...anyOf]) yield* parts(each);
  if (items) yield* parts(items);
  if (typeof more === 'object') yield* parts(more);
}

/** Something that fits, or nearly. */
function valueFor(schema: JsonSchema, random: Random): unknown {
  if (random.chance(0.05))
    return random.pick([null, 1, 1.5, -1, '', 'x', true, [], {}, '12', 'undefined', '🙂']);
  if (schema.anyOf) return valueFor(random.pick(schema.anyOf), random);
  if ('const' in schema) return schema.const;
  const { minimum = 0, maximum = 100, minLength = 0, maxLength = 8, minItems = 0, maxItems = 3 } = schema;
  const about = (least: number, most: number) => Math.max(0, least - 1 + random.below(most - least + 3));
  switch (schema.type) {
    case 'string':
      return random.pick(['a', '1', '🙂', '0.', 'Z']).repeat(Math.min(about(minLength, maxLength), 500));
    case 'integer':
    case 'number':
      return (
        minimum - 1 + random.below(Math.min(maximum - minimum, 1e6) + 3) + (random.chance(0.05) ? 0.5 : 0)
      );
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Math.min(about(minItems, Math.min(maxItems, 30)), 31) }, () =>
        valueFor(schema.items ?? {}, random),
      );
    case 'object': {
      const { properties = {}, additionalProperties: more } = schema;
      const entries = Object.entries(properties).filter(() => random.chance(0.97));
      const extra = random.chance(0.1) || typeof more === 'object' ? [['extra', more ?? true] as const] : [];
      return Object.fromEntries(
        [...entries, ...extra].map(([name, each]) => [
          name,
          valueFor(typeof each === 'object' ? each : {}, random),
        ]),
      );
    }
    default:
      return random.pick(['a', 1, null]);
  }
}

describe('schemas', () => {
  test('use only keywords that the validator checks', () => {
    const used = new Set(SCHEMAS.flatMap(([, schema]) => [...parts(schema)].flatMap(Object.keys)));
    assert.deepEqual(
      [...used].filter((word) => ![...CHECKED, ...DESCRIBING].includes(word)),
      [],
    );
  });

  const SEED = 4_411;
  const ROUNDS = 60;
  test(`accept and reject the same values as TypeBox: seed ${SEED}`, () => {
    const random = new Random(SEED);
    const seen = { right: 0, wrong: 0 };
    for (const [name, schema] of SCHEMAS) {
      const plain = withoutWords(schema);
      for (let round = 0; round < ROUNDS; round++) {
        const value = valueFor(schema, random);
        const isRight = Check(plain, value);
        assert.equal(fits(schema, value), isRight, `${name}: ${JSON.stringify(value)}`);
        seen[isRight ? 'right' : 'wrong']++;
      }
    }
    assert.ok(seen.right > 1000 && seen.wrong > 1000, JSON.stringify(seen));
  });

  test('report the path of the first invalid value, and what is valid', () => {
    const order = Type.Object({ size: Type.String({ minLength: 1 }), tag: Type.Optional(Type.Integer()) });
    const schema = Type.Object({ list: Type.Array(order, { maxItems: 3 }) }) as JsonSchema;
    const said = (value: unknown) => {
      const { path, missing, expected } = findProblem(schema, value)!;
      return [path.join('/'), missing?.join(',') ?? expected];
    };
    assert.deepEqual(said({}), ['', 'list']);
    assert.deepEqual(said({ list: {} }), ['list', 'must be an array']);
    assert.deepEqual(said({ list: [{ size: '1' }, { tag: 1 }] }), ['list/1', 'size']);
    assert.deepEqual(said({ list: [{ size: '' }] }), ['list/0/size', 'must not be empty']);
    assert.deepEqual(said({ list: [{ size: '1', tag: 1.5 }] }), ['list/0/tag', 'must be an integer']);
  });
});

test('explain the alternative of a union that has the type of the value; otherwise name the types', () => {
  const says = (schema: JsonSchema, value: unknown) => findProblem(schema, value)?.expected;
  const from = Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 0 })]) as JsonSchema;
  assert.equal(says(from, -1), 'must be at least 0');
  assert.equal(says(from, ''), 'must not be empty');
  assert.equal(says(from, true), 'must be a string or an integer');
  assert.equal(says(from, 1.5), 'must be a string or an integer');
  assert.equal(says(Type.Union([Type.String(), Type.Null()]) as JsonSchema, 5), 'must be a string or null');
});
