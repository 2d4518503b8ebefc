/** Helpers for tests with a person: sign-up by the mail in the sandbox's mailbox, and a passkey in software. */

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PageSuite } from '@bourse/test-kit/browser/page-suite.ts';
import { PASSWORD } from '@bourse/test-kit/identity.ts';

export { PASSWORD };

/** One call of the identity API by a program; `token` is a session's. */
export async function callIdentity<T = Record<string, string>>(
  suite: PageSuite,
  path: string,
  body: object,
  token = '',
): Promise<T> {
  const response = await fetch(`${suite.exchange.connection.identityUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

interface Mail {
  readonly subject: string;
  readonly links: readonly string[];
}

/** Newest first. */
export const mailsTo = (suite: PageSuite, email: string): Promise<readonly Mail[]> =>
  suite.control('GET', `/mail?to=${email}`) as Promise<unknown> as Promise<readonly Mail[]>;

/** The path of the link to `page` in the newest mail. */
export async function linkOf(suite: PageSuite, email: string, page: string): Promise<string> {
  const mails = await mailsTo(suite, email);
  const link = mails.flatMap(({ links }) => links).find((each) => new URL(each).pathname === page);
  assert.ok(link !== undefined, `a mail to ${email} with a link to ${page}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Returns the token of the person's first session. */
export async function addPerson(suite: PageSuite, email: string, password = PASSWORD): Promise<string> {
  await callIdentity(suite, '/sign-up', { email, password });
  const link = await linkOf(suite, email, '/verify');
  const token = link.slice(link.indexOf('=') + 1);
  return (await callIdentity(suite, '/verify', { token }))['sessionToken']!;
}

/** Fills in e-mail address and password on any page with the form. */
export async function givePassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  const form = page.getByRole('form', { name: 'With a password' });
  await form.getByLabel('E-mail address').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Submits the form two times before the page can render in between, as a double click does. */
export const submitTwice = (page: Page, name: string): Promise<void> =>
  page.getByRole('form', { name }).evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });

/** The paths of the requests that the page sends from now on. */
export function watchRequests(page: Page, method: 'POST' | 'DELETE'): readonly string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method) sent.push(new URL(request.url()).pathname);
  });
  return sent;
}

export async function signInPerson(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('main').waitFor();
  await givePassword(page, email, password);
  await signedIn(page, email).waitFor();
}

export const signedIn = (page: Page, email: string) =>
  page.getByRole('button', { name: `Signed in as ${email.split('@')[0]}`, exact: true });

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor();
}

/** A virtual authenticator that confirms everything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
