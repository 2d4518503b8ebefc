/**
 * The user's arrangement of the terminal: panels, sides of the book, colours, order of the markets, alerts. In a
 * quiet market.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { axeFindings, type PageSuite, waitForTransitions } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { note, orderForm } from './terminal-page.ts';

const SYMBOL = 'LTC-USDT';

const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const widthOf = async (element: Locator): Promise<number> => (await element.boundingBox())!.width;

/** Counts calls, such as started animations, by wrapping the page's objects before it uses them. */
async function count(page: Page, of: 'animate' | 'sound'): Promise<() => Promise<number>> {
  await page.evaluate((what) => {
    const counted = window as unknown as Record<string, number>;
    counted[what] = 0;
    const prototype = (what === 'animate' ? Element : OscillatorNode).prototype as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >;
    const name = what === 'animate' ? 'animate' : 'start';
    const original = prototype[name]!;
    prototype[name] = function (this: unknown, ...args: unknown[]) {
      counted[what]!++;
      return original.apply(this, args);
    };
  }, of);
  return () => page.evaluate((what) => (window as unknown as Record<string, number>)[what]!, of);
}

export function deskTests(suite: PageSuite): void {
  const order = async (user: string, side: string, price: string, size: string): Promise<void> => {
    const body = { symbol: SYMBOL, type: 'limit', side, price, size };
    const { json } = await new Client(suite.url, user).post('/api/v1/hf/orders', body);
    assert.equal(json.code, '200000', JSON.stringify(json));
  };

  test('panels can be hidden and resized by pointer and keyboard, and the layout is kept', async () => {
    const page = await suite.open(`/trade/${SYMBOL}`);
    const form = panel(page, 'Order');
    await orderForm(page).waitFor();
    const before = await widthOf(form);
    const divider = page.getByRole('separator', { name: 'Width of the order form' });
    const box = (await divider.boundingBox())!;
    await page.mouse.move(box.x + 3, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x - 57, box.y + 220, { steps: 3 });
    await page.mouse.up();
    const isWide = (width: number) =>
      divider.and(page.locator(`[aria-valuenow="${width}"]`)).waitFor({ state: 'attached' });
    await isWide(before + 60);
    assert.equal(await widthOf(form), before + 60);
    await divider.press('ArrowRight');
    await isWide(before + 44);
    assert.equal(await widthOf(form), before + 44);

    const layout = page.getByRole('button', { name: 'Layout', exact: true });
    await layout.click();
    assert.deepEqual(await axeFindings(page, '[role=menu]'), []);
    await page.getByRole('menuitemcheckbox', { name: 'Trades' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Markets' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await orderForm(page).waitFor();
    assert.equal(await widthOf(form), before + 44);
    assert.equal(await panel(page, 'Trades').count(), 0);
    assert.equal(await panel(page, 'Markets').count(), 0);
    assert.deepEqual(await axeFindings(page), [], 'with hidden panels');
    await layout.click();
    await page.getByRole('menuitem', { name: 'Reset the layout' }).click();
    await panel(page, 'Markets').waitFor();
    assert.equal(await widthOf(form), before);
    // A tablet has two panes, and nothing outside the screen.
    await page.setViewportSize({ width: 820, height: 1180 });
    await panel(page, 'Order book and trades').waitFor();
    await orderForm(page).waitFor();
    await panel(page, 'Chart').waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await axeFindings(page), [], 'a tablet');
  });

  test('the book can show one side, highlights a changed size, and has selectable colours', async () => {
    const page = await suite.open(`/trade/${SYMBOL}`, { reducedMotion: false });
    await order('alice', 'buy', '60', '1');
    await order('alice', 'sell', '70', '1');
    const bids = page.getByRole('list', { name: 'Bids' });
    const asks = page.getByRole('list', { name: 'Asks' });
    await bids.getByText('60.00').waitFor();
    await asks.getByText('70.00').waitFor();
    const flashes = await count(page, 'animate');
    await order('alice', 'buy', '60', '0.5');
    await bids.getByRole('button', { name: /size 1\.5/ }).waitFor();
    assert.equal(await flashes(), 1);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await order('alice', 'buy', '60', '0.5');
    await bids.getByRole('button', { name: /size 2/ }).waitFor();
    assert.equal(await flashes(), 1);

    await page.getByLabel('Sides of the book').selectOption('bids');
    await asks.waitFor({ state: 'detached' });
    await page.getByLabel('Sides of the book').selectOption('asks');
    await asks.getByText('70.00').waitFor();
    assert.equal(await bids.count(), 0);

    const colour = async (): Promise<string> => {
      await waitForTransitions(page);
      return asks.getByText('70.00').evaluate((element) => getComputedStyle(element).color);
    };
    const orange = await colour();
    await page.getByRole('button', { name: 'Theme and colours' }).click();
    await page.getByRole('menuitem', { name: 'Up green, down red' }).click();
    assert.notEqual(await colour(), orange);
    assert.deepEqual(await axeFindings(page, '#root'), [], 'green and red');
    await page.emulateMedia({ colorScheme: 'light' });
    assert.deepEqual(await axeFindings(page, '#root'), [], 'green and red, light');
  });

  test('markets are sorted by turnover, and a price alert has a sound and an entry in the notification log', async () => {
    const page = await suite.open(`/trade/${SYMBOL}`);
    await order('alice', 'sell', '65', '102');
    await order('bob', 'buy', '65', '100');
    await page.getByTestId('last-price').getByText('65.00').waitFor();
    const first = page.getByRole('list', { name: 'Markets' }).getByRole('listitem').first();
    const sort = page.getByRole('group', { name: 'Sort by' });
    await sort.getByRole('button', { name: 'Volume' }).click();
    await first.getByText(/^LTC/).waitFor();
    await sort.getByRole('button', { name: 'Market' }).click();
    await first.getByText(/^LTC/).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Notifications', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Notifications' });
    await dialog.getByText('No notifications yet').waitFor();
    const sounds = await count(page, 'sound');
    await dialog.getByRole('tab', { name: 'Price alerts (0)' }).click();
    const add = async (price: string): Promise<void> => {
      await dialog.getByLabel('Price', { exact: true }).fill(price);
      await dialog.getByLabel('Price', { exact: true }).press('Enter');
    };
    await add('64.5');
    await add('66');
    await dialog.getByText(`${SYMBOL} falls to 64.5`).waitFor();
    await dialog.getByText(`${SYMBOL} rises to 66`).waitFor();
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), []);
    await page.keyboard.press('Escape');
    await order('alice', 'sell', '66.5', '1');
    await order('bob', 'buy', '66.5', '3');
    await note(page, `${SYMBOL} at 66.5`).waitFor();
    assert.equal(await sounds(), 0, 'silent unless wanted');
    // The last price is in the tab's title, and in the book in the colour of its last change.
    assert.equal(await page.title(), `66.500 ${SYMBOL} · Bourse`);
    const middle = page.getByRole('button', { name: 'Use the last price 66.500' });
    assert.match((await middle.getAttribute('class'))!, /\btext-up\b/);

    await page.getByRole('button', { name: 'Notifications, 1 new' }).click();
    await dialog.getByRole('list').getByText('Your alert: the price rises to 66.').waitFor();
    await dialog.getByLabel('Sound').check();
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await order('alice', 'buy', '64', '1');
    await order('bob', 'sell', '64', '1');
    await note(page, `${SYMBOL} at 64`).waitFor();
    const fallen = page.getByRole('button', { name: 'Use the last price 64.000' });
    assert.match((await fallen.getAttribute('class'))!, /\btext-down\b/);
    await page.waitForFunction(() => (window as unknown as { readonly sound: number }).sound > 0);
  });
}
