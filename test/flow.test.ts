import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DEFAULT_FLOW, type Expected, type FlowOptions, makeFlow, WIDE_FLOW } from '../bench/core/flow.ts';

/** Benchmarks apply these bytes: if they change, earlier figures can no longer be compared. */
const FLOWS: readonly [name: string, options: FlowOptions, sha256: string, expected: Expected][] = [
  [
    'default',
    DEFAULT_FLOW,
    'a0c10541bf54284eb4dd17ea50e28b8ab0af54b21d6e0f603162071865b7b8c6',
    {
      trades: 133_328,
      volume: 1_732_631,
      notional: 173_187_615_945n,
      live: 9818,
      liveLots: 254_598,
      fnv: 520_155_089,
    },
  ],
  [
    'wide',
    WIDE_FLOW,
    'ce6f485ca117941d681ea1d2d7e5d8f98f6c62aa7bc19871c2e2f31fa98e8b62',
    {
      trades: 105_073,
      volume: 1_368_765,
      notional: 136_997_667_033n,
      live: 8431,
      liveLots: 218_686,
      fnv: 355_357_628,
    },
  ],
];

for (const [name, options, sha256, expected] of FLOWS) {
  test(`the ${name} flow has the same bytes and result as in earlier versions`, () => {
    const flow = makeFlow(options);
    assert.equal(createHash('sha256').update(flow.bytes).digest('hex'), sha256);
    assert.deepEqual(flow.expected, expected);
  });
}
