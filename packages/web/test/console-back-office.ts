// The back office in a browser: mistakes are reversed, limits and rules are set, and each preview shows the effect
// and the user.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFindings, type PageSuite } from '@bourse/test-kit/browser/page-suite.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { act, enterConsole, goTo } from './console-page.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

export function backOfficeTests(suite: PageSuite): void {
  const operate = async <T>(path: string, body?: object): Promise<T> => {
    const { operatorUrl, operatorToken } = suite.exchange.connection;
    const response = await fetch(operatorUrl + path, {
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify({ ...body, reason: 'test' }) }),
    });
    const text = await response.text();
    assert.ok(response.ok, text);
    return JSON.parse(text) as T;
  };
  const deposit = (txId: string, more: object = {}) =>
    operate<{ depositId: string }>('/v1/deposits', {
      userId: 'carol',
      currency: 'USDT',
      chain: 'trx',
      amount: '250',
      txId,
      ...more,
    });

  test('mistakes can be corrected: deposits reversed and returned, money moved, a withdrawal settled and reversed', async () => {
    await deposit('slip');
    await deposit('unwanted', { travelRule: true });
    const asked = await new Client(suite.url, 'bob').post('/api/v3/withdrawals', {
      currency: 'USDT',
      chain: 'eth',
      toAddress: ADDRESS,
      amount: '100',
      withdrawType: 'ADDRESS',
    });
    assert.equal(asked.json.code, '200000', JSON.stringify(asked.json));
    const page = await suite.open('/console/deposits');
    await enterConsole(page);
    const found = page.getByRole('table', { name: 'Deposits found' });
    await found.getByText('unwanted').waitFor();
    await found.getByText('Waits for a questionnaire').waitFor();
    await page.getByRole('button', { name: 'Return the deposit of carol' }).first().click();
    await preview(page, 'paid back', /^250 USDT went back to its sender\. carol gets nothing/);
    await act(page, { 'Transaction id (optional)': 'back-1' }, 'paid back');
    await page.getByRole('radio', { name: 'Returned' }).click();
    await found.getByText('unwanted').waitFor();

    await page.getByRole('radio', { name: 'Credited' }).click();
    const row = found.getByRole('row').filter({ hasText: 'slip' });
    await row.getByRole('button', { name: 'Reverse the deposit of carol' }).click();
    await preview(page, 'wrong user', /^Take 250 USDT back from carol: MAIN [\d,.]+ → [\d,.]+\.$/);
    await act(page, {}, 'wrong user');

    await goTo(page, 'Money');
    await page.getByRole('button', { name: 'Move money' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Currency', { exact: true }).fill('USDT');
    await dialog.getByLabel('Amount', { exact: true }).fill('12.5');
    await dialog.getByLabel('From', { exact: true }).selectOption('user-main');
    await dialog.getByLabel('To', { exact: true }).selectOption('suspense');
    await dialog.getByLabel('Reason', { exact: true }).fill('unclear');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Enter the user who owns the account.').waitFor();
    assert.deepEqual(await axeFindings(page, '[role=dialog]'), [], 'the form of a move');
    await dialog.getByLabel('From whom (optional)').fill('alice');
    await preview(page, 'unclear', /^Move 12\.5 USDT from alice \(MAIN [\d,.]+ → [\d,.]+\) to suspense\.$/);
    const moves: string[] = [];
    await page.route('**/operator/v1/corrections', async (route) => {
      moves.push((route.request().postDataJSON() as { clientOid: string }).clientOid);
      // The first response is lost after the exchange has booked the move.
      if (moves.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    const move = dialog.getByRole('button', { name: 'Move money', exact: true });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await move.click();
    await dialog.getByRole('alert').waitFor();
    await move.click();
    await dialog.getByText('durable and in force').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.unroute('**/operator/v1/corrections');
    assert.deepEqual([moves.length, new Set(moves).size], [2, 1], 'sent again, it is booked once');
    const made = page.getByRole('table', { name: 'Corrections made' });
    await made.getByText('Move', { exact: true }).waitFor();
    await made
      .getByRole('row')
      .filter({ hasText: 'Move' })
      .getByRole('button', { name: /^Reverse/ })
      .click();
    await act(page, {}, 'clear now');
    await made.getByText(/^Reversed by/).waitFor();

    await page.getByRole('button', { name: 'Report a wallet balance' }).click();
    await act(page, { Currency: 'USDT', Balance: '5' }, 'end of the day');
    await page
      .getByRole('table', { name: 'Liabilities and wallets' })
      .getByText('Wallets hold less')
      .waitFor();
    assert.deepEqual(await axeFindings(page), [], 'money with corrections');

    await goTo(page, 'Withdrawals');
    await page.getByRole('button', { name: /^Claim:/ }).click();
    await act(page, {}, 'mine');
    await page.getByRole('radio', { name: 'Being paid' }).click();
    await page.getByRole('button', { name: /^Sent:/ }).click();
    await dialog.getByLabel('Transaction id', { exact: true }).fill('paid-1');
    await preview(
      page,
      'paid',
      /^Pay 100 USDT to 0x52908400098527886E0F7030069857D2E4169EE7, with a fee of 4\.5: held in MAIN of bob 104\.5 → 0\.$/,
    );
    await act(page, {}, 'paid');
    await page.getByRole('radio', { name: 'Sent' }).click();
    await page.getByRole('button', { name: /^Reverse:/ }).click();
    await preview(
      page,
      'came back',
      /^Credit 104\.5 USDT to bob, the fee included: MAIN [\d,.]+ → [\d,.]+\.$/,
    );
    await act(page, {}, 'came back');
  });

  test('limits, notes and sessions of a user, blocked addresses, and orders cancelled for others', async () => {
    const alice = new Client(suite.url, 'alice');
    const order = { symbol: 'ETH-BTC', type: 'limit', side: 'sell', price: '0.2', size: '0.01' };
    for (const size of ['0.01', '0.02']) await alice.post('/api/v1/hf/orders', { ...order, size });
    const page = await suite.open('/console/users');
    await enterConsole(page);
    await page.getByRole('link', { name: 'alice', exact: true }).click();
    await page.getByLabel('Symbol').fill('ETH-BTC');
    const orders = page.getByRole('table', { name: 'Orders' });
    await orders
      .getByRole('row')
      .filter({ hasText: '0.02' })
      .getByRole('button', { name: /^Cancel order/ })
      .click();
    await preview(
      page,
      'asked by phone',
      /^Ends the order to sell 0\.02 in ETH-BTC at 0\.2, of which 0 are filled/,
    );
    await act(page, {}, 'asked by phone');
    await orders.getByText('0.02').waitFor({ state: 'detached' });

    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('First day, UTC').fill(today);
    await page.getByLabel('Last day, UTC').fill('2020-01-01');
    assert.ok(await page.getByRole('button', { name: 'Save as CSV' }).isDisabled());
    await page.getByLabel('Last day, UTC').fill(today);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const file = await saving;
    assert.equal(file.suggestedFilename(), `statement-alice-${today}-to-${today}.csv`);
    const csv = readFileSync(await file.path(), 'utf8');
    assert.match(csv.split('\n')[0]!, /^account,currency,/);
    assert.match(csv, /main,USDT,/i);

    await page.getByRole('button', { name: 'Note about alice' }).click();
    await act(page, { Text: 'called about order 2' }, 'to remember');
    await page.getByRole('table', { name: 'Notes' }).getByText('called about order 2').waitFor();
    await page.getByRole('radio', { name: 'Withdrawal limits' }).click();
    await page.getByRole('button', { name: 'Limit the withdrawals of alice' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Currency', { exact: true }).fill('USDT');
    await dialog.getByLabel('Most a day (UTC)', { exact: true }).fill('5000');
    await preview(page, 'unusual', /^alice may withdraw without a limit → 5,000 USDT a day\.$/);
    await act(page, {}, 'unusual');
    await page.getByRole('table', { name: 'Withdrawal limits' }).getByText('5,000').first().waitFor();
    await page.getByRole('button', { name: 'Remove the USDT limit of alice' }).click();
    await act(page, {}, 'explained');
    await page.getByText('No limit: neither the user nor the tier has one').waitFor();
    for (const name of ['Ledger', 'Activity', 'Rejected requests', 'Sessions']) {
      await page.getByRole('radio', { name, exact: true }).click();
      assert.deepEqual(await axeFindings(page), [], name);
    }
    await page.getByRole('button', { name: 'End the sessions of alice' }).click();
    await dialog.getByLabel('Reason', { exact: true }).fill('stolen laptop');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'End the sessions of alice', exact: true }).click();
    await dialog.getByText('Nobody signed up as this user.').waitFor();
    await page.keyboard.press('Escape');

    await goTo(page, 'Fees and limits');
    await page.getByRole('button', { name: 'Block or allow an address' }).click();
    await dialog.getByLabel('Address', { exact: true }).fill(ADDRESS);
    await preview(page, 'on a list', new RegExp(`^Block withdrawals of every currency to ${ADDRESS}\\.$`));
    await act(page, {}, 'on a list');
    await page.getByRole('table', { name: 'Address rules' }).getByText('Blocked').waitFor();
    assert.deepEqual(await axeFindings(page), [], 'with an address rule');
    await page.getByRole('button', { name: `Remove the rule of ${ADDRESS}` }).click();
    await act(page, {}, 'off the list');
    await page.getByText('No blocked addresses').waitFor();

    await goTo(page, 'Markets');
    await page.getByRole('button', { name: 'More for ETH-BTC' }).click();
    await page.getByRole('menuitem', { name: 'Cancel all orders in ETH-BTC' }).click();
    await act(page, {}, 'a wrong tick');
    const { json } = await alice.get('/api/v1/orders?status=active&symbol=ETH-BTC');
    assert.deepEqual((json.data as { items: object[] }).items, []);
  });
}

/** Opens the preview and goes back to the form. */
async function preview(page: Page, reason: string, text: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason', { exact: true }).fill(reason);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('region', { name: 'What will happen' }).getByText(text).waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
}
