/** The order form, the chart and the lists of orders, in a market where BTC-USDT last traded at 50,000. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { PageSuite } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { chooseKind, fill, note, openTab, orderForm, rows, send, signInAs } from './terminal-page.ts';

export function ticketTests(suite: PageSuite): void {
  test('the stop price determines the trigger direction, and the result of the stop order is shown', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'carol');
    const form = orderForm(page);
    await page.getByTestId('last-price').getByText('50,000.0').waitFor();
    await chooseKind(page, 'Stop market', 'Buy');
    await form.getByRole('radio', { name: 'By size (BTC)' }).click();
    await fill(page, { 'Stop price': '60000', Size: '0.01' });
    await form.getByRole('button', { name: 'Buy BTC', exact: true }).click();
    await openTab(page, /^Stop & OCO \(1\)/);
    await rows(page, 'Waiting stop orders').getByText('rises to 60,000').waitFor();
    await note(page, 'Buy stop order placed').waitFor();

    await fill(page, { 'Stop price': '50000', Size: '0.01' });
    await form.getByText('Would trigger now: the last price is 50,000.0.').waitFor();
    await form.getByRole('button', { name: 'Buy BTC', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Send this order?' });
    await question.getByText('Its stop would trigger now').waitFor();
    await question.getByRole('button', { name: 'Send it' }).click();
    await note(page, 'Buy stop order triggered at once').waitFor();
    await fill(page, { 'Stop price': '40000', Size: '0.01' });
    await form.getByText('Triggers when the last price falls to 40,000.0.').waitFor();

    await chooseKind(page, 'OCO', 'Sell');
    await fill(page, {
      'Price of the limit order': '80000',
      'Stop price': '55000',
      'Then limit at': '10000',
      Size: '0.01',
    });
    await form.getByText('Would trigger now: the last price is 50,000.0.').waitFor();
    await form.getByRole('button', { name: 'Sell BTC', exact: true }).click();
    await question.getByRole('button', { name: 'Send it' }).click();
    await note(page, 'Sell OCO order triggered at once').waitFor();
    const carol = new Client(suite.url, 'carol');
    await carol.delete('/api/v1/stop-order/cancel');
    await carol.delete('/api/v1/hf/orders?symbol=BTC-USDT');
  });

  test('after going back to a snapshot, the abandoned trades are gone', async () => {
    const page = await suite.open('/trade/LTC-USDT', { expected: [/WebSocket connection/] });
    const tape = page.getByRole('table', { name: 'Last trades in LTC-USDT' }).getByRole('row');
    const trade = async (price: string): Promise<void> => {
      const order = { symbol: 'LTC-USDT', type: 'limit', price, size: '1' };
      await new Client(suite.url, 'alice').post('/api/v1/hf/orders', { ...order, side: 'sell' });
      await new Client(suite.url, 'bob').post('/api/v1/hf/orders', { ...order, side: 'buy' });
      await tape.getByText(`${price}.00`).waitFor();
    };
    await trade('50');
    const { id } = await suite.control('POST', '/snapshots');
    await trade('51');
    await trade('52');
    await suite.control('POST', `/snapshots/${id}/restore`);
    await page.locator('[data-connection=live]').waitFor();
    // It reuses the id of the abandoned trade at 51.
    await trade('53');
    await tape.getByText('52.00').waitFor({ state: 'detached' });
    assert.deepEqual(
      (await tape.allInnerTexts()).slice(1).map((row) => row.split('\t')[0]!.slice(0, 5)),
      ['53.00', '50.00'],
    );
    await page.getByTestId('last-price').getByText('53.00').waitFor();
  });

  test('the form keeps typed values, parses pasted ones, and its button stays visible', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'carol');
    const form = orderForm(page);
    const [price, size] = ['Price', 'Size'].map((name) => form.getByLabel(name, { exact: true })) as [
      Locator,
      Locator,
    ];
    const button = form.getByRole('button', { name: 'Buy BTC', exact: true });
    await chooseKind(page, 'Limit', 'Buy');
    const place = (await button.boundingBox())!;
    await price.fill('90,000.5');
    assert.equal(await price.inputValue(), '90000.5');
    await price.press('ArrowUp');
    await price.press('Shift+ArrowDown');
    assert.equal(await price.inputValue(), '89999.6');
    await price.fill('30000');
    const available = Number(
      (
        await form
          .getByText(/^[\d,.]+ USDT$/)
          .first()
          .innerText()
      ).replaceAll(/[^\d.]/g, ''),
    );
    await size.fill((available / 30000 / 2 / 1.001).toFixed(6));
    const slider = form.getByRole('slider', { name: 'Share of the available balance' });
    assert.match((await slider.getAttribute('aria-valuetext'))!, /^(49|50) %$/);
    await form.getByText(/^(49|50) %$/).waitFor();
    // Messages appear and disappear above it.
    await size.fill('0.123456789123456789123456789');
    await form.getByText(/Must be a positive multiple/).waitFor();
    assert.deepEqual(await button.boundingBox(), place);
    await size.fill('0.25');

    // After another width, another pane, and another market and back, the draft is unchanged.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('radio', { name: 'Book', exact: true }).click();
    // On a phone the form is a bottom sheet over the book.
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    await page.getByRole('dialog', { name: /^Order in/ }).waitFor();
    assert.equal(await size.inputValue(), '0.25');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.equal(await size.inputValue(), '0.25');
    const markets = page.getByRole('list', { name: 'Markets' });
    await markets.getByRole('button', { name: /^ETH\/USDT/ }).click();
    await page.getByRole('heading', { name: 'Trade ETH-USDT' }).waitFor({ state: 'attached' });
    assert.equal(await size.inputValue(), '');
    await markets.getByRole('button', { name: /^BTC\/USDT/ }).click();
    await page.getByRole('heading', { name: 'Trade BTC-USDT' }).waitFor({ state: 'attached' });
    assert.equal(await size.inputValue(), '0.25');
    assert.equal(await price.inputValue(), '30000');
    const chart = page.getByRole('figure', { name: /^Candles of BTC-USDT/ });
    await chart.click({ position: { x: 100, y: 100 } });
    assert.equal(await price.inputValue(), '30000');
  });

  test('one chart is reused across markets, intervals and themes, and an empty chart has a message', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    const figure = page.getByRole('figure', { name: /^Candles of/ });
    const canvas = figure.locator('canvas').first();
    await canvas.evaluate((element) => element.setAttribute('data-mark', 'first'));
    const markets = page.getByRole('list', { name: 'Markets' });
    for (const name of ['ETH/USDT', 'BTC/USDT', 'XRP/USDT']) {
      await markets.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    }
    await page.getByText('No trades yet').waitFor();
    await page.getByRole('button', { name: '1h', exact: true }).click();
    await markets.getByRole('button', { name: /^BTC\/USDT/ }).click();
    await page.getByText('No trades yet').waitFor({ state: 'detached' });
    await page.emulateMedia({ colorScheme: 'light' });
    const background = (): Promise<string> =>
      canvas.evaluate((element: HTMLCanvasElement) =>
        String(element.getContext('2d')!.getImageData(2, 2, 1, 1).data.slice(0, 3)),
      );
    while ((await background()) !== '255,255,255') await page.waitForTimeout(50);
    // A request that fails is sent again.
    await page.route(/\/market\/candles/, (route) => route.abort(), { times: 1 });
    const failure = page.getByRole('alert').filter({ hasText: 'The exchange did not answer.' });
    await page.getByRole('button', { name: '5m', exact: true }).click();
    await failure.waitFor();
    await failure.waitFor({ state: 'detached' });
    assert.equal(await canvas.getAttribute('data-mark'), 'first');
  });

  test('orders are managed in their row, and two quick clicks cancel one', async () => {
    const bob = new Client(suite.url, 'bob');
    const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', size: '0.01' };
    for (const price of ['20001', '20002', '20003']) await bob.post('/api/v1/hf/orders', { ...order, price });
    await bob.post('/api/v1/stop-order', { ...order, price: '10000', stopPrice: '15000' });
    await bob.post('/api/v3/oco/order', {
      ...order,
      side: 'sell',
      price: '90000',
      stopPrice: '15000',
      limitPrice: '14000',
      clientOid: 'pair-of-bob',
    });
    const page = await suite.open('/trade/BTC-USDT', { width: 1440, height: 900 });
    await signInAs(page, 'bob');
    const isInside = async (button: Locator): Promise<boolean> => {
      const [box, size] = [await button.boundingBox(), page.viewportSize()!];
      if (box === null) return false;
      const { x, y, width, height } = box;
      const hit = ([at, down]: readonly number[]): boolean =>
        document.elementFromPoint(at!, down!)?.closest('button') !== null;
      return x >= 0 && x + width <= size.width && (await page.evaluate(hit, [x + width / 2, y + height / 2]));
    };
    await openTab(page, /^Stop & OCO/);
    assert.ok(await isInside(page.getByRole('button', { name: /^Cancel stop order/ }).first()));
    await page.getByRole('radio', { name: 'OCO pairs' }).click();
    await page.getByText(/when 15,000/).waitFor();
    assert.ok(await isInside(page.getByRole('button', { name: /^Cancel OCO order/ }).first()));
    await openTab(page, 'Fills');
    const fee = page.getByRole('columnheader', { name: 'Fee' });
    assert.ok(
      (await fee.boundingBox())!.x <
        (await page.getByRole('region', { name: 'Fills' }).boundingBox())!.x +
          (await page.getByRole('region', { name: 'Fills' }).boundingBox())!.width -
          40,
    );

    // A cancelled row keeps its place until the pointer leaves.
    await openTab(page, /^Open orders \(4\)/);
    const cancels = page.getByRole('button', { name: /^Cancel order/ });
    const target = (await cancels.first().boundingBox())!;
    const answer = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.mouse.click(target.x + 10, target.y + 10);
    await answer;
    await page.getByRole('tab', { name: /^Open orders \(3\)/ }).waitFor();
    await page.mouse.click(target.x + 10, target.y + 10);
    await page.mouse.move(5, 5);
    await cancels.nth(3).waitFor({ state: 'detached' });
    const { json } = await bob.get('/api/v1/hf/orders/active?symbol=BTC-USDT');
    assert.equal((json.data as unknown[]).length, 3);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('radio', { name: 'Orders', exact: true }).click();
    const card = page
      .getByRole('list', { name: 'Open orders' })
      .getByRole('listitem')
      .filter({ hasText: '20,001' });
    for (const name of [/^Cancel order/, /^Alter order/]) {
      assert.ok(await isInside(card.getByRole('button', { name })));
    }
    await page.getByRole('button', { name: 'Cancel all 3 orders in BTC-USDT' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 3 orders in BTC-USDT?' });
    await dialog.getByRole('button', { name: 'Keep them' }).click();
    await page.getByRole('button', { name: 'Cancel all 3 orders in BTC-USDT' }).click();
    await dialog.getByRole('button', { name: 'Cancel 3 orders' }).click();
    await page.getByText('No open order').waitFor();
    await bob.delete('/api/v1/stop-order/cancel');
  });

  test('a halted market, a stopped clock and active faults are shown while they last', async () => {
    const page = await suite.open('/trade/LTC-USDT');
    await signInAs(page, 'carol');
    const header = page.getByRole('banner');
    const book = page.getByRole('region', { name: 'Order book', exact: true });
    const form = orderForm(page);
    const setState = async (state: string): Promise<void> => {
      const { operatorUrl, operatorToken } = suite.exchange.connection;
      const response = await fetch(`${operatorUrl}/v1/symbols/LTC-USDT/state`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ state, reason: 'test' }),
      });
      assert.ok(response.ok, await response.text());
    };
    const shown = async (words: string, begin: () => Promise<unknown>, end: () => Promise<unknown>) => {
      await begin();
      for (const place of [header, book, form]) await place.getByText(words).first().waitFor();
      await end();
      for (const place of [header, book, form])
        await place.getByText(words).first().waitFor({ state: 'detached' });
    };
    await book.getByText('live').waitFor();
    await shown(
      'Halted',
      () => setState('halted'),
      () => setState('open'),
    );
    await shown(
      'Clock paused',
      () => suite.control('POST', '/clock', { mode: 'manual' }),
      () => suite.control('POST', '/clock', { mode: 'real' }),
    );
    await shown(
      '1 fault active',
      () =>
        suite.control('POST', '/faults', {
          match: { user: 'bob' },
          effect: { kind: 'error', code: '429000' },
        }),
      () => suite.control('DELETE', '/faults'),
    );
  });

  test('during maintenance the last known data stays, marked as stale', async () => {
    const page = await suite.open('/trade/LTC-USDT', { expected: [/WebSocket connection/] });
    await signInAs(page, 'carol');
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '20', Size: '1' });
    await send(page, 'Buy', 'Buy order open');
    const order = rows(page, 'Open orders').getByText(/^20(\.0+)?$/);
    await order.waitFor();
    await page.locator('[data-connection=live]').waitFor();
    await suite.control('POST', '/scenarios/maintenance');
    try {
      await page.getByText('The exchange cannot be reached.').waitFor();
      await page.getByText('stale').waitFor();
      await fill(page, { Size: '2' });
      const asked = page.waitForResponse((response) => response.url().includes('/api/v1/orders?'));
      await orderForm(page).getByRole('button', { name: 'Buy LTC', exact: true }).click();
      await note(page, 'Place an order: rejected').waitFor();
      await asked;
      await page.getByText('The exchange rejected the status request').waitFor();
      assert.ok(await order.isVisible(), 'what was last seen stays');
      assert.ok(await page.getByRole('table', { name: 'Last trades in LTC-USDT' }).isVisible());
    } finally {
      await suite.control('DELETE', '/scenarios/maintenance');
    }
    await page.locator('[data-connection=live]').waitFor();
    await page.getByText('The exchange rejected the status request').waitFor({ state: 'detached' });
    await new Client(suite.url, 'carol').delete('/api/v1/hf/orders?symbol=LTC-USDT');
  });
}
