// The report page: figures, curve, inventory, rejections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { fundedPart } from '../src/report/report-data.ts';
import { rows, signInAs } from './terminal-page.ts';

describePages('the report', { market: 'quiet' }, (suite) => {
  test('reports the activity of a user, or that there is no user of that name', async () => {
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
    await page.getByRole('figure', { name: 'Profit curve of alice' }).waitFor();
    await page.getByText('1: 0 as maker, 1 as taker').waitFor();
    await page.getByText(/Price increment invalid/).waitFor();
    await rows(page, 'Trading by symbol').getByText('LTC-USDT').waitFor();
    assert.match(
      (await rows(page, 'Inventory by currency').allTextContents()).join(),
      /LTC0[.0]*2,000[.0]*\+?2[.0]*0[.0]*2,002/,
    );
    await rows(page, 'Use of rate limits').getByText('spot').waitFor();
    const total = page.getByText('Total', { exact: true }).locator('xpath=following-sibling::dd').first();
    assert.match(await total.innerText(), /^[+−]?[\d,]+\.\d\d$/, 'money is rounded for the eye');
    assert.deepEqual(await axeFindings(page, 'html'), []);

    const form = page.getByRole('form', { name: 'Report' });
    await form.getByLabel('User').fill('nobody');
    await form.getByRole('button', { name: 'Show' }).click();
    await page
      .getByRole('alert')
      .getByText(/nobody/)
      .waitFor();
  });

  test('the portfolio has the figures of the report, in the currency that is chosen', async () => {
    const page = await suite.open('/money');
    await signInAs(page, 'alice');
    await page.getByRole('tab', { name: 'Portfolio' }).click();
    await page.getByRole('figure', { name: 'Worth over time in USDT' }).waitFor();
    const report = (await suite.control('GET', '/report?user=alice')) as unknown as {
      pnl: { worthAtEnd: string; fees: string };
      inventory: { currency: string; averageCost: string; realised: string; unrealised: string }[];
    };
    const panel = page.getByRole('tabpanel', { name: 'Portfolio' });
    const rounded = (text: string): RegExp => {
      const [whole, part] = Number(text).toFixed(2).split('.');
      return new RegExp(`${Number(whole).toLocaleString('en')}(\\.${part})?`);
    };
    assert.match(await panel.innerText(), rounded(report.pnl.worthAtEnd));
    const coins = report.inventory.find(({ currency }) => currency === 'LTC')!;
    const row = rows(page, 'Assets').filter({ has: page.getByText('LTC', { exact: true }) });
    const text = (await row.innerText()).replaceAll(/\s+/g, ' ');
    for (const figure of [coins.averageCost, coins.unrealised]) assert.match(text, rounded(figure));
    assert.deepEqual(await axeFindings(page, 'html'), []);
    // In the first minutes the curve starts at zero, which would compress the rest of it into a line.
    const point = (time: number, worth: string, pnl: string) => ({ time, worth, pnl, trading: '0' });
    const curve = [point(1, '0', '0'), point(2, '100', '0'), point(3, '1000', '1'), point(4, '2500', '2')];
    assert.deepEqual(fundedPart(curve), curve.slice(3));
    assert.deepEqual(fundedPart(curve.slice(3)), curve.slice(3));
    assert.deepEqual(fundedPart([]), []);
    const grown = [point(1, '1000', '0'), point(2, '5000', '4000'), point(3, '900', '-100')];
    assert.deepEqual(fundedPart(grown), grown, 'profit is not funding');
    await page.getByLabel('Worth in').selectOption('BTC');
    await page.getByRole('figure', { name: 'Worth over time in BTC' }).waitFor();
  });
});
