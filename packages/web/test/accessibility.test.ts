// Runs axe on every part of the terminal, in both themes and three widths, and takes the pictures of the
// documentation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  axeFindings,
  describePages,
  type PageSuite,
  takePicture,
} from '@bourse/test-kit/browser/page-suite.ts';
import { inLongRunOnly } from '@bourse/test-kit/run-size.ts';
import { chooseKind, fill, note, openTab, orderForm, rows, send, signInAs } from './terminal-page.ts';

const themes = ['dark', 'light'] as const;
const sections = ['balances', 'transfer', 'deposit', 'withdraw', 'sub-accounts', 'ledger'] as const;

/** `within` limits the check to the new part. */
async function findsNothing(page: Page, where: string, within = 'html'): Promise<void> {
  assert.deepEqual(await axeFindings(page, within), [], where);
}

/** The themes differ only in colours: the short run checks the widest page in one theme. */
const skipOf = (theme: (typeof themes)[number]): string | false => theme !== 'dark' && inLongRunOnly;

/** A running market, and a user with orders in it. */
async function openTerminal(suite: PageSuite, theme: (typeof themes)[number], width: number): Promise<Page> {
  const height = width < 500 ? 844 : 1000;
  const page = await suite.open('/trade/BTC-USDT', { theme, width, height });
  await signInAs(page, 'alice');
  await page.getByRole('figure', { name: /^Candles of BTC-USDT/ }).waitFor();
  await page.getByText('Candles are loading').waitFor({ state: 'detached' });
  return page;
}

describePages('the terminal for everybody', { market: 'calm' }, (suite) => {
  for (const theme of themes) {
    test(`${theme}, wide: all lists, the form with an error, dialogs`, {
      timeout: 180_000,
      skip: skipOf(theme),
    }, async () => {
      const page = await openTerminal(suite, theme, 1600);
      const last = Number((await page.getByTestId('last-price').innerText()).replaceAll(',', ''));
      await chooseKind(page, 'Limit', 'Buy');
      await fill(page, { Price: (last * 0.995).toFixed(1), Size: '0.05' });
      await send(page, 'Buy', 'Buy order open');
      await chooseKind(page, 'Market', 'Sell');
      await fill(page, { Funds: '500' });
      await send(page, 'Sell', 'Sell order filled');
      await page.getByRole('button', { name: 'Dismiss' }).first().waitFor({ state: 'detached' });
      await takePicture(page, `terminal-${theme}`);
      await findsNothing(page, 'terminal');

      for (const tab of [/^Stop & OCO/, 'History', 'Fills', 'Balances', 'Depth']) {
        await openTab(page, tab);
        await findsNothing(page, String(tab), '[role=tabpanel][data-state=active]');
      }
      await chooseKind(page, 'Limit', 'Buy');
      await fill(page, { Price: '99000.05', Size: '0.01' });
      await orderForm(page)
        .getByText(/Must be a positive multiple/)
        .waitFor();
      if (theme === 'dark') await takePicture(page, 'terminal-order-error');
      await findsNothing(page, 'order form with an error', 'form');

      await orderForm(page)
        .getByRole('button', { name: /^Show me/ })
        .click();
      await page.getByRole('tab', { name: 'curl' }).waitFor();
      if (theme === 'dark') await takePicture(page, 'terminal-show-me');
      await findsNothing(page, 'show me', '[role=dialog]');
      await page.keyboard.press('Escape');

      await openTab(page, 'History');
      await rows(page, 'Done orders')
        .getByRole('button', { name: /^Lifecycle of order/ })
        .first()
        .click();
      await page.getByRole('list', { name: 'Events' }).waitFor();
      if (theme === 'light') await takePicture(page, 'terminal-order-life');
      await findsNothing(page, 'life of an order', '[role=dialog]');
      await page.keyboard.press('Escape');
      await openTab(page, /^Open orders/);
      await rows(page, 'Open orders')
        .getByRole('button', { name: /^Alter order/ })
        .first()
        .click();
      await findsNothing(page, 'alter an order', '[role=dialog]');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Cancel 1 order in BTC-USDT', exact: true }).click();
      await findsNothing(page, 'cancel all', '[role=dialog]');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 order', exact: true }).click();
      await note(page, '1 order cancelled').waitFor();
      await findsNothing(page, 'notes', '[aria-label=Notes]');
    });

    for (const width of [1024, 390]) {
      test(`${theme}, ${width} wide`, { timeout: 180_000, skip: inLongRunOnly }, async () => {
        const page = await openTerminal(suite, theme, width);
        await findsNothing(page, 'terminal');
        if (width === 390) {
          if (theme === 'dark') await takePicture(page, 'terminal-phone');
          for (const part of ['Book', 'Trades', 'Orders']) {
            await page.getByRole('radio', { name: part, exact: true }).click();
            await findsNothing(page, part);
          }
          await page.getByRole('button', { name: 'Sell', exact: true }).click();
          await orderForm(page).waitFor();
          await findsNothing(page, 'order', '[role=dialog]');
          await page.keyboard.press('Escape');
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            'no sideways scrolling',
          );
        }
        await page.getByRole('button', { name: /choose another$/ }).click();
        await page.getByRole('dialog').getByRole('list', { name: 'Markets' }).waitFor();
        await findsNothing(page, 'markets', '[role=dialog]');
      });
    }

    test(`${theme}: money`, { timeout: 180_000, skip: inLongRunOnly }, async () => {
      const page = await suite.open('/money', { theme, width: 1024 });
      await page.getByText('You are not signed in').waitFor();
      await findsNothing(page, 'nobody is signed in');
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').getByRole('button', { name: /^bob/ }).waitFor();
      await findsNothing(page, 'sign in', '[role=dialog]');
      await page.keyboard.press('Escape');
      await signInAs(page, 'alice');
      for (const section of sections) {
        await page.getByRole('tab', { name: new RegExp(`^${section}`, 'i') }).click();
        await page.getByRole('tab', { name: new RegExp(`^${section}`, 'i'), selected: true }).waitFor();
        await page
          .getByRole('tabpanel')
          .getByText(/loading/)
          .first()
          .waitFor({ state: 'detached' });
        await findsNothing(page, section);
      }
    });
  }

  test('nothing is animated if the system prefers reduced motion', async () => {
    const page = await suite.open('/', { reducedMotion: true });
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
    const duration = await page
      .getByRole('dialog')
      .evaluate((dialog) => getComputedStyle(dialog).animationDuration);
    assert.ok(Number.parseFloat(duration) < 0.001, duration);
  });
});
