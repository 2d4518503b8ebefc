/** The chart's tools, in a market where BTC-USDT last traded at 50,000. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { axeFindings, type PageSuite } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { note, openTab, orderForm, rows, signInAs } from './terminal-page.ts';

async function drag(page: Page, handle: Locator, dy: number): Promise<void> {
  const { x, y, width, height } = (await handle.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2 + dy / 2);
  await page.mouse.move(x + width / 2, y + height / 2 + dy);
  await page.mouse.up();
}

/** A candle from 49,500 to 50,500, so that the chart has a scale; the last price is 50,000 again. */
async function tradeAround(suite: PageSuite): Promise<void> {
  for (const price of ['49500', '50500', '50000']) await tradeAt(suite, price);
}

async function tradeAt({ url }: PageSuite, price: string): Promise<void> {
  for (const [name, side] of [
    ['alice', 'sell'],
    ['bob', 'buy'],
  ] as const) {
    const order = { symbol: 'BTC-USDT', type: 'limit', side, price, size: '0.01' };
    const { json } = await new Client(url, name).post('/api/v1/hf/orders', order);
    assert.equal(json.code, '200000', JSON.stringify(json));
  }
}

/** A day of candles in BCHSV-USDT that closed at 50, so that indicators have history. */
async function importCandles({ exchange }: PageSuite): Promise<void> {
  const { operatorUrl, operatorToken } = exchange.connection;
  const end = Math.floor(Date.now() / 900_000) * 900 - 7_200;
  const candles = Array.from({ length: 96 }, (_, at) =>
    [end - (95 - at) * 900, 50, 50, 51, 49, 1, 50].map(String),
  );
  const response = await fetch(`${operatorUrl}/v1/symbols/BCHSV-USDT/candles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ interval: '15min', candles, reason: 'a test' }),
  });
  assert.ok(response.ok, await response.text());
}

export function chartTests(suite: PageSuite): void {
  test('orders, stops and both parts of an OCO order are lines on the chart, and dragging one asks for confirmation', async () => {
    for (const name of ['alice', 'bob']) {
      await new Client(suite.url, name).delete('/api/v1/hf/orders?symbol=BTC-USDT');
    }
    await tradeAround(suite);
    const carol = new Client(suite.url, 'carol');
    const order = { symbol: 'BTC-USDT', type: 'limit', size: '0.01' };
    const placed = [
      await carol.post('/api/v1/hf/orders', { ...order, side: 'buy', price: '49900' }),
      await carol.post('/api/v1/stop-order', {
        ...order,
        side: 'sell',
        price: '49790',
        stopPrice: '49800',
        remark: 'mine',
      }),
      await carol.post('/api/v3/oco/order', {
        ...order,
        side: 'sell',
        price: '50200',
        stopPrice: '49700',
        limitPrice: '49690',
        clientOid: 'pair-of-carol',
      }),
    ];
    for (const { json } of placed) assert.equal(json.code, '200000', JSON.stringify(json));
    const page = await suite.open('/trade/BTC-USDT');
    await signInAs(page, 'carol');
    const lines = page.getByRole('list', { name: 'Lines on the chart' });
    const buy = lines.getByRole('button', { name: 'Move buy 0.01 at 49,900' });
    await buy.waitFor();
    for (const name of [
      'sell stop 0.01 at 49,800',
      'sell OCO limit 0.01 at 50,200',
      'sell OCO stop 0.01 at 49,700',
    ]) {
      await lines.getByRole('button', { name: `Move ${name}` }).waitFor();
    }

    // The pointer drags; the keyboard moves by exact steps.
    const dialog = page.getByRole('dialog', { name: /^Move:/ });
    await drag(page, buy, 30);
    await dialog.getByText('Move the order').waitFor();
    const dropped = Number(await dialog.getByLabel('New price').inputValue());
    assert.ok(dropped < 49900, String(dropped));
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), []);
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    await buy.focus();
    await buy.press('Shift+ArrowDown');
    await buy.press('ArrowUp');
    await buy.press('Enter');
    assert.equal(await dialog.getByLabel('New price').inputValue(), '49899.1');
    await dialog.getByRole('row', { name: 'Price 49,900.0 49,899.1' }).waitFor();
    await dialog.getByRole('button', { name: 'Move the order' }).click();
    await note(page, 'Order moved to 49,899.1').waitFor();
    await lines.getByRole('button', { name: 'Move buy 0.01 at 49,899.1' }).waitFor({ state: 'attached' });

    // A stop cannot be amended: the dialog explains that, and the limit price keeps its distance.
    await lines.getByRole('button', { name: /^Move sell stop/ }).press('Enter');
    await dialog.getByLabel('New price').fill('49810');
    await dialog.getByText('It is cancelled and a new one placed').waitFor();
    await dialog.getByRole('row', { name: 'Then limit at 49,790.0 49,800.0' }).waitFor();
    // The market passes the price while the dialog is open: the stop keeps its direction and would trigger.
    await dialog.getByLabel('New price').fill('49950');
    await tradeAt(suite, '49940');
    await dialog.getByText('It would trigger now: the last price is 49,940.0.').waitFor();
    await dialog.getByRole('row', { name: 'When the price falls to 49,800.0 falls to 49,950.0' }).waitFor();
    await dialog.getByLabel('New price').fill('49960');
    await dialog.getByText('It would wait for a rise; until now it waits for a fall.').waitFor();
    await tradeAt(suite, '50000');
    await dialog.getByLabel('New price').fill('49810');
    await dialog.getByText('It would').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Cancel and replace' }).click();
    await lines.getByRole('button', { name: 'Move sell stop 0.01 at 49,810' }).waitFor({ state: 'attached' });
    const { json: stops } = await carol.get('/api/v1/stop-order?symbol=BTC-USDT');
    const moved = (
      stops.data as { items: { stopPrice: string; price: string; remark: string; stop: string }[] }
    ).items
      .filter(({ remark }) => remark === 'mine')
      .map(({ stopPrice, price, stop }) => [stopPrice, price, stop]);
    assert.deepEqual(moved, [['49810', '49800', 'loss']]);

    // A pair is not cancelled if the exchange would reject the new one.
    await lines.getByRole('button', { name: /^Move sell OCO limit/ }).press('Enter');
    await dialog.getByLabel('New price').fill('49000');
    await dialog.getByText('the limit must be above the last price').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Cancel and replace' }).isDisabled());
    await dialog.getByLabel('New price').fill('50300');
    await dialog.getByRole('button', { name: 'Cancel and replace' }).click();
    await lines
      .getByRole('button', { name: 'Move sell OCO limit 0.01 at 50,300' })
      .waitFor({ state: 'attached' });
    await lines
      .getByRole('button', { name: 'Move sell OCO stop 0.01 at 49,700' })
      .waitFor({ state: 'attached' });

    await lines.getByRole('button', { name: 'Cancel buy 0.01 at 49,899.1' }).press('Enter');
    await note(page, 'Cancelled: buy 0.01 at 49,899.1').waitFor();
    await openTab(page, /^Open orders \(1\)/);
    await carol.delete('/api/v1/stop-order/cancel');
    await carol.delete('/api/v1/hf/orders?symbol=BTC-USDT');
  });

  test('chosen indicators, chart types and lines are shown, and kept after a reload', async () => {
    await importCandles(suite);
    const page = await suite.open('/trade/BCHSV-USDT');
    const loaded: string[] = [];
    page.on('response', (response) => loaded.push(response.url()));
    const toolbar = page.getByRole('toolbar', { name: 'Chart' });
    const figure = page.getByRole('figure', { name: /^Candles of/ });
    await figure.locator('canvas').first().waitFor();
    const panes = (): Promise<number> => figure.locator('tr').count();
    const before = await panes();
    await toolbar.getByRole('button', { name: 'Indicators' }).click();
    for (const name of [
      'MA 20',
      'EMA 50',
      'VWAP',
      'Bollinger 20, 2',
      'RSI 14',
      'MACD 12, 26, 9',
      'Volume profile',
    ]) {
      await page.getByRole('menuitemcheckbox', { name }).click();
    }
    await page.keyboard.press('Escape');
    await page.mouse.move(5, 5);
    await toolbar.getByRole('button', { name: 'Indicators (7)' }).waitFor();
    const legend = page.getByRole('list', { name: 'Indicators' });
    for (const text of ['MA 20 50.00', 'EMA 50 50.00', 'RSI 14 50.00', 'MACD 0.00']) {
      await legend.getByText(text, { exact: true }).waitFor();
    }
    assert.ok(
      loaded.some((url) => /chart-tools/.test(url)),
      'loaded when they are used',
    );
    assert.equal((await panes()) > before, true, 'RSI and MACD have panes of their own');
    for (const name of ['Hollow candles', 'Bars', 'Line', 'Area', 'Candles']) {
      await toolbar.getByRole('button', { name: /^Chart type/ }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await toolbar.getByRole('button', { name: `Chart type: ${name}`, exact: true }).waitFor();
    }
    await toolbar.getByRole('button', { name: 'Log' }).click();
    assert.deepEqual(await axeFindings(page, '[aria-label=Chart]'), []);

    // Lines drawn by click and by keyboard survive a reload.
    const lines = page.getByRole('list', { name: 'Lines on the chart' });
    const draw = async (kind: string): Promise<void> => {
      await toolbar.getByRole('button', { name: 'Draw' }).click();
      await page.getByRole('menuitem', { name: kind }).click();
      await page.getByText(/Escape cancels/).waitFor();
    };
    await draw('Horizontal line');
    await page.keyboard.press('Enter');
    const line = lines.getByRole('button', { name: 'Move the line at 50.00' });
    await line.press('ArrowUp');
    await line.press('Enter');
    await lines.getByRole('button', { name: 'Move the line at 50.01' }).waitFor({ state: 'attached' });
    await draw('Trend line');
    const area = page.getByTestId('drawing-area');
    await area.click({ position: { x: 200, y: 60 } });
    await page.getByText('Click the end of the line.').waitFor();
    await area.click({ position: { x: 300, y: 120 } });
    await lines
      .getByRole('button', { name: 'Move the end of the trend line' })
      .waitFor({ state: 'attached' });
    await page.reload();
    for (const name of ['Move the line at 50.01', 'Move the end of the trend line']) {
      await lines.getByRole('button', { name }).waitFor({ state: 'attached' });
    }
    await toolbar.getByRole('button', { name: 'Indicators (7)' }).waitFor();
    assert.equal(await toolbar.getByRole('button', { name: 'Log' }).getAttribute('aria-pressed'), 'true');
    await toolbar.getByRole('button', { name: 'Draw' }).click();
    await page.getByRole('menuitem', { name: 'Remove all 2 lines' }).click();
    await lines.getByRole('button').first().waitFor({ state: 'detached' });

    // Full screen on and off, and back to the last candle.
    const width = async (): Promise<number> => (await figure.boundingBox())!.width;
    const narrow = await width();
    await toolbar.getByRole('button', { name: 'Chart in full screen' }).click();
    await toolbar.getByRole('button', { name: 'Leave full screen' }).waitFor();
    assert.ok((await width()) > narrow * 1.5);
    await toolbar.getByRole('button', { name: 'Leave full screen' }).click();
    await toolbar.getByRole('button', { name: 'Chart in full screen' }).waitFor();
    assert.equal(await toolbar.getByRole('button', { name: 'Now' }).count(), 0);
    const box = (await figure.boundingBox())!;
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 120, box.y + 100, { steps: 5 });
    await page.mouse.up();
    await toolbar.getByRole('button', { name: 'Now' }).click();
    await toolbar.getByRole('button', { name: 'Now' }).waitFor({ state: 'detached' });
  });

  test('the depth chart shows the size at a price, and a click copies the price into the form', async () => {
    const alice = new Client(suite.url, 'alice');
    const order = { symbol: 'LTC-USDT', type: 'limit', size: '2' };
    await alice.post('/api/v1/hf/orders', { ...order, side: 'buy', price: '50' });
    await alice.post('/api/v1/hf/orders', { ...order, side: 'buy', price: '49' });
    await alice.post('/api/v1/hf/orders', { ...order, side: 'sell', price: '52' });
    const page = await suite.open('/trade/LTC-USDT');
    await signInAs(page, 'carol');
    await openTab(page, 'Depth');
    const depth = page.getByRole('slider', { name: 'Depth of LTC-USDT' });
    await depth.focus();
    for (const words of ['50: 2 LTC to there, worth 100.00 USDT', '49: 4 LTC to there, worth 198.00 USDT']) {
      await depth.press('ArrowLeft');
      assert.equal(await depth.getAttribute('aria-valuetext'), words);
    }
    assert.deepEqual(await axeFindings(page, '[aria-label=Chart]'), []);
    await depth.press('Enter');
    const form = orderForm(page);
    assert.equal(await form.getByLabel('Price', { exact: true }).inputValue(), '49');
    assert.equal(await form.getByLabel('Size', { exact: true }).inputValue(), '4');
    const { width, height } = (await depth.boundingBox())!;
    await depth.hover({ position: { x: width - 10, y: height / 2 } });
    await page.getByText(/^52\.00.*\(\+1\.96 %\)$/).waitFor();
    await depth.click({ position: { x: width - 10, y: height / 2 } });
    assert.equal(await form.getByLabel('Price', { exact: true }).inputValue(), '52');
    await alice.delete('/api/v1/hf/orders?symbol=LTC-USDT');
    await rows(page, 'Open orders').first().waitFor({ state: 'detached' });
  });
}
