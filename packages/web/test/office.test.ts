// Operators in a real browser: sign-in as a person, a policy, a proposal that another operator approves, and the
// limits of roles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { act, enterConsole, goTo } from './console-page.ts';
import { looks } from './looks.ts';
import { addAuthenticator, addPerson, givePassword, signInPerson } from './people-page.ts';
import { note } from './terminal-page.ts';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Console' });

/** Opens the console as this person, by password. */
async function enterAs(page: Page, email: string): Promise<void> {
  await givePassword(page, email);
  await navigation(page).waitFor();
}

describePages('operators in the console', { market: 'quiet' }, (suite) => {
  const operator = async <T>(path: string, body?: object): Promise<T> => {
    const { operatorUrl, operatorToken } = suite.exchange.connection;
    const response = await fetch(`${operatorUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify({ ...body, reason: 'a test' }) }),
    });
    assert.ok(response.ok, `${path} ${response.status}`);
    return (await response.json()) as T;
  };
  const addOperator = async (name: string, ...roles: string[]): Promise<string> => {
    const email = `${name}@example.test`;
    await addPerson(suite, email);
    await operator('/v1/operators', { name, roles, email });
    return email;
  };
  test('root adds an operator, and its token is shown once', { timeout: 180_000 }, async () => {
    await addPerson(suite, 'ann@example.test');
    const page = await suite.open('/console/operators');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await looks(page, 'console-sign-in');
    await enterConsole(page);
    await page.getByText('No named operator yet').waitFor();
    await page.getByRole('button', { name: 'Add an operator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('ann');
    await dialog.getByLabel('email (optional)').fill('ann@example.test');
    await dialog.getByLabel('finance').check();
    await dialog.getByLabel('admin').check();
    await dialog.getByLabel('viewer').uncheck();
    await dialog.getByLabel('reason').fill('she joins');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Add an operator', exact: true }).click();
    await dialog.getByText('Copy it now: it is shown once.').waitFor();
    await dialog.getByRole('button', { name: 'Copy: Token' }).click();
    const token = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(token, /^bourse-operator-/);
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [], 'the token');
    await dialog.getByRole('button', { name: 'I have written it down' }).click();
    const rows = page.getByRole('table', { name: 'All operators' });
    await rows.getByText('as a person, or with a token').waitFor();
    assert.equal(await page.getByText(token).count(), 0);
    await looks(page, 'console-operators');
  });

  test('a person signs in and sets a policy, and another approves the proposals that it causes', {
    timeout: 240_000,
  }, async () => {
    const bob = await addOperator('bob', 'finance');
    const eve = await addOperator('eve', 'support');
    const page = await suite.open('/console/policy', { isNamed: true });
    await enterAs(page, 'ann@example.test');
    const me = page.getByRole('region', { name: 'Signed in' });
    assert.match(await me.innerText(), /ann\s+finance, admin/);
    await page.getByText('No call needs approval').waitFor();
    await looks(page, 'console-policy-empty');
    await page.getByRole('button', { name: 'Change the policy' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const rule = page.getByRole('listitem', { name: 'Rule 1' });
    await rule.getByLabel('Call').selectOption('report-deposit');
    await rule.getByLabel('finance').check();
    await rule.getByLabel('admin').uncheck();
    await rule.getByRole('button', { name: 'Only above an amount…' }).click();
    await rule.getByLabel('Only above, in').selectOption('USDT');
    await page.getByText('Still needed: an amount for each currency.').waitFor();
    await rule.getByLabel('Amount of USDT', { exact: true }).fill('1000');
    await looks(page, 'console-policy-editor');
    await page.getByRole('button', { name: 'Continue' }).click();
    await act(page, {}, 'large deposits need two people');
    await page.getByRole('table', { name: 'Rules of the policy' }).getByText('above 1,000 USDT').waitFor();

    await goTo(page, 'Users');
    await page.getByRole('link', { name: 'carol', exact: true }).click();
    await page.getByRole('button', { name: 'Report a deposit' }).click();
    const dialog = page.getByRole('dialog');
    for (const [label, value] of Object.entries({
      Currency: 'USDT',
      Amount: '5000',
      'Transaction id': 'tx-1',
    }))
      await dialog.getByLabel(label, { exact: true }).fill(value);
    await dialog.getByLabel('chain (optional)').fill('trx');
    await dialog.getByLabel('reason').fill('seen on the chain');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Report a deposit', exact: true }).click();
    await dialog.getByText('Proposed: nothing has changed yet.').waitFor();
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [], 'held');
    await dialog.getByRole('link', { name: 'See the proposal' }).click();
    await page.getByText('You proposed it: others have to approve it.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);

    // Another operator, by passkey.
    const other = await suite.open('/account', { isNamed: true });
    await addAuthenticator(other);
    await signInPerson(other, bob);
    await other.getByLabel('Name of the new passkey').fill('laptop');
    await other.getByRole('button', { name: 'Add a passkey' }).click();
    await other.getByRole('list', { name: 'Passkeys' }).getByText('laptop').waitFor();
    // The account page and the console share the session; after signing out the passkey is needed.
    await other.goto(new URL('/console/proposals', other.url()).href);
    await navigation(other).waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await navigation(other)
      .getByRole('link', { name: /1 for you/ })
      .waitFor();
    const card = other.getByRole('article', { name: 'Credit 5,000 USDT to carol.' });
    await card.getByText(/^Credit 5,000 USDT to carol: MAIN/).waitFor();
    await looks(other, 'console-proposals');
    await card.getByRole('button', { name: 'Approve' }).click();
    const decide = other.getByRole('dialog', { name: 'Approve' });
    await decide.getByText('It is carried out at once.').waitFor();
    await decide.getByLabel('Reason').fill('the same on our node');
    await decide.getByRole('button', { name: 'Approve' }).click();
    await note(other, 'Approved and carried out').waitFor();
    await other.getByText('Nothing needs your approval').waitFor();
    await other.getByRole('table', { name: 'Proposals that are over' }).getByText('bob').waitFor();
    await looks(other, 'console-proposals-decided');
    const trail =
      await operator<{ by: string; approvedBy: string[]; from: string; action: string }[]>(
        '/v1/audit?limit=5',
      );
    const done = trail.find(({ approvedBy }) => approvedBy.length > 0);
    assert.deepEqual([done?.by, done?.approvedBy, done?.action], ['ann', ['bob'], 'report-deposit']);
    assert.match(done!.from, /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);

    // After a rejection the proposer sees by whom and why.
    await operator('/v1/deposits', {
      userId: 'carol',
      currency: 'USDT',
      chain: 'trx',
      amount: '7000',
      txId: 'tx-2',
    });
    await other.getByRole('button', { name: 'Reject' }).click();
    const reject = other.getByRole('dialog', { name: 'Reject' });
    await reject.getByLabel('Reason').fill('not on our node');
    await reject.getByRole('button', { name: 'Reject' }).click();
    await note(other, 'Rejected').waitFor();

    // Actions that the role does not allow are disabled and name the role; a reload keeps the session.
    await goTo(other, 'Operators');
    await other.getByRole('button', { name: 'Add an operator: only for admin' }).waitFor();
    assert.equal(await other.getByRole('button', { name: /^Add an operator/ }).isDisabled(), true);
    await other.reload();
    await navigation(other).waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    assert.equal(await navigation(other).count(), 0);

    // A person who is not an operator gets no access; revoked roles take effect at once.
    await addPerson(suite, 'mallory@example.test');
    await givePassword(other, 'mallory@example.test');
    await other.getByText(/You are signed in, but not as an operator/).waitFor();
    const list = await operator<{ id: string; name: string }[]>('/v1/operators');
    await enterAs(other, eve);
    await goTo(other, 'Users');
    await other.getByRole('button', { name: 'Add a user', exact: true }).click();
    await operator(`/v1/operators/${list.find(({ name }) => name === 'eve')!.id}`, { roles: ['listing'] });
    const add = other.getByRole('dialog');
    await add.getByLabel('Name', { exact: true }).fill('frank');
    await add.getByLabel('reason').fill('new customer');
    await add.getByRole('button', { name: 'Preview' }).click();
    await add.getByRole('button', { name: 'Add a user', exact: true }).click();
    await add.getByText(/\(role\)/).waitFor();
    await other.keyboard.press('Escape');
    await other.getByRole('button', { name: /^Add a user: only for/ }).waitFor();
  });

  // Last, because exchange time then differs from this machine's.
  test('an idle console signs its operator out, and one in use does not', {
    timeout: 180_000,
  }, async () => {
    const email = await addOperator('kim', 'viewer');
    const page = await suite.open('/console/operators');
    await page.clock.install();
    await page.reload();
    await enterAs(page, email);
    /** Advances the page's clock; returns whether its next refresh is marked as unattended. */
    const refresh = async (ms: number): Promise<boolean> => {
      const next = page.waitForRequest(/\/operator\/v1\/operators/);
      await page.clock.fastForward(ms);
      const request = await next;
      await request.response();
      return request.headers()['x-bourse-unattended'] === '1';
    };
    const pass = (minutes: number) => suite.control('POST', '/clock/advance', { ms: minutes * 60_000 });
    await suite.control('POST', '/clock', { mode: 'manual' });
    for (let turn = 0; turn < 2; turn++) {
      await pass(10);
      await page.mouse.move(10 + turn, 10);
      assert.equal(await refresh(6000), false);
    }
    assert.equal(await refresh(61_000), true);
    await pass(14);
    assert.equal(await refresh(6000), true);
    assert.equal(await navigation(page).count(), 1, 'a quarter of an hour is not over yet');
    await pass(2);
    await page.clock.fastForward(6000);
    await note(page, 'Your session has ended').waitFor();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await suite.control('POST', '/clock', { mode: 'real' });
  });
});
