/** Helpers for tests of the console. */

import type { Page } from 'playwright-core';

/** Signs in with the token that a sandbox publishes. */
export async function enterConsole(page: Page, name = 'ann'): Promise<void> {
  await page.getByLabel('Your name in the audit trail').fill(name);
  await page.getByRole('button', { name: 'published token' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
}

export async function enterWithToken(page: Page, token: string, name: string): Promise<void> {
  await openTokenForm(page);
  await page.getByLabel('Your name in the audit trail').fill(name);
  await giveToken(page, token);
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
}

/** The form is collapsed if people can sign in. */
export async function openTokenForm(page: Page): Promise<void> {
  await page.getByText('Sign in with a token').waitFor();
  const token = page.getByLabel('Operator token');
  // The form above it may still load, and move it from under the click.
  for (let tries = 0; tries < 5 && !(await token.isVisible()); tries++) {
    await page.getByText('Sign in with a token').click();
    await token.waitFor({ timeout: 5000 }).catch(() => undefined);
  }
  await token.waitFor();
}

export async function giveToken(page: Page, token: string): Promise<void> {
  const form = page.getByRole('form', { name: 'With a token' });
  await form.getByLabel('Operator token').fill(token);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export function goTo(page: Page, title: string): Promise<void> {
  return page
    .getByRole('navigation', { name: 'Console' })
    .getByRole('link', { name: title, exact: true })
    .click();
}

/** Waits until no query is loading for the first time. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[role=status] > .sr-only') === null);
}

/** Fills in the open form of an action, checks the preview and confirms. Returns the response. */
export async function act(
  page: Page,
  fields: Readonly<Record<string, string>>,
  reason: string,
): Promise<string> {
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog.getByLabel(label, { exact: true });
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
  await dialog.getByLabel('Reason', { exact: true }).fill(reason);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const title = await dialog.getByRole('heading').textContent();
  await dialog.getByRole('button', { name: title!, exact: true }).click();
  await dialog.getByText('durable and in force').waitFor();
  const answer = await dialog.locator('pre').textContent();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
  return answer!;
}
