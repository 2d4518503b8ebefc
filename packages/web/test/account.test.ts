// A person's account pages in a real browser: address, password, lock, keys, address book, sessions, activity, and
// closing the account. Each page is checked in both themes and on a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { looks } from './looks.ts';
import {
  addPerson,
  callIdentity,
  givePassword,
  mailsTo,
  PASSWORD,
  signedIn,
  signInPerson,
  signOut,
  submitTwice,
  watchRequests,
} from './people-page.ts';
import { holdResponses, note, openTab, rows } from './terminal-page.ts';

const NEW_PASSWORD = 'another four unrelated words';
const TRON = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Answers the open confirmation. */
const answer = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

describePages('the account of a person', { market: 'quiet' }, (suite) => {
  const enter = async (name: string, path = '/account'): Promise<{ page: Page; email: string }> => {
    const email = `${name}@example.test`;
    await addPerson(suite, email);
    const page = await suite.open(path, { isNamed: true });
    await signInPerson(page, email);
    return { page, email };
  };

  test('the e-mail address changes when the new one is confirmed, the old one is notified, and withdrawals are locked', async () => {
    const { page, email } = await enter('ada');
    const next = 'lovelace@example.test';
    const form = page.getByRole('form', { name: 'Change the address' });
    await form.getByLabel('New address').fill(next);
    await form.getByRole('button', { name: 'Change' }).click();
    await note(page, `We sent a mail to ${next}. Open its link to confirm.`).waitFor();
    await section(page, 'E-mail address').getByText(email, { exact: true }).waitFor();
    assert.equal((await mailsTo(suite, email))[0]?.subject, 'Your e-mail address is about to change');

    await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
    await page.getByRole('tab', { name: 'Mail' }).click();
    const mails = page.getByRole('list', { name: 'Mails' });
    await mails.getByText(`to ${next}`, { exact: true }).waitFor();
    await looks(page, 'people-mailbox');
    await page.getByLabel('Only to this address').fill(next);
    await mails.getByText(`to ${email}`, { exact: true }).first().waitFor({ state: 'detached' });
    await mails.getByRole('link', { name: 'Confirm the new address' }).click();
    await page.getByRole('heading', { name: 'Use this address?' }).waitFor();
    await looks(page, 'people-email');
    await page.getByRole('button', { name: 'Use this address' }).click();
    await page.getByRole('heading', { name: 'E-mail address changed' }).waitFor();

    await page.goto(new URL('/account', page.url()).href);
    await page.getByText(/^Withdrawals are locked until/).waitFor();
    await section(page, 'E-mail address').getByText(next, { exact: true }).waitFor();
    await signOut(page);
    await givePassword(page, email);
    await page.getByText(/The e-mail address or the password is wrong/).waitFor();
    await givePassword(page, next);
    await signedIn(page, email).waitFor();
  });

  test('a new password ends the other sessions and replaces the old one', async () => {
    const { page, email } = await enter('grace');
    const form = page.getByRole('form', { name: 'Change the password' });
    await form.getByRole('textbox', { name: 'Current password' }).fill('a wrong password');
    await form.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
    await form.getByRole('button', { name: 'Change the password' }).click();
    await note(page, /\(credentials\)/).waitFor();
    await form.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
    await form.getByRole('button', { name: 'Change the password' }).click();
    await note(page, 'Password changed').waitFor();
    await openTab(page, 'Sessions');
    await rows(page, 'Sessions').getByText('this one').waitFor();
    assert.equal(await rows(page, 'Sessions').count(), 2, 'the head and this one');
    await signOut(page);
    await givePassword(page, email, NEW_PASSWORD);
    await signedIn(page, email).waitFor();
  });

  test('sessions can be listed and ended, and the activity page shows past actions', async () => {
    const { page, email } = await enter('linus', '/account/sessions');
    const list = rows(page, 'Sessions');
    await list.getByText('this one').waitFor();
    const more = async (): Promise<string> =>
      (await callIdentity(suite, '/sessions', { email, password: PASSWORD }))['sessionToken']!;
    const statusOf = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${suite.exchange.connection.identityUrl}/session`, { headers })).status;
    };
    const token = await more();
    await page.reload();
    await looks(page, 'people-sessions');
    // Newest first: the session of this page is the second of three.
    assert.equal(await list.count(), 4);
    await list
      .nth(1)
      .getByRole('button', { name: /^End the session of/ })
      .click();
    await note(page, 'Session ended').waitFor();
    assert.equal(await statusOf(token), 401);
    const others = [await more(), await more()];
    await page.getByRole('button', { name: 'End all others' }).click();
    await answer(page, 'End them');
    await note(page, 'All other sessions ended').waitFor();
    assert.deepEqual(await Promise.all(others.map(statusOf)), [401, 401]);
    await list.getByRole('button').first().waitFor({ state: 'detached' });

    await fetch(`${suite.exchange.connection.identityUrl}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'a wrong password' }),
    });
    await openTab(page, 'Activity');
    for (const what of ['Sign up', 'Sign in', 'Sessions ended', 'Sign in failed'])
      await rows(page, 'Activity').getByText(what, { exact: true }).first().waitFor();
    await looks(page, 'people-activity');
  });

  test('an API key is created, used by a program, changed and removed', async () => {
    const { page } = await enter('edsger', '/account/keys');
    const make = page.getByRole('form', { name: 'New key' });
    await looks(page, 'people-keys-none');
    await make.getByLabel('Name').fill('robot');
    await make.getByLabel('Withdrawal').check();
    await make
      .getByText('Still needed: IP addresses, because the key has the permission Withdrawal.')
      .waitFor();
    assert.equal(await make.getByRole('button', { name: 'Create the key' }).isDisabled(), true);
    await make.getByLabel('Allowed IP addresses').fill('127.0.0.1, ::1');
    await make.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Write down the secret and the passphrase').waitFor();
    await looks(page, 'people-key-made');
    await page.getByRole('button', { name: 'Copy: All' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const [, apiKey, apiSecret, apiPassphrase] =
      /^Key: (.+)\nSecret: (.+)\nPassphrase: (.+)$/.exec(copied) ?? [];
    const program = new Client(suite.exchange.connection.baseUrl, {
      apiKey: apiKey!,
      apiSecret: apiSecret!,
      apiPassphrase: apiPassphrase!,
    });
    const codeOf = async () => (await program.get('/api/v1/accounts')).json.code;
    assert.equal(await codeOf(), '200000');
    await page.getByRole('button', { name: 'I have written it down' }).click();
    const list = rows(page, 'API keys');
    await list.getByText('General, Spot, Withdrawal').waitFor();
    assert.equal(await page.getByText(apiSecret!).count(), 0);

    await page.getByRole('button', { name: 'Change or remove robot' }).click();
    const change = page.getByRole('form', { name: 'Change a key' });
    await change.getByLabel('Withdrawal').uncheck();
    await change.getByLabel('Allowed IP addresses').fill('203.0.113.7');
    await looks(page, 'people-keys');
    await change.getByRole('button', { name: 'Change', exact: true }).click();
    await note(page, 'Key changed').waitFor();
    await list.getByText('203.0.113.7').waitFor();
    assert.notEqual(await codeOf(), '200000', 'from another address than named');
    await page.getByRole('button', { name: 'Change or remove robot' }).click();
    await change.getByRole('button', { name: 'Remove' }).click();
    await answer(page, 'Remove it');
    await note(page, 'Key removed').waitFor();
    await page.getByText('No API keys yet').waitFor();
  });

  test('the secret of a key is shown even if the form has changed another key meanwhile', async () => {
    const { page } = await enter('radia', '/account/keys');
    const form = page.getByRole('form', { name: 'New key' });
    await form.getByLabel('Name').fill('first');
    await form.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('button', { name: 'I have written it down' }).click();
    const held = await holdResponses(page, /\/identity\/v1\/keys$/);
    await form.getByLabel('Name').fill('second');
    await form.getByRole('button', { name: 'Create the key' }).click();
    await held.isExecuted;
    await page.getByRole('button', { name: 'Change or remove first' }).click();
    const change = page.getByRole('form', { name: 'Change a key' });
    held.release();
    await rows(page, 'API keys').getByText('second').waitFor();
    assert.ok(await change.isVisible());
    await change.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Write down the secret and the passphrase').waitFor();
  });

  test('two clicks before the next render send one request', async () => {
    const { page } = await enter('maria', '/account/keys');
    const sent = watchRequests(page, 'POST');
    await page.getByRole('form', { name: 'New key' }).getByLabel('Name').fill('robot');
    await submitTwice(page, 'New key');
    await page.getByRole('button', { name: 'I have written it down' }).click();
    await rows(page, 'API keys').getByText('robot').waitFor();
    assert.deepEqual(sent, ['/identity/v1/keys']);
    // After the response the same request is a new one.
    await page.getByRole('form', { name: 'New key' }).getByLabel('Name').fill('robot');
    await submitTwice(page, 'New key');
    await page.getByText('Write down the secret and the passphrase').waitFor();
    assert.deepEqual(sent, ['/identity/v1/keys', '/identity/v1/keys']);

    await openTab(page, 'Security');
    const form = page.getByRole('form', { name: 'Change the password' });
    await form.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
    await form.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
    await submitTwice(page, 'Change the password');
    await note(page, 'Password changed').waitFor();
    assert.deepEqual(sent.slice(2), ['/identity/v1/password']);
  });

  test('an address is added to the book, withdrawals go only there, and it is removed', async () => {
    const { page } = await enter('barbara', '/account/addresses');
    const form = page.getByRole('form', { name: 'New address' });
    await page.getByText('The address book is empty').waitFor();
    await form.getByLabel('Chain').selectOption('trx');
    await form.getByLabel('Address', { exact: true }).fill('not an address');
    await form.getByText(/^Not an address on/).waitFor();
    await form.getByLabel('Address', { exact: true }).fill(TRON);
    await form.getByLabel('Label').fill('cold wallet');
    await form.getByRole('button', { name: 'Add the address' }).click();
    await note(page, 'Address added').waitFor();
    await rows(page, 'Address book').getByText(TRON).waitFor();
    const only = page.getByLabel('Withdraw only to addresses in the address book');
    await only.click();
    await note(page, 'Withdrawals are limited to the address book').waitFor();
    await section(page, 'Address book only').getByText('on', { exact: true }).waitFor();
    await looks(page, 'people-addresses');
    await only.click();
    await page.getByText(/^In effect until/).waitFor();
    await page.getByRole('button', { name: 'Remove cold wallet' }).click();
    await note(page, 'Address removed').waitFor();
    // Rows keep their places while the pointer is on one of them.
    await page.mouse.move(0, 0);
    await page.getByText('The address book is empty').waitFor();
  });

  test('under a lock no setting can be changed, and the lock can only be extended', async () => {
    const { page } = await enter('donald');
    const lock = section(page, 'Settings lock');
    await lock.getByLabel('For').selectOption('1 day');
    await lock.getByRole('button', { name: 'Lock' }).click();
    await page.getByRole('dialog', { name: 'Lock your settings for 1 day?' }).waitFor();
    await looks(page, 'people-lock');
    await answer(page, 'Lock them');
    await note(page, 'Your settings are locked').waitFor();
    await lock.getByText(/^until /).waitFor();
    await looks(page, 'people-security');
    await lock.getByRole('button', { name: 'Lock for longer' }).waitFor();

    const email = page.getByRole('form', { name: 'Change the address' });
    await email.getByLabel('New address').fill('d@example.test');
    await email.getByRole('button').click();
    await note(page, /\(locked\)/).waitFor();
    await openTab(page, 'Keys');
    await page.getByRole('form', { name: 'New key' }).getByLabel('Name').fill('robot');
    const response = page.waitForResponse(/\/identity\/v1\/keys$/);
    await page.getByRole('button', { name: 'Create the key' }).click();
    assert.equal((await response).status(), 403);
    await page.getByText('No API keys yet').waitFor();
  });

  test('an empty account can be closed permanently, and one with money cannot', async () => {
    const { page } = await enter('alan');
    const { user } = await page.evaluate(
      async () => (await (await fetch('/identity/v1/session')).json()) as { user: { name: string } },
    );
    await suite.control('POST', '/faucet', { user: user.name, currency: 'USDT', amount: '10' });
    const close = async (of: Page): Promise<void> => {
      await section(of, 'Close the account').getByRole('button').click();
      await answer(of, 'Close it');
    };
    await close(page);
    await note(page, /\(not-empty\)/).waitFor();
    const { page: empty, email } = await enter('kurt');
    await close(empty);
    await note(empty, 'Your account is closed').waitFor();
    await givePassword(empty, email);
    await empty.getByText(/The e-mail address or the password is wrong/).waitFor();
  });
});
