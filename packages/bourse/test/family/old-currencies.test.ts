import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, startServer } from '@bourse/test-kit/server.ts';

test('older clients find currencies under versions 1 and 2, with the terms of version 3', async () => {
  const server = await startServer();
  try {
    const nobody = new Client(server.url, undefined, 'family');
    const ask = async (path: string) => (await nobody.get(path)).json.data as Record<string, unknown>;
    const { chains, ...rest } = await ask('/api/v3/currencies/USDT');
    const [{ withdrawalMinSize, withdrawalMinFee, isWithdrawEnabled, isDepositEnabled }] = chains as [
      Record<string, unknown>,
    ];
    const flat = { ...rest, withdrawalMinSize, withdrawalMinFee, isWithdrawEnabled, isDepositEnabled };
    assert.deepEqual(await ask('/api/v1/currencies/USDT'), flat);
    const list = (await ask('/api/v1/currencies')) as unknown as Record<string, unknown>[];
    assert.deepEqual(
      list.find(({ currency }) => currency === 'USDT'),
      flat,
    );
    assert.deepEqual(await ask('/api/v2/currencies/USDT'), { ...rest, chains });
    for (const version of ['v1', 'v2']) {
      assert.notEqual((await nobody.get(`/api/${version}/currencies/NONE`)).json.code, '200000');
    }
  } finally {
    await server.close();
  }
});

test('the word `undefined` in a query means no value in the family dialect, and is a value in the literal one', async () => {
  const server = await startServer();
  try {
    const hasSymbols = async (dialect: 'literal' | 'family') => {
      const { status, text } = await new Client(server.url, undefined, dialect).get(
        '/api/v2/symbols?market=undefined',
      );
      assert.equal(status, 200, text);
      return text.includes('BTC-USDT');
    };
    assert.deepEqual([await hasSymbols('family'), await hasSymbols('literal')], [true, false]);
  } finally {
    await server.close();
  }
});
