// The documentation in a browser: it signs requests with the sandbox's key, or with the one that a terminal uses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { credentials } from '@bourse/test-kit/server.ts';

async function send(page: Page, route: string): Promise<string> {
  const section = page.locator(`#${route}`);
  await section.getByRole('button', { name: 'Send' }).click();
  const output = section.locator('form pre');
  await output.filter({ hasText: 'HTTP' }).waitFor();
  return (await output.textContent())!;
}

describePages('/docs', { market: 'quiet' }, (suite) => {
  test('sends a signed request with the published key without asking', async () => {
    const page = await suite.open('/docs');
    assert.match(await send(page, 'place-order'), /^HTTP 200, .*"orderId"/s);
    // What stands behind the calls that ask for another token is there, too.
    await page.locator('#error-table tr').nth(1).waitFor();
    await page.locator('#add-fault').getByText('With the token of the operator.').waitFor();
  });

  test('takes over the key that a terminal of the same browser uses, and keeps it nowhere', async () => {
    const terminal = await suite.open('/');
    await terminal.evaluate(() =>
      localStorage.setItem('bourse.preferences', JSON.stringify({ sandboxUser: 'bob' })),
    );
    await terminal.reload();
    const docs = await terminal.context().newPage();
    await docs.goto(`${suite.url}/docs`);
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
