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

export interface HeldResponse {
  /** Resolves when the exchange has executed the request. */
  readonly isExecuted: Promise<void>;
  /** Passes on this response and all later ones. */
  readonly release: () => void;
}

/** Holds back the responses to POST requests whose URL matches, as a slow network does. */
export async function holdResponses(page: Page, url: RegExp): Promise<HeldResponse> {
  // The client gives up after ten seconds, which a test may take on a busy machine.
  await page.evaluate(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  const executed = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    executed.resolve();
    await released.promise;
    return route.fulfill({ response });
  });
  return { isExecuted: executed.promise, release: released.resolve };
}

/** A toast with this title; the newest of several. */
export const note = (page: Page, text: RegExp | string): Locator =>
  page.getByRole('region', { name: 'Notes' }).getByText(text).last();

export const openTab = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('tab', { name }).click();

export const rows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).getByRole('row');
