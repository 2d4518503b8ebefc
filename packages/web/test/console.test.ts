// The console in a browser: every page works, a read-only operator changes nothing, and text of users stays text.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, describePages, takePicture } from '@bourse/test-kit/browser/page-suite.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { PLACES } from '../src/console/places.ts';
import {
  act,
  enterConsole,
  enterWithToken,
  giveToken,
  goTo,
  openTokenForm,
  settled,
} from './console-page.ts';
import { backOfficeTests } from './console-back-office.ts';
import { holdResponses, signInAs } from './terminal-page.ts';

const READ_TOKEN = 'a-token-that-may-only-look-at-things';
/** The maximum length of a remark. */
const REMARK = '<b onclick=a()>x</b>';
const QUESTIONNAIRE = '/api/v1/deposit/compliance/info';
const HOSTILE = '<img src=x onerror="window.hacked=1"><b>bold</b>';

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** The themes differ only in colours: only a long run checks every page in both. */
const placesToLookAt = (theme: 'dark' | 'light') =>
  ofSize(theme === 'dark' ? PLACES : PLACES.slice(0, 3), PLACES);

describePages('the console', { market: 'quiet', operatorReadToken: READ_TOKEN }, (suite) => {
  const operator = async (path: string): Promise<unknown> => {
    const { operatorUrl, operatorToken } = suite.exchange.connection;
    const response = await fetch(operatorUrl + path, {
      headers: { authorization: `Bearer ${operatorToken}` },
    });
    return response.json();
  };

  for (const theme of ['dark', 'light'] as const) {
    test(`each page, ${theme}: axe finds nothing, and every width fits`, async () => {
      const page = await suite.open('/console', { theme });
      await page.getByRole('button', { name: 'published token' }).waitFor();
      assert.deepEqual(await axeFindings(page), [], 'sign in');
      await enterConsole(page);
      for (const { title } of [...placesToLookAt(theme), { title: 'Users' }]) {
        await goTo(page, title);
        await settled(page);
        for (const width of theme === 'dark' ? [1600, 1024, 390] : [1600]) {
          await page.setViewportSize({ width, height: 1000 });
          assert.equal(await isTooWide(page), false, `${title} at ${width}`);
        }
        assert.deepEqual(await axeFindings(page), [], title);
        await page.setViewportSize({ width: 1600, height: 1000 });
      }
      await page.getByRole('link', { name: 'alice', exact: true }).click();
      await page.getByRole('region', { name: 'Keys' }).first().waitFor();
      assert.deepEqual(await axeFindings(page), [], 'a user');
    });
  }

  test('a change is previewed, made with a name and a reason, and recorded in the audit trail', async () => {
    const page = await suite.open('/console/markets');
    await enterConsole(page);
    await page.getByRole('button', { name: 'Set LTC-USDT to halted' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Every change needs a reason.').waitFor();
    await dialog.getByLabel('reason').fill('rehearsal of an outage');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('LTC-USDT goes from open to halted.').waitFor();
    await dialog.getByText('In the audit trail: ann').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await takePicture(page, 'console-preview');
    const states = (await operator('/v1/symbols')) as { symbol: string; state: string }[];
    assert.equal(
      states.find(({ symbol }) => symbol === 'LTC-USDT')?.state,
      'open',
      'not before it is confirmed',
    );
    await dialog.getByRole('button', { name: 'Set LTC-USDT to halted' }).click();
    await dialog.getByText('durable and in force').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const [entry] = (await operator('/v1/audit?limit=1')) as { by: string; why: string; action: string }[];
    assert.deepEqual([entry!.by, entry!.action], ['ann', 'set-market-state']);
    await goTo(page, 'Markets');
    await page.getByLabel('Market totals').getByText('Halted1').waitFor();
    await goTo(page, 'Audit trail');
    await page.getByText('rehearsal of an outage', { exact: true }).waitFor();
    // Search, filter, save.
    await page.getByLabel('Search', { exact: true }).fill('no such thing');
    await page.getByText('No loaded entry matches').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('LTC-USDT');
    await page.getByLabel('What', { exact: true }).selectOption('set-market-state');
    await page.getByText(/^1 of \d+ loaded entries$/).waitFor();
    await page.getByText(/Symbol LTC-USDT/).click();
    assert.deepEqual(await axeFindings(page), [], 'the audit trail');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const saved = readFileSync(await download.path(), 'utf8');
    assert.match(
      saved,
      /^id,time,by,approvedBy,from,action,outcome,why,record,before,details\r\n\d+,[^,]+,ann,,127\.0\.0\.1,set-market-state,/,
    );
  });

  test('a notice is published with a change of increments, read by everybody, and removed', async () => {
    const page = await suite.open('/console/markets');
    await enterConsole(page);
    await page.getByText('No notice yet').waitFor();
    await page.getByRole('button', { name: 'Publish a notice' }).click();
    const notice = {
      Title: HOSTILE,
      'Symbol (optional)': 'XLM-USDT',
      'Price increment (optional)': '0.0001',
      'Effective at (UTC) (optional)': '2100-01-01T00:00',
    };
    await act(page, notice, 'decided by the board');
    await page.getByRole('cell', { name: HOSTILE, exact: true }).waitFor();
    await page.getByText('scheduled', { exact: true }).waitFor();
    assert.deepEqual(await axeFindings(page), [], 'with a notice');
    const read = async () => {
      const { json } = await new Client(suite.url, 'bob').get('/api/v3/announcements');
      return (json.data as { items: { annTitle: string }[] }).items.map(({ annTitle }) => annTitle);
    };
    assert.deepEqual(await read(), [HOSTILE]);
    await page.getByRole('button', { name: `Remove "${HOSTILE}"`, exact: true }).click();
    await act(page, {}, 'postponed');
    await page.getByText('No notice yet').waitFor();
    assert.deepEqual(await read(), []);
  });

  test('the console can begin an auction that the terminal shows, pause the exchange, and schedule a change', async () => {
    const page = await suite.open('/console/markets');
    await enterConsole(page);
    await page.getByRole('button', { name: 'More for XLM-USDT' }).click();
    assert.deepEqual(await axeFindings(page, '[role=menu]'), []);
    await page.getByRole('menuitem', { name: 'Begin an auction in XLM-USDT' }).click();
    await act(page, {}, 'opening');
    await page.getByText(/^until .*: no cross$/).waitFor();
    const order = { symbol: 'XLM-USDT', type: 'limit', size: '100' };
    await new Client(suite.url, 'alice').post('/api/v1/hf/orders', { ...order, side: 'sell', price: '0.1' });
    await new Client(suite.url, 'bob').post('/api/v1/hf/orders', { ...order, side: 'buy', price: '0.12' });
    await page.getByText(/^until .*: 100 at 0\.1/).waitFor();
    assert.deepEqual(await axeFindings(page), [], 'with an auction');

    const terminal = await suite.open('/trade/XLM-USDT');
    await terminal
      .getByRole('banner')
      .getByText(/^Auction until \d\d:\d\d: 100 at 0\.1/)
      .waitFor();
    // The sides overlap until the auction ends, so there is no spread.
    await terminal.getByText('crossed', { exact: true }).waitFor();
    assert.deepEqual(await axeFindings(terminal), [], 'the terminal in an auction');

    await page.getByRole('button', { name: 'Pause the exchange' }).click();
    await act(page, {}, 'incident 12');
    await page.getByText('Exchange paused').waitFor();
    await terminal.getByRole('banner').getByText('Halted').waitFor();
    await page.getByRole('button', { name: 'Resume the exchange' }).click();
    await act(page, {}, 'incident 12 is over');
    await terminal
      .getByRole('banner')
      .getByText(/^Auction until/)
      .waitFor();

    await page.getByRole('button', { name: 'Schedule a change' }).click();
    const change = {
      'Time (UTC)': '2100-01-01T00:00',
      Call: 'set-market-state',
      'Path parameters (optional)': '{"symbol":"XLM-USDT"}',
      'Body (optional)': '{"state":"halted"}',
    };
    await act(page, change, 'end of the trial');
    await page.getByRole('table', { name: 'Scheduled changes' }).getByText('Set market state').waitFor();
    await page.getByRole('button', { name: /^Cancel the change of 2100-01-01/ }).click();
    await act(page, {}, 'goes on');
    await page.getByRole('table', { name: 'Scheduled changes' }).waitFor({ state: 'detached' });
  });

  test('a rejection is shown with the message of the exchange, and the entered values stay', async () => {
    const page = await suite.open('/console/currencies');
    await enterConsole(page);
    await page.getByRole('button', { name: 'Remove BTC', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('reason').fill(HOSTILE);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Remove BTC' }).click();
    const said = await dialog.getByRole('alert').textContent();
    assert.match(said!, /BTC/);
    await dialog.getByRole('button', { name: 'Back' }).click();
    assert.equal(await dialog.getByLabel('reason').inputValue(), HOSTILE);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await goTo(page, 'Audit trail');
    await page.getByText(HOSTILE, { exact: true }).first().waitFor();
    assert.equal(await page.evaluate(() => 'hacked' in window), false);
  });

  test('an operator can add a customer, create a key whose secret is shown once, credit money and freeze the account', async () => {
    const page = await suite.open('/console/users');
    await enterConsole(page);
    await page.getByRole('button', { name: 'Add a user' }).click();
    await act(page, { Name: 'dave' }, 'new customer');
    await page.getByLabel('Search by name, id or e-mail address').fill('dave');
    await page.getByRole('link', { name: 'dave', exact: true }).click();
    await page.getByRole('button', { name: 'Add a key' }).click();
    const key = JSON.parse(await act(page, {}, 'his bot')) as { apiKey: string; apiSecret: string };
    await page.getByRole('cell', { name: key.apiKey, exact: true }).waitFor();
    assert.equal((await page.content()).includes(key.apiSecret), false, 'the secret is gone with its dialog');
    await page.getByRole('button', { name: 'Report a deposit' }).click();
    // Currencies and chains are searchable, and the preview shows the new balance.
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Currency', { exact: true }).fill('USDT');
    await dialog.locator('datalist option[value=trx]').waitFor({ state: 'attached' });
    await dialog.getByLabel('Amount', { exact: true }).fill('1000.5');
    await dialog.getByLabel('Transaction id', { exact: true }).fill('9f3c');
    await dialog.getByLabel('reason').fill('wire 17');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Credit 1,000.5 USDT to dave: MAIN 0 → 1,000.5.').waitFor();
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), []);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await act(
      page,
      { Currency: 'USDT', 'Chain (optional)': 'trx', Amount: '1000.5', 'Transaction id': '9f3c' },
      'wire 17',
    );
    await page.getByRole('cell', { name: '1,000.5', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Freeze dave' }).click();
    await act(page, {}, 'asked by the court');
    await page.getByRole('button', { name: 'Unfreeze dave' }).waitFor();
    const user = (await operator('/v1/users/dave')) as { frozen: boolean; tier: number };
    assert.deepEqual([user.frozen, user.tier], [true, 0]);
  });

  test('unfreezing a user keeps the own freezes of its sub-accounts, unless requested otherwise', async () => {
    const freeze = async (name: string): Promise<void> => {
      const { operatorUrl, operatorToken } = suite.exchange.connection;
      const response = await fetch(`${operatorUrl}/v1/users/${name}/freeze`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ level: 'all', reason: 'test' }),
      });
      assert.ok(response.ok);
    };
    const isFrozen = async (name: string) =>
      ((await operator(`/v1/users/${name}`)) as { frozen: boolean }).frozen;
    const page = await suite.open('/console/users');
    await enterConsole(page);
    await freeze('alice-sub');
    for (const withSubAccounts of [false, true]) {
      await freeze('alice');
      await goTo(page, 'Users');
      await page.getByRole('link', { name: 'alice', exact: true }).click();
      await page.getByRole('button', { name: 'Unfreeze alice' }).click();
      const field = page.getByRole('dialog').getByLabel('With sub-accounts (optional)');
      assert.equal(await field.inputValue(), 'false');
      await act(page, { 'With sub-accounts (optional)': String(withSubAccounts) }, 'solved');
      await page.getByRole('button', { name: 'Freeze alice' }).waitFor();
      assert.deepEqual([await isFrozen('alice'), await isFrozen('alice-sub')], [false, !withSubAccounts]);
    }
  });

  test('the dialog of a call in flight stays open, and shows the secret that is returned only once', async () => {
    const page = await suite.open('/console/users');
    await enterConsole(page);
    await page.getByRole('link', { name: 'bob', exact: true }).click();
    await page.getByRole('button', { name: 'Add a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason', { exact: true }).fill('another bot');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const held = await holdResponses(page, /\/keys$/);
    await dialog.getByRole('button', { name: 'Add a key', exact: true }).click();
    await held.isExecuted;
    for (const name of ['Back', 'Close', 'Add a key']) {
      assert.ok(await dialog.getByRole('button', { name, exact: true }).isDisabled(), name);
    }
    await page.keyboard.press('Escape');
    assert.ok(await dialog.isVisible());
    held.release();
    await dialog.getByRole('button', { name: 'Copy: Secret' }).waitFor();
    await dialog.getByRole('button', { name: 'I have written it down' }).click();
    // The next action starts with its form.
    await page.getByRole('button', { name: 'Add a key' }).click();
    await dialog.getByRole('button', { name: 'Preview' }).waitFor();
  });

  test('a questionnaire is shown beside its deposit, rejected with an explained code, and accepted', async () => {
    const { operatorUrl, operatorToken } = suite.exchange.connection;
    const response = await fetch(`${operatorUrl}/v1/deposits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        userId: 'carol',
        currency: 'USDT',
        chain: 'eth',
        amount: '77.5',
        txId: '<i>tx</i>',
        travelRule: true,
        reason: 'test',
      }),
    });
    const { travelRuleOId } = (await response.json()) as { travelRuleOId: string };
    const answer = async (): Promise<void> => {
      const complianceInfo = JSON.stringify({
        firstName: 'Ada',
        lastName: HOSTILE,
        identityType: 'PASSPORT',
        identityNo: 'C01X',
        country: 'DE',
        reasonOfTransfer: 'savings',
        wallet: 'my own',
      });
      const body = { travelRuleOId, type: 'individual', complianceInfo };
      const { status, json } = await new Client(suite.url, 'carol').post(QUESTIONNAIRE, body);
      assert.equal(status, 200, JSON.stringify(json));
    };
    await answer();
    const page = await suite.open('/console/deposits');
    await enterConsole(page);
    const found = page.getByRole('table', { name: 'Questionnaires found' });
    await found.getByRole('link').first().click();
    for (const text of ['Ada', HOSTILE, 'Passport', 'Germany (DE)', '77.5 USDT', '<i>tx</i>']) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    await page.getByText('It is not clear who sent the money.').waitFor();
    assert.deepEqual(await axeFindings(page), [], 'a questionnaire');
    await page.getByRole('button', { name: 'Refuse the questionnaire of carol' }).click();
    await act(page, { 'Failure code': 'sender-unclear' }, 'no family name');
    await page.getByText('sender-unclear: It is not clear who sent the money.').waitFor();
    const user = await suite.open('/money/deposit?currency=USDT');
    await signInAs(user, 'carol');
    await user.getByText('It is not clear who sent the money.').waitFor();

    await answer();
    await goTo(page, 'Deposits');
    await found.getByRole('link').first().click();
    await page.getByRole('button', { name: 'Accept the questionnaire of carol' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('reason').fill('checked');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText(/^Credit 77\.5 USDT to carol: MAIN [\d,.]+ → [\d,.]+\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await act(page, {}, 'checked');
    await page.getByText('Accepted', { exact: true }).waitFor();
  });

  test('an operator sees orders and fills of any user, with remarks as text', async () => {
    const { url } = suite;
    const order = { symbol: 'ETH-USDT', type: 'limit', price: '2000', size: '0.5', remark: REMARK };
    await new Client(url, 'alice').post('/api/v1/hf/orders', { ...order, side: 'sell' });
    const bought = await new Client(url, 'bob').post('/api/v1/hf/orders', {
      ...order,
      side: 'buy',
      size: '0.2',
    });
    assert.equal(bought.status, 200);
    const page = await suite.open('/console/users');
    await enterConsole(page);
    await page.getByRole('link', { name: 'alice', exact: true }).click();
    await page.getByText(REMARK, { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Fills' }).click();
    await page.getByRole('cell', { name: '0.2', exact: true }).waitFor();
    assert.equal(await page.evaluate(() => 'hacked' in window), false);
  });

  test('with the read token, every page is visible and nothing can be changed', async () => {
    const page = await suite.open('/console');
    await enterWithToken(page, READ_TOKEN, 'auditor');
    await page.getByText('read only').waitFor();
    for (const { title } of PLACES) {
      await goTo(page, title);
      await settled(page);
      assert.equal(await page.getByRole('alert').count(), 0, title);
      const names = await page.getByRole('main').getByRole('button').allTextContents();
      assert.deepEqual(
        names.filter((name) => /^(Add|Set|Change|Remove|Report|Accept|terms|halted|remove)/.test(name)),
        [],
        title,
      );
    }
  });

  test('a wrong token is rejected, and neither token nor name is in a URL or in storage', async () => {
    const page = await suite.open('/console');
    await openTokenForm(page);
    await giveToken(page, 'this-is-not-the-operator-token');
    await page.getByText('This is not the operator token.').waitFor();
    await enterWithToken(page, READ_TOKEN, 'auditor');
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
    );
    assert.equal(kept.includes(READ_TOKEN), false);
    await page.reload();
    await page.getByText('Sign in with a token').waitFor();
  });

  test('the proof of solvency can be saved as a file, with every sum 0', async () => {
    const page = await suite.open('/console/money');
    await enterConsole(page);
    await page.getByText('each with the sum 0').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the proof' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^bourse-proof-\d+\.json$/);
    const proof = JSON.parse(readFileSync(await download.path(), 'utf8')) as { sums: object };
    assert.ok(Object.keys(proof.sums).length > 1);
    assert.deepEqual([...new Set(Object.values(proof.sums))], ['0']);
  });

  backOfficeTests(suite);
});
