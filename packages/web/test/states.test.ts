// States outside normal trading: a server that goes away and comes back, keyboard only, text that users choose,
// stored data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { deskTests } from './desk-tests.ts';
import { tabTo } from './tab-key.ts';
import { chooseKind, fill, note, openTab, orderForm, rows, send, signInAs } from './terminal-page.ts';

describePages('the terminal', { market: 'quiet' }, (suite) => {
  test('a lost server is reported, and the page is up to date when it is back', {
    timeout: 120_000,
  }, async () => {
    const page = await suite.open('/trade/BTC-USDT', { expected: [/WebSocket connection/] });
    await signInAs(page, 'alice');
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '40000', Size: '0.1' });
    await send(page, 'Buy', 'Buy order open');
    await page.locator('[data-connection=live]').waitFor();

    await suite.stop();
    await page.getByText('The exchange cannot be reached.').waitFor();
    await page.locator('[data-connection=lost]').waitFor();
    await page.getByText('stale').waitFor();
    // The last data stays visible in the meantime, and a sent order is reported as not confirmed.
    await page.getByRole('button', { name: /^Bid 40,000\.0/ }).waitFor();
    await fill(page, { Size: '0.2' });
    await orderForm(page).getByRole('button', { name: 'Buy BTC', exact: true }).click();
    await note(page, 'The exchange did not answer.').waitFor();
    await note(page, 'Place an order: not confirmed').waitFor();

    await suite.start();
    // Another user changes the book before the page reconnects.
    const { connection } = suite.exchange;
    const other = await suite.open('/trade/BTC-USDT');
    await signInAs(other, 'bob');
    await chooseKind(other, 'Limit', 'Sell');
    await fill(other, { Price: '40000', Size: '0.04' });
    await send(other, 'Sell', 'Sell order filled');
    assert.equal(connection.baseUrl, suite.url);

    await page.locator('[data-connection=live]').waitFor({ timeout: 40_000 });
    await page.getByRole('button', { name: /^Bid 40,000\.0 size 0\.06/ }).waitFor({ timeout: 20_000 });
    await page.getByTestId('last-price').getByText('40,000.0').waitFor();
    await rows(page, 'Open orders').getByText('0.04000000 / 0.10000000').waitFor();
    assert.equal(await page.getByText('The exchange cannot be reached.').count(), 0);
  });

  test('while the private feed is down, the page says so and polls instead', async () => {
    const page = await suite.open('/trade/XRP-USDT', { expected: [/WebSocket connection/] });
    await page.route('**/api/v1/bullet-private', (route) => route.abort());
    await signInAs(page, 'carol');
    const banner = page
      .getByRole('alert')
      .getByText('Live updates of your orders and balances are interrupted');
    await banner.waitFor();
    await page.locator('[data-connection=live]').waitFor();
    const carol = new Client(suite.url, 'carol');
    const order = { symbol: 'XRP-USDT', type: 'limit', side: 'buy', price: '0.5', size: '10' };
    await carol.post('/api/v1/hf/orders', order);
    await page.getByRole('tab', { name: 'Open orders (1)' }).waitFor({ timeout: 15_000 });
    await page.unroute('**/api/v1/bullet-private');
    await banner.waitFor({ state: 'detached' });
    await carol.delete('/api/v1/hf/orders?symbol=XRP-USDT');
    await page.getByRole('tab', { name: 'Open orders (0)' }).waitFor();
  });

  test('an order submitted while the browser is offline is not sent later', async () => {
    const page = await suite.open('/trade/ADA-USDT', { expected: [/WebSocket connection/] });
    await signInAs(page, 'carol');
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '0.5', Size: '10' });
    await page.context().setOffline(true);
    await orderForm(page).getByRole('button', { name: 'Buy ADA', exact: true }).click();
    await note(page, 'Place an order: not confirmed').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/hf/orders/sync')) sent.push(request.url());
    });
    await page.context().setOffline(false);
    await page.waitForTimeout(1_000);
    await page.reload();
    await page.getByRole('tab', { name: 'Open orders (0)' }).waitFor();
    assert.deepEqual(sent, []);
  });

  test('the keyboard alone can sign in, place an order at a price of the book, and cancel it', {
    timeout: 120_000,
  }, async () => {
    const page = await suite.open('/trade/ETH-USDT');
    await page.getByText('No asks').waitFor();
    // The user is not known yet, so no fees are shown.
    await page.getByText('Fee as taker', { exact: true }).waitFor();
    const { keyboard } = page;
    await tabTo(page, /^Sign in$/);
    await keyboard.press('Enter');
    await tabTo(page, /^carol/);
    await keyboard.press('Enter');
    const user = page.getByRole('button', { name: 'Signed in as carol' });
    await user.waitFor();
    // The focus has not moved: the sign-in button is now the user menu.
    assert.ok(await user.evaluate((element) => element === document.activeElement));

    // The price is a few stops from the market list, and the skip link leads there at once.
    await page.getByRole('button', { name: /^REQ\/ETH/ }).focus();
    let stops = 0;
    for (let name = ''; name !== 'Price'; stops++) {
      assert.ok(stops < 5, 'the price is within five stops of the list');
      await keyboard.press('Tab');
      name = await page.evaluate(
        () => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent ?? '',
      );
    }
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    // Everything below is typed while the markets, then the balances, are still loading.
    const markets = await holdBack(page, '**/api/v*/symbols');
    const balances = await holdBack(page, '**/api/v1/accounts');
    await page.reload();
    await user.waitFor();
    await keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the order form');
    await keyboard.press('Enter');
    markets.release();
    await page.waitForFunction(() => document.activeElement?.id === 'order-form');
    await tabTo(page, /^Price$/);
    await keyboard.type('2000');
    await tabTo(page, /^Size$/);
    await keyboard.type('0.5');
    assert.equal(await orderForm(page).getByText('There is no').count(), 0, 'nobody knows that yet');
    await keyboard.press('Enter');
    await note(page, 'Buy order open').waitFor();
    balances.release();

    await tabTo(page, /^Bid 2,000/);
    await keyboard.press('Enter');
    assert.equal(await orderForm(page).getByLabel('Price', { exact: true }).inputValue(), '2000.00');

    await tabTo(page, /^Open orders \(1\)$/);
    await tabTo(page, /^Cancel order/);
    await keyboard.press('Enter');
    await page.getByText('No open order').waitFor();
  });

  test('keyboard shortcuts work as listed, and the palette finds markets and actions', async () => {
    const page = await suite.open('/trade/ETH-USDT');
    await page.getByText('No asks').waitFor();
    const { keyboard } = page;
    await keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Search markets').waitFor();
    assert.deepEqual(await axeFindings(page), [], 'the sheet of keys');
    await keyboard.press('Escape');
    await keyboard.press('/');
    assert.ok(
      await page.getByLabel('Search markets').evaluate((element) => element === document.activeElement),
    );
    // A focused field gets the letter, so it is not a shortcut.
    await keyboard.type('s');
    assert.equal(await page.getByLabel('Search markets').inputValue(), 's');
    await page.getByLabel('Search markets').fill('');
    await keyboard.press('Escape');
    await keyboard.press('s');
    assert.equal(
      await orderForm(page).getByRole('radio', { name: 'Sell' }).getAttribute('aria-checked'),
      'true',
    );
    await keyboard.press('p');
    await keyboard.type('2000');
    assert.equal(await orderForm(page).getByLabel('Price', { exact: true }).inputValue(), '2000');
    await keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await palette.getByRole('combobox').fill('ltc');
    assert.deepEqual(await axeFindings(page), [], 'the palette');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.waitForURL('**/trade/LTC-BTC');
    await keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('withdraw');
    await keyboard.press('Enter');
    await page.waitForURL('**/money/withdraw');
  });

  test('a page that fails to load reports it, and can be loaded again', async () => {
    const page = await suite.open('/', { expected: [/dynamically imported module/] });
    await page.getByRole('list', { name: 'Markets' }).waitFor();
    await page.route('**/assets/money-*.js', (route) => route.abort());
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).click();
    await page.getByRole('alert').getByText('This page has failed to render').waitFor();
    await page.unroute('**/assets/money-*.js');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByText('You are not signed in').waitFor();
  });

  test('markets can be searched, marked as favourites, and switched', async () => {
    const page = await suite.open('/');
    const markets = page.getByRole('list', { name: 'Markets' });
    await markets.getByRole('button', { name: 'Add LTC-BTC to the favourites' }).click();
    await page.getByRole('radio', { name: '★' }).click();
    assert.equal(await markets.getByRole('listitem').count(), 1);
    await page.getByRole('radio', { name: 'All' }).click();
    await page.getByLabel('Search markets').fill('xrp');
    assert.equal(await markets.getByRole('listitem').count(), 2);
    await page.getByLabel('Search markets').press('Enter');
    await page.waitForURL('**/trade/XRP-USDT');
    await page.reload();
    await page.waitForFunction(() => document.title.endsWith('XRP-USDT · Bourse'));
    await page.getByRole('radio', { name: '★' }).click();
    await markets.getByText('LTC').waitFor();
  });

  test('text from users is shown as text', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'alice');
    const remark = '<b id=own>"&\'<!--';
    await orderForm(page).getByText('Self-trade prevention, client id, remark').click();
    await fill(page, { Price: '33000', Size: '0.1', Remark: remark });
    await send(page, 'Buy', 'Buy order open');
    await rows(page, 'Open orders').getByText(remark, { exact: true }).waitFor();
    assert.equal(await page.locator('#own').count(), 0);
    const code = page.getByRole('dialog');
    await orderForm(page).getByLabel('Remark').fill("';alert(1)//");
    await orderForm(page).getByLabel('Size', { exact: true }).fill('0.1');
    await orderForm(page)
      .getByRole('button', { name: /^Show me/ })
      .click();
    await code.getByText(String.raw`'\'';alert(1)//`).waitFor();
    await code.getByRole('button', { name: 'Copy' }).click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /hmac\(\)/);
  });

  test('no secret is in storage, in a URL, or in an error', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    const secret = 'b0b00000-5a4d-4b0c-8e11-000000000002';
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Sign in with an API key').click();
    const form = page.getByRole('form', { name: 'With a key' });
    await form.getByLabel('API key').fill('65a0b0c0d0e0f000000b0b01');
    await form.getByLabel('API secret').fill(secret);
    await form.getByLabel('Passphrase').fill('wrong-passphrase');
    await form.getByRole('button', { name: 'Sign in' }).click();
    const alert = page.getByRole('dialog').getByRole('alert');
    assert.match(await alert.innerText(), /\(400004\)/);
    assert.ok(!(await alert.innerText()).includes(secret));
    await form.getByLabel('Passphrase').fill('bob-sandbox');
    await form.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Signed in as/ }).waitFor();
    await openTab(page, 'Balances');
    await rows(page, 'Balances').nth(1).waitFor();

    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    for (const word of [secret, 'bob-sandbox']) {
      assert.ok(!stored.includes(word));
      assert.ok(!urls.some((url) => url.includes(word)));
    }
    assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), ['bourse.preferences']);
    await page.reload();
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor();
  });

  deskTests(suite);

  test('a sandbox can create a new user with money, and remembers a published user across a reload', async () => {
    const page = await suite.open('/');
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^New user/ })
      .click();
    await page.getByRole('button', { name: /^Signed in as trader-/ }).click();
    await openTabOfMoney(page);
    await rows(page, 'Balances').getByText('100,000.00000000', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Signed in as trader-/ }).click();
    await page.getByRole('menuitem', { name: 'Switch user' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^bob/ }).click();
    await page.getByRole('button', { name: 'Signed in as bob' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Signed in as bob' }).waitFor();
  });
});

async function openTabOfMoney(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).click();
}

/** Holds responses to these paths back until they are released. */
async function holdBack(page: Page, addresses: string): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await promise;
    await route.continue();
  });
  return { release: resolve };
}
