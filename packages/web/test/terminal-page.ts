/** Helpers that use the terminal as a user does, by accessible names. */

import type { Locator, Page } from 'playwright-core';

/** One-click sign-in of a sandbox. */
export async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  await page.getByRole('button', { name: `Signed in as ${name}` }).waitFor();
}

export const orderForm = (page: Page): Locator => page.getByRole('form', { name: 'Order' });

export async function chooseKind(page: Page, kind: string, side: 'Buy' | 'Sell'): Promise<void> {
  await orderForm(page).getByRole('radio', { name: kind, exact: true }).click();
  await orderForm(page).getByRole('radio', { name: side, exact: true }).click();
}

/** Fills fields of the order form by their labels. */
export async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await orderForm(page).getByLabel(label, { exact: true }).fill(value);
  }
}

/** Sends the order; resolves when the exchange has accepted it. */
export async function send(page: Page, side: 'Buy' | 'Sell', title: RegExp | string): Promise<void> {
  await orderForm(page)
    .getByRole('button', { name: new RegExp(`^${side} [A-Z]+$`) })
    .click();
  await note(page, title).waitFor();
}

/** A toast with this title; the newest of several. */
export const note = (page: Page, text: RegExp | string): Locator =>
  page.getByRole('region', { name: 'Notes' }).getByText(text).last();

export const openTab = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('tab', { name }).click();

export const rows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).getByRole('row');
