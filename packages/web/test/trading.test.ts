// Trading in the terminal against a running exchange: two browsers trade with each other; every kind of order is
// placed, every rule is checked while typing, orders are altered and cancelled, and the exchange's own messages are
// shown.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { inLongRunOnly } from '@bourse/test-kit/run-size.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { chartTests } from './chart-tests.ts';
import { chooseKind, fill, note, openTab, orderForm, rows, send, signInAs } from './terminal-page.ts';
import { ticketFigures } from './ticket-figures.ts';
import { ticketTests } from './ticket-tests.ts';

describePages('trading in the terminal', { market: 'quiet' }, (suite) => {
  test('two browsers trade with each other, and each shows the trade', async () => {
    const alice = await suite.open('/trade/BTC-USDT');
    const bob = await suite.open('/trade/BTC-USDT');
    await signInAs(alice, 'alice');
    await signInAs(bob, 'bob');
    await alice.getByText('No trade yet').waitFor();
    await alice.getByText('No trades yet').waitFor();
    await alice.getByText('No asks').waitFor();

    await chooseKind(alice, 'Limit', 'Sell');
    await fill(alice, { Price: '50000', Size: '0.5' });
    await send(alice, 'Sell', 'Sell order open');
    // The order is in bob's book, and in alice's with a mark.
    await bob.getByRole('button', { name: /^Ask 50,000\.0 size 0\.5000 sum 0\.5000$/ }).click();
    await alice.getByRole('button', { name: /^Ask 50,000\.0.* of which yours 0\.5$/ }).waitFor();

    // The click filled the price into bob's form.
    assert.equal(await orderForm(bob).getByLabel('Price', { exact: true }).inputValue(), '50000.0');
    // A click on a sum fills it in as the size.
    await bob
      .getByRole('button', { name: /^Ask 50,000\.0/ })
      .locator('[data-sum]')
      .click();
    assert.equal(await orderForm(bob).getByLabel('Size', { exact: true }).inputValue(), '0.5');
    await fill(bob, { Size: '0.2' });
    await orderForm(bob).getByText('10,010.00 USDT').waitFor();
    await orderForm(bob).getByText('Buy 0.2 BTC for 10,000.00 USDT').waitFor();
    await send(bob, 'Buy', 'Buy order filled');

    // One toast per order, with the filled size, price and cost.
    await note(bob, '0.2 BTC at 50,000 on average, fee 10.00 USDT.').waitFor();
    await note(
      alice,
      /^0\.2 of 0\.5 BTC at 50,000 on average, fee [\d.]+ USDT; the rest is in the book\.$/,
    ).waitFor();
    for (const page of [alice, bob]) {
      assert.equal(await page.getByRole('region', { name: 'Notes' }).getByRole('status').count(), 1);
    }
    for (const page of [alice, bob]) {
      await page.getByTestId('last-price').getByText('50,000.0').waitFor();
      await page.getByRole('table', { name: 'Last trades in BTC-USDT' }).getByText('bought').waitFor();
    }
    await openTab(alice, /^Open orders \(1\)/);
    await rows(alice, 'Open orders').getByText('0.20000000 / 0.50000000').waitFor();
    await openTab(bob, 'Fills');
    await rows(bob, 'Fills').getByText('taker').waitFor();
    await openTab(bob, 'Balances');
    await rows(bob, 'Balances').getByText('100.20000000', { exact: true }).waitFor();
  });

  ticketTests(suite);
  ticketFigures(suite);

  test('every kind of order is placed', { skip: inLongRunOnly }, async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'carol');
    const form = orderForm(page);

    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '30000', Size: '0.01' });
    await form.getByLabel('Post only').check();
    await form.getByRole('button', { name: 'Test the order without placing it' }).click();
    await note(page, 'The exchange would accept this order').waitFor();
    await send(page, 'Buy', 'Buy order open');
    await form.getByLabel('Post only').uncheck();

    await form.getByLabel('Time in force').selectOption('GTT');
    await fill(page, { Size: '0.01', Seconds: '3600' });
    await send(page, 'Buy', 'Buy order open');

    await form.getByLabel('Time in force').selectOption('GTC');
    await form.getByLabel('Iceberg').check();
    await fill(page, { Size: '0.1', 'Visible size': '0.01' });
    await send(page, 'Buy', 'Buy order open');
    await form.getByLabel('Iceberg').uncheck();

    await form.getByLabel('Hidden').check();
    await fill(page, { Size: '0.02' });
    await send(page, 'Buy', 'Buy order open');
    await form.getByLabel('Hidden').uncheck();

    for (const timeInForce of ['IOC', 'FOK']) {
      await form.getByLabel('Time in force').selectOption(timeInForce);
      await fill(page, { Size: '0.03' });
      await send(page, 'Buy', 'Buy order cancelled');
    }
    await form.getByLabel('Time in force').selectOption('GTC');

    await chooseKind(page, 'Market', 'Buy');
    await fill(page, { 'Funds, fee included': '1000' });
    await send(page, 'Buy', 'Buy order filled');
    await form.getByRole('radio', { name: 'By size (BTC)' }).click();
    await fill(page, { Size: '0.01' });
    await send(page, 'Buy', 'Buy order filled');

    await chooseKind(page, 'Stop limit', 'Sell');
    await fill(page, { 'Stop price': '20000', Price: '19000', Size: '0.01' });
    await send(page, 'Sell', 'Sell stop order placed');
    await chooseKind(page, 'Stop market', 'Buy');
    await form.getByRole('radio', { name: 'By size (BTC)' }).click();
    await fill(page, { 'Stop price': '90000', Size: '0.01' });
    await send(page, 'Buy', 'Buy stop order placed');

    await chooseKind(page, 'OCO', 'Sell');
    await fill(page, {
      'Price of the limit order': '80000',
      'Stop price': '20000',
      'Then limit at': '19000',
      Size: '0.01',
    });
    await send(page, 'Sell', 'Sell OCO order placed');

    await openTab(page, /^Open orders \(5\)/);
    for (const word of ['post only', 'GTT 3600 s', 'iceberg 0.01', 'hidden']) {
      await rows(page, 'Open orders').getByText(word).first().waitFor();
    }
    await openTab(page, /^Stop & OCO \(3\)/);
    await rows(page, 'Waiting stop orders').getByText('rises to 90,000').waitFor();
    await page.getByRole('radio', { name: 'OCO pairs' }).click();
    await rows(page, 'OCO orders').getByText('when 20,000').waitFor();
    await page.getByRole('button', { name: /^Cancel OCO order/ }).click();
    await note(page, 'Both parts cancelled').waitFor();
    await page.getByRole('radio', { name: 'Waiting' }).click();
    await page.getByRole('button', { name: /^Cancel (all )?\d stop orders? in BTC-USDT$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel \d/ })
      .click();
    await page.getByText('No pending stop order').waitFor();

    // The history shows how each order ended, in the exchange's words.
    await openTab(page, 'History');
    await rows(page, 'Done orders').getByText('the unfilled part of an IOC order').waitFor();
    await rows(page, 'Done orders').getByText('a FOK order that could not be filled completely').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const saved = readFileSync((await download.path())!, 'utf8');
    assert.match(saved, /^id,createdAt,doneAt,symbol,side/);
    assert.match(saved, /the unfilled part of an IOC order/);
  });

  test('errors are shown while typing, and one click fixes them', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'carol');
    const form = orderForm(page);
    const button = form.getByRole('button', { name: 'Buy BTC', exact: true });
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '30000.05', Size: '0.01' });
    await form.getByText('Must be a positive multiple of priceIncrement 0.1.').waitFor();
    assert.equal(await form.getByLabel('Price', { exact: true }).getAttribute('aria-invalid'), 'true');
    assert.ok(await button.isDisabled());
    await form.getByRole('button', { name: 'Use 30000.1' }).click();
    assert.equal(await form.getByLabel('Price', { exact: true }).inputValue(), '30000.1');
    assert.ok(await button.isEnabled());

    await fill(page, { Size: '1000' });
    await form.getByText(/are missing/).waitFor();
    await form.getByRole('button', { name: /^Use \d/ }).click();
    assert.ok(await button.isEnabled());

    const slider = form.getByRole('slider', { name: 'Share of the available balance' });
    await slider.focus();
    await slider.press('End');
    assert.equal(await slider.getAttribute('aria-valuetext'), '100 %');
    assert.ok(await button.isEnabled(), 'all that is available is not too much');
  });

  test('a rejection is shown with the message of the exchange', { skip: inLongRunOnly }, async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'carol');
    await chooseKind(page, 'Limit', 'Buy');
    const form = orderForm(page);
    await form.getByText('Self-trade prevention, client id, remark').click();
    for (const title of ['Buy order open', 'The clientOid was used before']) {
      await fill(page, { Price: '29000', Size: '0.001', 'Client id': 'only-once' });
      await form.getByRole('button', { name: 'Buy BTC', exact: true }).click();
      if (title === 'Buy order open') await note(page, title).waitFor();
    }
    await note(page, 'Place an order: rejected').waitFor();
    const alert = page.getByRole('alert').filter({ hasText: 'Place an order: rejected' });
    assert.match(await alert.innerText(), /only-once.*\(400100\)/s);
  });

  test('an order can be altered, partly cancelled, viewed and cancelled', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'bob');
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '31000', Size: '0.4' });
    await send(page, 'Buy', 'Buy order open');
    const line = (price: string) => rows(page, 'Open orders').filter({ hasText: price });

    await line('31,000')
      .getByRole('button', { name: /^Alter order/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New price', { exact: true }).fill('31500.05');
    await dialog.getByText('Must be a positive multiple of priceIncrement 0.1.').waitFor();
    await dialog.getByLabel('New price', { exact: true }).fill('31500');
    await dialog.getByRole('button', { name: 'Alter', exact: true }).click();
    await line('31,500').waitFor();

    await line('31,500')
      .getByRole('button', { name: /^Alter order/ })
      .click();
    await dialog.getByLabel('Or cancel a part; the rest keeps its place').fill('0.1');
    await dialog.getByRole('button', { name: 'Cancel this part' }).click();
    await note(page, 'Part cancelled').waitFor();

    await line('31,500')
      .getByRole('button', { name: /^Lifecycle of order/ })
      .click();
    const events = dialog.getByRole('list', { name: 'Events' });
    await events.getByText('received').waitFor();
    await events.getByText(/0.3 BTC rest in the book; 0.1 were cancelled/).waitFor();
    await page.keyboard.press('Escape');

    // Another price does not bring back what was cancelled.
    await line('31,500')
      .getByRole('button', { name: /^Alter order/ })
      .click();
    assert.equal(await dialog.getByLabel('New size, including the filled part').inputValue(), '0.3');
    await dialog.getByLabel('New price', { exact: true }).fill('31600');
    await dialog.getByRole('button', { name: 'Alter', exact: true }).click();
    await line('31,600').getByText('0.00000000 / 0.30000000').waitFor();

    await line('31,600')
      .getByRole('button', { name: /^Cancel order/ })
      .click();
    await note(page, 'Order cancelled').waitFor();
    await openTab(page, 'History');
    await rows(page, 'Done orders').getByText('as requested').first().waitFor();
    await rows(page, 'Done orders').getByText('replaced by a changed one').first().waitFor();
  });

  test("all orders of the market can be cancelled at once, and by a dead man's switch when the user is away", {
    skip: inLongRunOnly,
  }, async () => {
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'carol');
    await openTab(page, /^Open orders/);
    await page.getByRole('button', { name: "Dead man's switch: off" }).click();
    await page.getByRole('dialog').getByLabel('Seconds from now').fill('600');
    await page.getByRole('dialog').getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByRole('button', { name: /^Dead man's switch: at / }).waitFor();
    await page.getByRole('button', { name: /^Cancel all \d+ orders in BTC-USDT$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel \d/ })
      .click();
    await page.getByText('No open order').waitFor();
  });

  test('more orders than fit one page of the API are all counted', { skip: inLongRunOnly }, async () => {
    const carol = new Client(suite.url, 'carol');
    for (const symbol of ['BTC-USDT', 'ETH-USDT', 'ETH-BTC']) {
      for (let placed = 0; placed < 170; placed += 5) {
        const price = symbol === 'ETH-BTC' ? '0.01' : '1000';
        const order = { symbol, type: 'limit', side: 'buy', price, size: '0.01' };
        const { json } = await carol.post('/api/v1/hf/orders/multi', {
          orderList: Array.from({ length: 5 }, () => order),
        });
        assert.equal(json.code, '200', JSON.stringify(json));
      }
    }
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'carol');
    await openTab(page, /^Open orders \(170\)/);
    await page.getByRole('checkbox', { name: 'All markets' }).click();
    await openTab(page, /^Open orders \(510\)/);
    await page.getByText('The newest 500 of 510 are listed.').waitFor();
    await page.getByRole('button', { name: 'Cancel all 510 orders' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 510 orders' }).click();
    await page.getByText('No open order').waitFor();
  });

  // Last, because its orders consume the liquidity of the other tests.
  chartTests(suite);
});
