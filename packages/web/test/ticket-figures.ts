/**
 * The order form's estimates and warnings, and the display of figures, in a market where BTC-USDT last traded at
 * 50,000.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, type PageSuite } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { givePassword } from './people-page.ts';
import {
  chooseKind,
  fill,
  holdResponses,
  note,
  openTab,
  orderForm,
  rows,
  signInAs,
} from './terminal-page.ts';

const ORDERS = /\/hf\/orders\/sync$/;

export function ticketFigures(suite: PageSuite): void {
  test('a market order is estimated from the book, and a probable mistake asks for confirmation', async () => {
    const alice = new Client(suite.url, 'alice');
    const ask = { symbol: 'ETH-USDT', type: 'limit', side: 'sell' };
    await alice.post('/api/v1/hf/orders', { ...ask, price: '2000', size: '1' });
    await alice.post('/api/v1/hf/orders', { ...ask, price: '2100', size: '1' });
    await alice.post('/api/v1/hf/orders', { ...ask, side: 'buy', price: '1900', size: '1' });
    const page = await suite.open('/trade/ETH-USDT');
    await signInAs(page, 'bob');
    const form = orderForm(page);
    await chooseKind(page, 'Market', 'Buy');
    await form.getByRole('radio', { name: 'By size (ETH)' }).click();
    await fill(page, { Size: '2' });
    const estimate = form.getByLabel('Estimate from the book');
    for (const text of ['≈ 2,050.00', '2,100.00', '2.50 %']) await estimate.getByText(text).waitFor();
    await form.getByRole('button', { name: 'Buy ETH', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Send this order?' });
    await question.getByText(/2\.50 % away from the best one; the last part would cost 2,100\.00/).waitFor();
    assert.deepEqual(await axeFindings(page), [], 'the question');
    // It stays until it is answered, even if there is nothing to ask any more.
    const better = await alice.post('/api/v1/hf/orders', { ...ask, price: '2000', size: '1' });
    await question.getByText('The market has moved, and no warning applies now.').waitFor();
    const { orderId } = better.json.data as { readonly orderId: string };
    await alice.delete(`/api/v1/hf/orders/${orderId}?symbol=ETH-USDT`);
    await question.getByText(/2\.50 % away from the best one/).waitFor();
    await question.getByRole('button', { name: 'Back' }).click();
    await fill(page, { Size: '3' });
    await form.getByRole('button', { name: 'Buy ETH', exact: true }).click();
    await question.getByText('The book has only 2 ETH; the rest would be cancelled.').waitFor();
    await question.getByRole('button', { name: 'Back' }).click();

    await chooseKind(page, 'Limit', 'Buy');
    await form.getByRole('button', { name: 'Use the best ask' }).click();
    assert.equal(await form.getByLabel('Price', { exact: true }).inputValue(), '2000');
    await form.getByLabel('Total', { exact: true }).fill('1000');
    assert.equal(await form.getByLabel('Size', { exact: true }).inputValue(), '0.5');
    await fill(page, { Price: '20000' });
    assert.equal(await form.getByLabel('Total', { exact: true }).inputValue(), '10000');
    await form.getByRole('button', { name: 'Buy ETH', exact: true }).click();
    await question.getByText('The price is 900.00 % above the best ask 2,000.00.').waitFor();
    await question.getByRole('button', { name: 'Back' }).click();

    // One click fills in an OCO order that protects the position bought, even before the response to the bought order.
    const held = await holdResponses(page, ORDERS);
    await fill(page, { Price: '2000', Size: '0.5' });
    await form.getByRole('button', { name: 'Buy ETH', exact: true }).click();
    await note(page, 'Buy order filled').waitFor();
    await page
      .getByRole('region', { name: 'Notes' })
      .getByRole('button', { name: 'Take profit and stop loss' })
      .click();
    const prices = () =>
      Promise.all(
        ['Price of the limit order', 'Stop price', 'Size'].map((name) =>
          form.getByLabel(name, { exact: true }).inputValue(),
        ),
      );
    assert.deepEqual(await prices(), ['2040', '1980', '0.5']);
    held.release();
    await form.getByRole('button', { name: 'Sell ETH', exact: true, disabled: false }).waitFor();
    assert.deepEqual(await prices(), ['2040', '1980', '0.5']);
    // The button is beside every filled order in the history, too.
    await form.getByRole('radio', { name: 'Limit', exact: true }).click();
    await openTab(page, 'History');
    const history = rows(page, 'Done orders').first();
    await history.waitFor();
    await page.setViewportSize({ width: 1440, height: 1000 });
    const beyond = await history.evaluate((row) => {
      const { scrollWidth, clientWidth } = row.closest('[tabindex]')!;
      return scrollWidth - clientWidth;
    });
    assert.equal(beyond, 0, 'pixels of the history that lie below its actions');
    await page.setViewportSize({ width: 1600, height: 1000 });
    await rows(page, 'Done orders')
      .getByRole('button', { name: /^Take profit and stop loss/ })
      .first()
      .click();
    assert.deepEqual(await prices(), ['2040', '1980', '0.5']);
    await form.getByText('Sell 0.5 ETH at 2,040.00, or stop at 1,980.00').waitFor();
    await form.getByRole('button', { name: 'Sell ETH', exact: true }).click();
    await note(page, 'Sell OCO order placed').waitFor();
    for (const who of ['alice', 'bob']) {
      await new Client(suite.url, who).delete('/api/v1/hf/orders?symbol=ETH-USDT');
    }
  });

  test('two clicks before the next render send one order', async () => {
    const page = await suite.open('/trade/XRP-USDT');
    await signInAs(page, 'bob');
    const form = orderForm(page);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && /orders|oco/.test(request.url())) sent.push(request.url());
    });
    const sendTwice = () =>
      form.evaluate((element: HTMLFormElement) => {
        element.requestSubmit();
        element.requestSubmit();
      });
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '0.5', Size: '10' });
    await form.getByText('Buy 10 XRP for 5.00000 USDT').waitFor();
    await sendTwice();
    await note(page, 'Buy order open').waitFor();
    await openTab(page, /^Open orders \(1\)/);
    assert.equal(sent.length, 1);
    // After the response the same order is a new one.
    await fill(page, { Size: '10' });
    await form.getByText('Buy 10 XRP for 5.00000 USDT').waitFor();
    await sendTwice();
    await openTab(page, /^Open orders \(2\)/);
    assert.equal(sent.length, 2);
    await new Client(suite.url, 'bob').delete('/api/v1/hf/orders?symbol=XRP-USDT');
  });

  test('on a phone, an order in flight is not sent again after its sheet was closed, and its outcome is shown', async () => {
    const page = await suite.open('/trade/XRP-USDT', { width: 390, height: 844 });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (ORDERS.test(request.url())) sent.push(request.url());
    });
    await signInAs(page, 'bob');
    const held = await holdResponses(page, ORDERS);
    const form = orderForm(page);
    const openSheet = () => page.getByRole('button', { name: 'Buy', exact: true }).click();
    const closeSheet = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await form.waitFor({ state: 'detached' });
    };
    const buy = form.getByRole('button', { name: 'Buy XRP', exact: true });
    await openSheet();
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '0.5', Size: '10' });
    await buy.click();
    await held.isExecuted;
    await closeSheet();
    await openSheet();
    assert.equal(await form.getByLabel('Size', { exact: true }).inputValue(), '10');
    assert.ok(await buy.isDisabled());
    await closeSheet();
    held.release();
    await note(page, 'Buy order open').waitFor();
    await openSheet();
    assert.equal(await form.getByLabel('Size', { exact: true }).inputValue(), '');
    assert.equal(sent.length, 1);
    await new Client(suite.url, 'bob').delete('/api/v1/hf/orders?symbol=XRP-USDT');
  });

  test('an order in flight is reported even if the form has changed or shows another market', async () => {
    const page = await suite.open('/trade/XRP-USDT');
    await signInAs(page, 'bob');
    const form = orderForm(page);
    const market = async (name: string): Promise<void> => {
      const list = page.getByRole('list', { name: 'Markets' });
      await list.getByRole('button', { name: new RegExp(`^${name}/USDT`) }).click();
      await page.getByRole('heading', { name: `Trade ${name}-USDT` }).waitFor({ state: 'attached' });
    };
    const valueOf = (label: string) => form.getByLabel(label, { exact: true }).inputValue();
    const buy = form.getByRole('button', { name: 'Buy XRP', exact: true });
    await chooseKind(page, 'Limit', 'Buy');
    await form.getByText('Self-trade prevention, client id, remark').click();

    // A changed draft is the next order. It keeps everything but the client id, which names only one order.
    let held = await holdResponses(page, ORDERS);
    await fill(page, { Price: '0.5', Size: '10', 'Client id': 'first' });
    await buy.click();
    await held.isExecuted;
    await fill(page, { Price: '0.4' });
    assert.ok(await buy.isDisabled());
    held.release();
    await note(page, 'Buy order open').waitFor();
    await form.getByRole('button', { name: 'Buy XRP', exact: true, disabled: false }).waitFor();
    assert.deepEqual(await Promise.all(['Price', 'Size', 'Client id'].map(valueOf)), ['0.4', '10', '']);

    // Another market's form is free meanwhile, and this one is emptied although it is not shown.
    held = await holdResponses(page, ORDERS);
    await fill(page, { Size: '11' });
    await buy.click();
    await held.isExecuted;
    await market('LTC');
    await fill(page, { Price: '20', Size: '1' });
    await form.getByRole('button', { name: 'Buy LTC', exact: true, disabled: false }).waitFor();
    await market('XRP');
    assert.deepEqual(await Promise.all(['Price', 'Size'].map(valueOf)), ['0.4', '11']);
    assert.ok(await buy.isDisabled());
    await market('LTC');
    held.release();
    await note(page, '11 XRP in the book.').waitFor();
    assert.equal(await valueOf('Size'), '1');
    await market('XRP');
    assert.equal(await valueOf('Size'), '');
    const { json } = await new Client(suite.url, 'bob').get('/api/v1/hf/orders/active?symbol=XRP-USDT');
    assert.equal((json.data as unknown[]).length, 2);
    await new Client(suite.url, 'bob').delete('/api/v1/hf/orders?symbol=XRP-USDT');
  });

  test('a form in a dialog does not submit the order form behind it', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await chooseKind(page, 'Stop limit', 'Buy');
    // Far from its stop price: submitting the order would ask first.
    await fill(page, { 'Stop price': '60000', Price: '90000', Size: '0.01' });
    await orderForm(page)
      .getByText(/^Buy 0\.01 BTC/)
      .waitFor();
    await orderForm(page).getByRole('button', { name: 'Sign in to trade' }).click();
    await givePassword(page, 'nobody@example.test');
    await page.getByText(/The e-mail address or the password is wrong/).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Send this order?' }).count(), 0);
  });

  test('figures line up in their columns, and are copied with all their digits', async () => {
    const [alice, carol] = ['alice', 'carol'].map((name) => new Client(suite.url, name)) as [Client, Client];
    const order = { symbol: 'LTC-USDT', type: 'limit', price: '53.12', size: '0.13' };
    for (const [who, side] of [
      [alice, 'sell'],
      [carol, 'buy'],
    ] as const) {
      const { json } = await who.post('/api/v1/hf/orders', { ...order, side });
      assert.equal(json.code, '200000');
    }
    const page = await suite.open('/trade/LTC-USDT');
    await signInAs(page, 'carol');
    await openTab(page, 'Fills');
    const row = rows(page, 'Fills').nth(1);
    const fee = row.getByText(/^0\.007/).first();
    assert.equal(await fee.getAttribute('title'), '0.0069056 USDT');
    await row.evaluate((element) => getSelection()!.selectAllChildren(element));
    await page.keyboard.press('Control+c');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /0\.0069056/);
    const places = (await rows(page, 'Fills').locator('td:nth-child(3)').allInnerTexts()).map(
      (text) => text.split('.')[1]?.length,
    );
    assert.deepEqual([...new Set(places)], [3]);
  });
}
