/**
 * Names that every object inherits are ordinary values: each place of each route responds to them as to any other word.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS } from '../../src/gateway/route.ts';
import { exampleOf } from '../../src/gateway/docs/examples.ts';
import { UnownedAddresses } from '../../src/gateway/money/address-sources.ts';
import { allRoutes } from '../../src/gateway/routes/all.ts';
import type { Services } from '../../src/gateway/services.ts';
import { Client, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { placesOf } from '@bourse/test-kit/gateway/request-places.ts';

const INHERITED = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
/** As long as the longest of them, so that bounds of lengths do not tell them apart. */
const ORDINARY = 'no_such_word__';

const ROUTES = allRoutes({} as Services);

describe('inherited words', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      quotas: { spot: 1e9, manage: 1e9, public: 1e9, questionnairesPerSecondMax: 1e9 },
    });
  });
  after(() => server.close());

  for (const route of ROUTES) {
    for (const { name } of DIALECTS.filter((each) => route.dialects?.includes(each.name) ?? true)) {
      for (const place of placesOf(route)) {
        test(`${route.id} (${name}) ${place.what}`, async () => {
          const client = new Client(server.url, 'alice', name);
          const send = ({ path, body }: { path: string; body: string }) =>
            client.send(route.method, path, body || undefined);
          const answerTo = async (word: string): Promise<unknown> => {
            const { status, text } = await send(place.with(word));
            const neutral = text.replaceAll(new RegExp(word, 'gi'), 'WORD');
            return [status, neutral.replaceAll(/\b[0-9a-f-]*\d[0-9a-f-]*\b/g, 'N')];
          };
          // Calls that work only once have then been made before the comparison.
          await send(exampleOf(route));
          const expected = await answerTo(ORDINARY);
          for (const word of INHERITED) assert.deepEqual(await answerTo(word), expected, word);
        });
      }
    }
  }

  test('a chain with such a name has addresses like any other', () => {
    for (const chain of INHERITED) {
      const { address, memo } = new UnownedAddresses().address(0, 'USDT', chain);
      assert.match(address, /^0x[0-9a-f]{40}$/);
      assert.equal(memo, '');
    }
  });
});
