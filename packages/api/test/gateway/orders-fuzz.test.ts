import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Call, DIALECTS } from '../../src/gateway/route.ts';
import { parseBody } from '../../src/gateway/members.ts';
import { Refusal } from '../../src/gateway/errors/refusal.ts';
import { Raw, settled } from '../../src/gateway/result.ts';
import { batchRoutes, placeRoutes } from '../../src/gateway/routes/orders/place.ts';
import { cancelRoutes } from '../../src/gateway/routes/orders/changes.ts';
import { lookupRoutes } from '../../src/gateway/routes/orders/lookup.ts';
import { trading } from '@bourse/test-kit/gateway/trading.ts';

const REQUESTS = 6000;
const SEED = Number(process.env['FUZZ_SEED'] ?? 7);

const MEMBERS = [
  'symbol',
  'type',
  'side',
  'price',
  'size',
  'funds',
  'stp',
  'timeInForce',
  'cancelAfter',
  'postOnly',
];
MEMBERS.push(
  'hidden',
  'iceberg',
  'visibleSize',
  'clientOid',
  'tags',
  'remark',
  'toString',
  'constructor',
  'x',
);

/** JSON texts: right, nearly right and wrong. */
const VALUES = [
  '"BTC-USDT"',
  '"ETH-BTC"',
  '"NO"',
  '"limit"',
  '"market"',
  '"buy"',
  '"sell"',
  '"CN"',
  '"DC"',
  '"GTT"',
];
VALUES.push(
  '"IOC"',
  '"FOK"',
  '"20000"',
  '"20000.05"',
  '"0.1"',
  '"1"',
  '"0"',
  '"0.00000001"',
  '"1e5"',
  '"-1"',
  '""',
  '60',
);
VALUES.push(
  '-1',
  '0',
  '1.5',
  '1e400',
  '-0',
  '0.1',
  '20000',
  '12345678901234567890123',
  'true',
  'false',
  'null',
  '[]',
  '{}',
);
VALUES.push(
  '[[]]',
  '"\\u0000"',
  '"é"',
  '"x y"',
  '"__proto__"',
  `"${'9'.repeat(40)}"`,
  `"${'9'.repeat(41)}"`,
  '9'.repeat(50),
);

const GOOD: Readonly<Record<string, readonly string[]>> = {
  symbol: ['"BTC-USDT"'],
  type: ['"limit"', '"limit"', '"market"'],
  side: ['"buy"', '"sell"'],
  price: ['"20000"', '"20000.1"', '"19999.9"'],
  size: ['"0.1"', '"0.01"', '"1"'],
  stp: ['"CN"', '"CO"', '"CB"'],
  timeInForce: ['"GTC"', '"IOC"', '"FOK"'],
};

/** A multiplier that is its own sequence: the same seed gives the same requests. */
function randomFrom(seed: number): (end: number) => number {
  let state = seed >>> 0;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

test(
  `every order body is either accepted or rejected (seed ${SEED})`,
  trading(async (t) => {
    const below = randomFrom(SEED);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)];
    const order = (): string => {
      const members = new Map<string, string>();
      for (const [name, values] of Object.entries(GOOD)) if (below(20)) members.set(name, pick(values));
      for (let i = below(4); i > 0; i--) members.set(pick(MEMBERS), pick(VALUES));
      return `{${[...members].map(([name, value]) => `"${name}":${value}`).join(',')}}`;
    };
    const { services } = t.server;
    const routes = [placeRoutes, batchRoutes, cancelRoutes, lookupRoutes].flatMap((make) => make(services));
    const seen = { answered: 0, refused: new Map<string, number>() };
    let lastId = '0';
    for (let i = 0; i < REQUESTS; i++) {
      const route = pick(routes);
      const list = Array.from({ length: below(7) }, () => (below(9) ? order() : pick(VALUES)));
      const text = route.path.includes('multi') ? `{"orderList":[${list.join(',')}]}` : order();
      const id = below(3) ? lastId : pick(['', '0', '%', '\u0000', 'a'.repeat(24), 'client-order', '😀']);
      const call: Call<Record<string, string>, Record<string, string>, unknown> = {
        dialect: pick(DIALECTS),
        user: below(3),
        signer: -1,
        key: '',
        ip: '',
        host: '',
        params: { orderId: id, clientOid: id },
        query: below(9) ? { symbol: 'BTC-USDT' } : { symbol: pick(['', 'undefined', 'X', '__proto__']) },
        body: parseBody(Buffer.from(text)),
        rawBody: Buffer.from(text),
        time: Date.now(),
        once: undefined,
      };
      try {
        const answer = await settled(route.handle(call as unknown as Call<never, never, never>));
        assert.ok(answer instanceof Raw);
        lastId = /"orderId":"(\w+)"/.exec(answer.json)?.[1] ?? lastId;
        JSON.parse(answer.json);
        seen.answered += 1;
      } catch (error) {
        assert.ok(
          error instanceof Refusal,
          `seed ${SEED}, request ${i}: ${route.id} ${text} ${String(error)}`,
        );
        assert.doesNotMatch(error.detail, /NaN|\[object /, `${text} ${error.detail}`);
        seen.refused.set(error.error, (seen.refused.get(error.error) ?? 0) + 1);
      }
    }
    assert.ok(seen.answered > REQUESTS / 10, `only ${seen.answered} answered`);
    assert.ok(seen.refused.size >= 8, `only ${[...seen.refused.keys()].join(', ')}`);
    const sums = await t.read((exchange) =>
      exchange.reference.currencies.map(({ number }) =>
        [0, 1, 2, 3].reduce(
          (sum, user) => {
            const [main, trade] = (['main', 'trade'] as const).map((type) =>
              exchange.balance(user, type, number),
            );
            return sum + main.available + main.hold + trade.available + trade.hold;
          },
          exchange.systemBalance('fees', number) +
            exchange.systemBalance('outside', number) +
            exchange.systemBalance('waiting', number),
        ),
      ),
    );
    assert.ok(sums.length > 2 && sums.every((sum) => sum === 0n));
  }),
);
