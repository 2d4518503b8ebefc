// The documentation in a browser: the site with its search, and the reference, which signs requests with the
// sandbox's key or with a terminal's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { ofSize, shareOf } from '@bourse/test-kit/run-size.ts';
import { credentials } from '@bourse/test-kit/server.ts';

async function send(page: Page, route: string): Promise<string> {
  const section = page.locator(`#${route}`);
  await section.getByRole('button', { name: 'Send' }).click();
  const output = section.locator('form.try pre');
  await output.filter({ hasText: 'HTTP' }).waitFor();
  return (await output.textContent())!;
}

describePages('/docs', { market: 'quiet' }, (suite) => {
  test('search works with the keyboard alone, and reports if nothing is found', async () => {
    const page = await suite.open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('first bot');
    await page.locator('#found a').first().waitFor();
    assert.match((await page.locator('#found a').first().textContent())!, /Your first bot in ten minutes/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/first-bot\/$/);
    assert.equal(
      await page.locator('.contents [aria-current]').textContent(),
      'Your first bot in ten minutes',
    );
    await page.getByLabel('Search the documentation').fill('zzyzx');
    await page.getByText('No page contains “zzyzx”.').waitFor();
    await page.getByLabel('Search the documentation').fill('stop-loss');
    await page.locator('#found a').first().waitFor();
    assert.deepEqual(await axeFindings(page), []);
  });

  test('every page fits a phone, and axe finds nothing in either theme', { timeout: 600_000 }, async () => {
    const page = await suite.open('/docs/', { width: 390, height: 844 });
    const links = page.locator('.contents a');
    const paths = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')!));
    assert.ok(paths.length > 80, `${paths.length} pages`);
    // One second per page. On a phone most code and tables scroll.
    const looked = new Set(['/docs/readme/', ...shareOf(paths, ofSize(20, 5))]);
    for (const path of paths) {
      await page.goto(suite.url + path, { waitUntil: 'domcontentloaded' });
      const [title, beyond] = await page.evaluate(() => [
        document.querySelector('h1')?.textContent,
        document.documentElement.scrollWidth - innerWidth,
      ]);
      assert.deepEqual([typeof title, beyond], ['string', 0], path);
      if (looked.has(path)) assert.deepEqual(await axeFindings(page), [], path);
    }
    for (const theme of ['dark', 'light'] as const) {
      const wide = await suite.open('/docs/api/errors/', { theme });
      await wide.locator(`html[data-theme=${theme}]`).waitFor();
      assert.deepEqual(await axeFindings(wide), []);
      await wide.goto(`${suite.url}/docs/`);
      await wide.locator(`html[data-theme=${theme}]`).waitFor();
      assert.deepEqual(await axeFindings(wide), []);
    }
  });

  test('is readable without scripts', async () => {
    const text = await (await fetch(`${suite.url}/docs/first-bot/`)).text();
    assert.match(text, /<h1 id="your-first-bot-in-ten-minutes">/);
    assert.match(text, /<a href="\/docs\/install\/">/);
    assert.equal((await fetch(`${suite.url}/docs/no-such-page/`)).status, 404);
  });

  test('sends a signed request with the published key without asking', async () => {
    const page = await suite.open('/docs/reference');
    assert.match(await send(page, 'place-order'), /^HTTP 200, .*"orderId"/s);
    // Calls that need another token are listed, too.
    await page.locator('#error-table tr').nth(1).waitFor();
    await page.locator('#add-fault').getByText('Requires the operator token.').waitFor();
  });

  test('the reference finds calls by words, copies complete code, and remembers the chosen language', async () => {
    const page = await suite.open('/docs/reference');
    await page.getByLabel('Find a call').fill('dead man');
    const shown = page.locator('.contents a:visible');
    assert.deepEqual(await shown.allTextContents(), [
      "Set the dead man's switch",
      "Look up the dead man's switch",
    ]);
    await page.locator('#place-order summary', { hasText: 'ccxt, Python' }).click();
    const python = page.locator('#cancel-order details[open] pre');
    await python.filter({ hasText: 'print(exchange.privateDeleteHfOrdersOrderId(' }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#cancel-order details[open]').getByRole('button', { name: 'Copy' }).click();
    await page.locator('#cancel-order').getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^import ccxt\n/);
    assert.ok(copied.includes(`url = '${suite.url}/compat'`), copied);
    assert.match(copied, /print\(exchange\.privateDeleteHfOrdersOrderId/);
  });

  test('the reference fits a phone, and axe finds nothing in either theme', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const page = await suite.open('/docs/reference', { theme, width: 390, height: 844 });
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(beyond, 0);
      // Every tenth call: the same code renders all of them, and axe would take a minute for all.
      await page.evaluate(() => {
        for (const [at, call] of [...document.querySelectorAll('.call')].entries())
          if (at % 10 > 0) call.remove();
      });
      assert.deepEqual(await axeFindings(page), []);
    }
  });

  test('uses the key of a terminal in the same browser, and stores it nowhere', async () => {
    const terminal = await suite.open('/');
    await terminal.evaluate(() =>
      localStorage.setItem('bourse.preferences', JSON.stringify({ sandboxUser: 'bob' })),
    );
    await terminal.reload();
    const docs = await terminal.context().newPage();
    await docs.goto(`${suite.url}/docs/reference`);
    await docs.getByText('Signed as bob, as in the terminal.').waitFor();
    const bob = credentials('bob');
    assert.equal(await docs.getByLabel('API key').inputValue(), bob.apiKey);
    assert.match(await send(docs, 'list-accounts'), /^HTTP 200/);
    const kept = await docs.evaluate(() =>
      JSON.stringify([{ ...localStorage }, location.href, document.cookie]),
    );
    assert.equal(kept.includes(bob.apiSecret), false);
  });
});
