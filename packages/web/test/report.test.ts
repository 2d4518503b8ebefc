// The report of a user as a page: figures, curve, inventory, refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings } from '@bourse/test-tools/browser/axe.ts';
import { describePages } from '@bourse/test-tools/browser/page-suite.ts';
import { Client } from '@bourse/test-tools/server.ts';
import { rows, signInAs } from './terminal-page.ts';

describePages('the report', { market: 'quiet' }, (suite) => {
  test('says what a user did, and why not where there is nobody of that name', async () => {
    const client = (name: string) => {
      const { connection } = suite.exchange;
      return new Client(connection.baseUrl, connection.users.find((user) => user.name === name)!);
    };
    const order = { symbol: 'LTC-USDT', type: 'limit', price: '60', size: '5' };
    const path = '/api/v1/hf/orders';
    await client('bob').post(path, { ...order, side: 'sell' });
    await client('alice').post(path, { ...order, side: 'buy', size: '2' });
    await client('alice').post(path, { ...order, side: 'buy', price: '60.00001' });

    const page = await suite.open('/');
    await signInAs(page, 'alice');
    await page.getByRole('link', { name: 'Report' }).click();
    await page.getByRole('figure', { name: 'Curve of the profit of alice' }).waitFor();
    await page.getByText('1: 0 as maker, 1 as taker').waitFor();
    await page.getByText(/Price increment invalid/).waitFor();
    await rows(page, 'Trading by symbol').getByText('LTC-USDT').waitFor();
    assert.match((await rows(page, 'Inventory by currency').allTextContents()).join(), /LTC02,000202,002/);
    await rows(page, 'Use of rate limits').getByText('spot').waitFor();
    assert.deepEqual(await axeFindings(page, 'html'), []);

    const form = page.getByRole('form', { name: 'Report' });
    await form.getByLabel('User').fill('nobody');
    await form.getByRole('button', { name: 'Show' }).click();
    await page
      .getByRole('alert')
      .getByText(/nobody/)
      .waitFor();
  });
});
