// More calls of the sandbox drawer: recordings, new users, expected events, and the live tail of requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { Client, type Credentials } from '@bourse/test-kit/server.ts';
import { chooseKind, fill, note, orderForm, signInAs } from './terminal-page.ts';

const recordings = fileURLToPath(new URL('../../../examples/recorded', import.meta.url));
const ORDER = { symbol: 'LTC-USDT', type: 'limit', side: 'sell', price: '60', size: '1' };

async function openDrawer(page: Page, tab: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
  await page.getByRole('tab', { name: tab }).click();
  return page.getByRole('dialog');
}

describePages('further calls of the drawer', { market: 'quiet', recordings }, (suite) => {
  test('a recorded market is played, shown with its progress, and stopped', async () => {
    const drawer = await openDrawer(await suite.open('/console'), 'Market');
    const page = drawer.page();
    await drawer.getByLabel('Symbol of the replay').selectOption('BTC-USDT');
    await drawer.getByLabel('File').fill('nothing-of-that-name.csv');
    await drawer.getByRole('button', { name: 'Play' }).click();
    await page.getByText('nothing-of-that-name.csv', { exact: false }).first().waitFor();
    await page.getByText('The sandbox rejected the call').waitFor();
    await drawer.getByLabel('File').fill('btc-usdt-book.csv');
    await drawer.getByRole('button', { name: 'Play' }).click();
    await drawer.getByText(/^\d[\d,]* of \d[\d,]* events$/).waitFor();
    await drawer.getByRole('progressbar', { name: 'Progress of btc-usdt-book.csv' }).waitFor();
    const { living } = suite.exchange.sandbox!.world;
    assert.equal((await living.replay()).playing, true);
    const stop = drawer.getByRole('button', { name: 'Stop the replay' });
    await stop.click();
    await stop.waitFor({ state: 'detached' });
    assert.equal((await living.replay()).playing, false);
  });

  test('a user is created with balances, and its key works', async () => {
    const drawer = await openDrawer(await suite.open('/console'), 'Users');
    await drawer.getByLabel('Name', { exact: true }).fill('erin');
    const balances = drawer.getByLabel(/^Balances/);
    await balances.fill('USDT');
    await drawer.getByText('Each line is a currency and an amount, such as USDT 1000.').waitFor();
    assert.equal(await drawer.getByRole('button', { name: 'Create the user' }).isDisabled(), true);
    await balances.fill('USDT 250\nLTC 3.5');
    await drawer.getByRole('button', { name: 'Create the user' }).click();
    const key = drawer.getByLabel('The key of erin').locator('dd > span');
    await key.first().waitFor();
    const facts = await key.allTextContents();
    const [, apiKey, apiSecret, apiPassphrase] = facts;
    const erin = new Client(suite.url, { apiKey, apiSecret, apiPassphrase } as Credentials);
    const { json } = await erin.get('/api/v1/accounts');
    assert.equal(json.code, '200000', JSON.stringify(json));
    const held = (json.data as { currency: string; balance: string }[]).filter(
      ({ balance }) => balance !== '0',
    );
    assert.deepEqual(held.map(({ currency, balance }) => `${currency} ${balance}`).toSorted(), [
      'LTC 3.5',
      'USDT 250',
    ]);
  });

  test('an expected event is shown when it occurs, and an unmet expectation with its closest match', async () => {
    const drawer = await openDrawer(await suite.open('/console'), 'Assertions');
    const area = drawer.getByLabel('Expectation', { exact: true });
    const expectation = {
      event: { kind: 'order', where: { user: 'bob', symbol: 'LTC-USDT' } },
      clock: 'wall',
    };
    await area.fill(JSON.stringify({ ...expectation, withinMs: 60_000 }));
    await drawer.getByRole('button', { name: 'Start waiting' }).click();
    await drawer.getByRole('button', { name: 'Stop waiting' }).waitFor();
    await new Client(suite.url, 'bob').post('/api/v1/hf/orders', ORDER);
    await drawer.getByText('met', { exact: true }).waitFor();
    assert.match((await drawer.getByRole('status').locator('pre').textContent())!, /"user": "bob"/);

    await area.fill(JSON.stringify({ ...expectation, withinMs: 0 }));
    await drawer.getByRole('button', { name: 'Start waiting' }).click();
    await drawer.getByText('not met', { exact: true }).waitFor();

    await area.fill(JSON.stringify({ ...expectation, withinMs: 60_000 }));
    await drawer.getByRole('button', { name: 'Start waiting' }).click();
    await drawer.getByRole('button', { name: 'Stop waiting' }).click();
    await drawer.getByRole('button', { name: 'Start waiting' }).waitFor();

    await area.fill('{"event":{"kind":"weather"},"withinMs":0}');
    await drawer.getByRole('button', { name: 'Start waiting' }).click();
    await drawer.page().getByText('The sandbox rejected the call').waitFor();
  });

  test('requests of all users or of one appear as they arrive, even after a lost connection', {
    timeout: 120_000,
  }, async () => {
    const page = await suite.open('/console', { expected: [/WebSocket connection/] });
    const drawer = await openDrawer(page, 'Requests');
    const carol = () => new Client(suite.url, 'carol');
    await carol().get('/api/v1/accounts');
    const entries = drawer.locator('summary').filter({ hasText: 'carol' });
    await entries.first().waitFor();
    await drawer.getByLabel('Of user').fill('carol');
    await carol().get('/api/v1/hf/orders/active?symbol=LTC-USDT');
    await entries.filter({ hasText: '/api/v1/hf/orders/active' }).waitFor();
    assert.equal(await drawer.locator('summary').count(), await entries.count());
    await suite.stop();
    await suite.start();
    await carol().get('/api/v1/base-fee');
    await entries.filter({ hasText: '/api/v1/base-fee' }).waitFor({ timeout: 40_000 });
  });

  test('the prefilled rule matches requests of the page, and the page can hide its own requests', async () => {
    const page = await suite.open('/trade/LTC-USDT');
    await signInAs(page, 'alice');
    const drawer = await openDrawer(page, 'Faults');
    await drawer.getByRole('button', { name: 'Add', exact: true }).click();
    await drawer.getByText('0 hits').waitFor();
    await page.keyboard.press('Escape');
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '20', Size: '1' });
    await orderForm(page).getByRole('button', { name: 'Buy LTC', exact: true }).click();
    await note(page, 'Place an order: not confirmed').waitFor();
    await openDrawer(page, 'Faults');
    await drawer
      .getByText(/^1 hits?$/)
      .or(drawer.getByText('No fault rules'))
      .waitFor();

    await page.getByRole('tab', { name: 'Requests' }).click();
    const entries = drawer.locator('summary');
    await entries
      .filter({ hasText: '/api/v1/hf/orders/sync' })
      .getByText(/^\d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    await drawer.getByLabel('Hide the requests of this page').check();
    await new Client(suite.url, 'bob').get('/api/v1/accounts');
    await entries.filter({ hasText: 'bob' }).first().waitFor();
    await entries.filter({ hasText: '/api/v1/hf/orders/sync' }).waitFor({ state: 'detached' });
    await entries.filter({ hasText: '/api/v1/market/allTickers' }).first().waitFor({ state: 'detached' });
  });
});
