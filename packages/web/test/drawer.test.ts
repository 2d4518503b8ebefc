// The sandbox drawer in a browser: clock, market, faults, worlds, requests and assertions take effect in the
// exchange.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, describePages, takePicture } from '@bourse/test-kit/browser/page-suite.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { enterConsole, goTo } from './console-page.ts';

/** Far above the agents' prices. */
const ORDER = { symbol: 'LTC-USDT', type: 'limit', side: 'sell', price: '600', size: '1' };

/** So that the charts have data. */
const SAMPLES_MS = ofSize(3000, 10_000);
const TABS = ['Clock', 'Market', 'Users', 'Mail', 'Faults', 'Snapshots', 'Requests', 'Assertions'];

async function openDrawer(page: Page, tab: string): Promise<void> {
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
  await page.getByRole('tab', { name: tab }).click();
}

describePages('the sandbox drawer', { market: 'calm' }, (suite) => {
  const world = () => suite.exchange.sandbox!.world;

  test('beside the drawer, the console shows a live market', async () => {
    const page = await suite.open('/console', { width: 1440, height: 900 });
    await enterConsole(page);
    const records = page.getByRole('region', { name: 'Records written to the log' });
    await records.getByText(/^0?[.\d]+\/s$/).waitFor();
    const alice = new Client(suite.url, 'alice');
    const until = Date.now() + SAMPLES_MS;
    while (Date.now() < until)
      await alice.post('/api/v1/hf/orders', { ...ORDER, symbol: 'XRP-USDT', price: '9' });
    await takePicture(page, 'console-overview');
    await goTo(page, 'Money');
    await page.getByText('each with the sum 0').waitFor();
    await takePicture(page, 'console-money');
    await goTo(page, 'Markets');
    await page.getByRole('cell', { name: 'BTC-USDT', exact: true }).waitFor();
    await takePicture(page, 'console-markets');
  });

  test('the clock is paused, moved by a step, and runs again ten times as fast', async () => {
    const page = await suite.open('/console');
    await openDrawer(page, 'Clock');
    const drawer = page.getByRole('dialog');
    assert.equal(await drawer.getByRole('button', { name: '1 h' }).isDisabled(), true);
    await drawer.getByRole('button', { name: 'Pause' }).click();
    await drawer.getByRole('button', { name: 'Resume' }).waitFor();
    const { time } = world().clock.state;
    await drawer.getByRole('button', { name: '1 min', exact: true }).click();
    await page.getByText('The clock advanced by 60000 ms').waitFor();
    assert.equal(world().clock.state.time, time + 60_000);
    await takePicture(page, 'sandbox-drawer');
    await drawer.getByRole('radio', { name: 'x10', exact: true }).click();
    await drawer.getByText('x10', { exact: true }).nth(1).waitFor();
    assert.deepEqual([world().clock.state.mode, world().clock.state.speed], ['scaled', 10]);
    await drawer.getByRole('radio', { name: 'real' }).click();
    await drawer.getByRole('button', { name: 'Pause' }).waitFor();
  });

  test('the drawer can change the preset, shock the market and credit a user', async () => {
    const page = await suite.open('/console');
    await openDrawer(page, 'Market');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'thin' }).click();
    await page.getByText('Preset thin applied').waitFor();
    const valueOf = async (): Promise<number> => {
      const { symbols } = (await world().living.view()) as {
        readonly symbols: readonly { symbol: string; value: string }[];
      };
      return Number(symbols.find(({ symbol }) => symbol === 'ETH-USDT')!.value);
    };
    const before = await valueOf();
    await drawer.getByLabel('Symbol', { exact: true }).selectOption('ETH-USDT');
    await drawer.getByLabel('Factor', { exact: true }).fill('0.5');
    await drawer.getByRole('button', { name: 'Shock' }).click();
    await page.getByText('Shock of 0.5 applied to ETH-USDT').waitFor();
    assert.ok((await valueOf()) < before * 0.6);
    await page.getByRole('tab', { name: 'Users' }).click();
    await drawer.getByRole('button', { name: 'Give' }).click();
    await page.getByText('1000 USDT for alice').waitFor();
    await drawer.getByLabel('User', { exact: true }).fill('nobody-of-that-name');
    await drawer.getByRole('button', { name: 'Give' }).click();
    await page.getByText("Unknown user 'nobody-of-that-name'").waitFor();
  });

  test('a rule matches a request and counts it, and a scenario begins and ends', async () => {
    const page = await suite.open('/console');
    await openDrawer(page, 'Faults');
    const drawer = page.getByRole('dialog');
    const rule = { match: { user: 'bob' }, effect: { kind: 'error', code: '429000' } };
    await drawer.getByLabel('Rule', { exact: true }).fill('{');
    await drawer.getByText('This is not a JSON object.').waitFor();
    await drawer.getByLabel('Rule', { exact: true }).fill(JSON.stringify(rule));
    await drawer.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Rule added').waitFor();
    const { json } = await new Client(suite.url, 'bob').get('/api/v1/accounts');
    assert.equal(json.code, '429000');
    await drawer.getByText('1 hit').waitFor();
    await drawer.getByRole('button', { name: 'Remove the rule error' }).click();
    await page.getByText('Rule removed').waitFor();
    assert.equal(suite.exchange.sandbox!.faults.list().length, 0);
    await drawer.getByRole('button', { name: 'Start maintenance' }).click();
    await drawer.getByRole('button', { name: 'End maintenance' }).click();
    await drawer.getByRole('button', { name: 'Start maintenance' }).waitFor();
    assert.equal(suite.exchange.sandbox!.faults.list().length, 0);
  });

  test('the drawer can restore a snapshot and run a fork', async () => {
    const page = await suite.open('/console');
    await openDrawer(page, 'Snapshots');
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name', { exact: true }).fill('before the order');
    await drawer.getByRole('button', { name: 'Take a snapshot' }).click();
    await drawer.getByText('before the order').waitFor();
    const alice = new Client(suite.url, 'alice');
    const count = async (): Promise<number> => {
      const { json } = await alice.get('/api/v1/hf/orders/active?symbol=LTC-USDT');
      return (json.data as unknown[]).length;
    };
    const before = await count();
    await alice.post('/api/v1/hf/orders', ORDER);
    assert.equal(await count(), before + 1);
    await drawer.getByRole('button', { name: 'Go back to before the order' }).click();
    await page.getByText('Restored the state of record').waitFor();
    assert.equal(await count(), before);
    await drawer.getByRole('button', { name: 'Fork from now' }).click();
    await drawer.getByRole('link', { name: /^http:\/\/127\.0\.0\.1:\d+$/ }).waitFor();
    await drawer.getByRole('button', { name: /^End the fork/ }).click();
    await page.getByText('Fork ended').waitFor();
  });

  test('the drawer is docked: the page beside it is narrower and usable, and it stays open across pages', async () => {
    const page = await suite.open('/trade/BTC-USDT', { width: 1440, height: 900 });
    const form = page.getByRole('form', { name: 'Order' });
    await form.waitFor();
    await openDrawer(page, 'Clock');
    const drawer = page.getByRole('dialog', { name: 'Sandbox' });
    const box = (await drawer.boundingBox())!;
    const used = (await form.boundingBox())!;
    assert.ok(used.x + used.width <= box.x, 'nothing lies below it');
    await form.getByLabel('Price', { exact: true }).fill('50000');
    await page.keyboard.press('Escape');
    assert.equal(await drawer.count(), 1, 'the key belongs to the page');
    assert.deepEqual(await axeFindings(page), [], 'beside the terminal');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).click();
    await page.getByText('You are not signed in').waitFor();
    await drawer.getByRole('heading', { name: 'Exchange time' }).waitFor();
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
  });

  test('a rejected signature is shown with the text that should have been signed', async () => {
    const path = '/api/v1/accounts?currency=USDT';
    const alice = new Client(suite.url, 'alice');
    const { status } = await alice.send('GET', path, undefined, { 'SVC-API-SIGN': 'AAAA' });
    assert.equal(status, 401);
    const page = await suite.open('/console');
    await openDrawer(page, 'Requests');
    const drawer = page.getByRole('dialog');
    await drawer.locator('summary').filter({ hasText: '401' }).first().click();
    await drawer.getByText('text that should have been signed').waitFor();
    await drawer.getByText(new RegExp(`^\\d+GET${path.replace('?', '\\?')}$`)).waitFor();
    await takePicture(page, 'sandbox-requests');
  });

  test('a broken assertion is shown with the event that broke it', async () => {
    const page = await suite.open('/console');
    await openDrawer(page, 'Assertions');
    const drawer = page.getByRole('dialog');
    const assertion = { name: 'carol keeps out', always: { user: 'carol', openOrdersMax: 0 } };
    await drawer.getByLabel('Assertion', { exact: true }).fill(JSON.stringify(assertion));
    await drawer.getByRole('button', { name: 'Add' }).click();
    await drawer.getByText('holds', { exact: true }).waitFor();
    await new Client(suite.url, 'carol').post('/api/v1/hf/orders', ORDER);
    await drawer.getByText('broken', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Remove carol keeps out' }).click();
    await drawer.getByText('No assertions yet').waitFor();
  });

  test('axe finds nothing in any tab of the drawer, in both themes, and it fits a phone', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const page = await suite.open('/console', { theme, width: theme === 'dark' ? 1024 : 390 });
      await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
      for (const tab of ofSize(theme === 'dark' ? TABS : TABS.slice(0, 2), TABS)) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).getByRole('heading').first().waitFor();
        assert.deepEqual(await axeFindings(page), [], `${tab}, ${theme}`);
      }
    }
  });
});
