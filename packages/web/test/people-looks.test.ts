// The pages for people: axe finds nothing, nothing scrolls sideways, in both themes, on a wide screen and on a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings } from '@bourse/test-kit/browser/axe.ts';
import { describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { takePicture } from '@bourse/test-kit/browser/picture.ts';
import { appCode } from '@bourse/test-kit/identity.ts';
import { inLongRunOnly } from '@bourse/test-kit/run-size.ts';
import { addPerson, callIdentity, givePassword, linkOf, signInPerson } from './people-page.ts';

const LOOKS = [
  { theme: 'dark', width: 1440, skip: false },
  { theme: 'light', width: 390, skip: false },
  { theme: 'dark', width: 390, skip: inLongRunOnly },
  { theme: 'light', width: 1440, skip: inLongRunOnly },
] as const;
const TABS = ['Sessions', 'API keys', 'Addresses', 'Activity', 'Security'] as const;

describePages('pages for people', { market: 'quiet' }, (suite) => {
  for (const { theme, width, skip } of LOOKS) {
    const look = { theme, width, height: width < 500 ? 844 : 900, isNamed: true } as const;

    const seen = async (page: Page, what: string): Promise<void> => {
      await takePicture(page, `people-${what}-${theme}-${width}`);
      assert.deepEqual(await axeFindings(page), [], what);
      const isNarrow = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      assert.ok(isNarrow, `${what} scrolls sideways`);
    };

    test(`before signing in, ${theme}, ${width} wide`, { timeout: 180_000, skip }, async () => {
      const email = `ada-${theme}-${width}@example.test`;
      const token = await addPerson(suite, email);
      const { secret } = await callIdentity(suite, '/totp', {}, token);
      await callIdentity(suite, '/totp/confirm', { code: appCode(secret!, Date.now()) }, token);
      const page = await suite.open('/sign-in', look);
      await page
        .getByRole('main')
        .getByRole('button', { name: /^alice/ })
        .waitFor();
      await page.getByLabel('E-mail address').waitFor();
      await seen(page, 'sign-in');
      await givePassword(page, email);
      await page.getByLabel('Code of your authenticator app').waitFor();
      await seen(page, 'second-factor');
      const to = async (path: string): Promise<void> => {
        await page.goto(new URL(path, page.url()).href);
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      };
      await to('/sign-up');
      await page.getByLabel('E-mail address').fill(`new-${email}`);
      await page.getByLabel('Password', { exact: true }).fill('four unrelated words here');
      await seen(page, 'sign-up');
      await page.getByRole('button', { name: 'Sign up', exact: true }).click();
      await page.getByRole('link', { name: 'Confirm the address' }).waitFor();
      await seen(page, 'mail');
      await to('/reset');
      await seen(page, 'reset');
      await to(await linkOf(suite, email, '/freeze'));
      await seen(page, 'freeze');
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').getByLabel('E-mail address').waitFor();
      await seen(page, 'dialog');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
      await page.getByRole('tab', { name: 'Mail' }).click();
      await page.getByRole('dialog').getByRole('list', { name: 'Mails' }).waitFor();
      await seen(page, 'mailbox');
    });

    test(`the account, ${theme}, ${width} wide`, { timeout: 180_000, skip }, async () => {
      const email = `grace-${theme}-${width}@example.test`;
      await addPerson(suite, email);
      const page = await suite.open('/account', look);
      await signInPerson(page, email);
      for (const tab of TABS) {
        await page.getByRole('tab', { name: tab, exact: true }).click();
        await page.getByRole('tab', { name: tab, exact: true, selected: true }).waitFor();
        await page
          .getByRole('tabpanel')
          .getByText(/loading/)
          .first()
          .waitFor({ state: 'detached' });
        await seen(page, tab.toLowerCase().replace(' ', '-'));
      }
      await page.getByRole('button', { name: 'Set up an app' }).click();
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      await seen(page, 'totp');
    });
  }
});
