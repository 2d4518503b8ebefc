// The money page: transfers, addresses, the questionnaire, withdrawals, sub-accounts and their keys, the ledger.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { tabAndPress, tabTo } from './tab-key.ts';
import { holdResponses, note, openTab, rows, signInAs } from './terminal-page.ts';

describePages('money', { market: 'quiet' }, (suite) => {
  test('money can be moved between own accounts and to a sub-account, and the ledger shows it', async () => {
    const page = await suite.open('/money/transfer?currency=USDT');
    await signInAs(page, 'alice');
    const form = page.getByRole('form', { name: 'Transfer' });
    await form.getByText('Available: 1,000,000 USDT').waitFor();
    await form.getByLabel('Amount', { exact: true }).fill('1000001');
    await form.getByText('At most 1000000 are available.').waitFor();
    await form.getByLabel('Amount', { exact: true }).fill('0.123456789');
    await form.getByText('At most 8 places: 0.12345678 would be right.').waitFor();
    await form.getByLabel('Amount', { exact: true }).fill('250');
    await form.getByRole('button', { name: 'Transfer', exact: true }).click();
    await note(page, '250 USDT moved').waitFor();
    await form.getByText('Available: 999,750 USDT').waitFor();

    await form.getByLabel('To the account of').selectOption('alice-sub');
    await form.getByLabel('Amount', { exact: true }).fill('50');
    await form.getByRole('button', { name: 'Transfer', exact: true }).click();
    await note(page, '50 USDT moved').waitFor();
    await openTab(page, 'Sub-accounts');
    await rows(page, 'Sub-accounts').getByText('10,050 USDT').waitFor();
    await openTab(page, 'Ledger');
    await rows(page, 'Ledger').getByText('−50 USDT').waitFor();
  });

  test('text typed while a transfer is in flight is kept', async () => {
    const page = await suite.open('/money/transfer?currency=BTC');
    await signInAs(page, 'bob');
    const form = page.getByRole('form', { name: 'Transfer' });
    const amount = form.getByLabel('Amount', { exact: true });
    const held = await holdResponses(page, /universal-transfer$/);
    await amount.fill('2');
    await form.getByRole('button', { name: 'Transfer', exact: true }).click();
    await held.isExecuted;
    await amount.fill('3');
    held.release();
    await note(page, '2 BTC moved').waitFor();
    assert.equal(await amount.inputValue(), '3');
    await form.getByRole('button', { name: 'Transfer', exact: true }).click();
    await note(page, '3 BTC moved').waitFor();
    assert.equal(await amount.inputValue(), '');
  });

  test('a deposit address has a QR code, and a warning if it needs a memo', async () => {
    const page = await suite.open('/money/deposit?currency=XRP');
    await signInAs(page, 'bob');
    await page.getByRole('button', { name: 'Create the address' }).click();
    await page.getByRole('img', { name: /as a QR code$/ }).waitFor();
    await page.getByRole('note').filter({ hasText: 'This is a sandbox' }).waitFor();
    const warning = page.getByRole('note').filter({ hasText: 'memo' });
    assert.match(await warning.innerText(), /Without the memo \d+, a deposit of XRP/);
    await page.getByRole('button', { name: 'Copy: Address' }).click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^r\w{24,}$/);
  });

  test('a deposit under the Travel Rule waits until its questionnaire is accepted', async () => {
    const page = await suite.open('/money/deposit?currency=USDT');
    await signInAs(page, 'carol');
    const carol = suite.exchange.connection.users.find(({ name }) => name === 'carol')!;
    const operate = async (path: string, body: unknown): Promise<void> => {
      const { operatorUrl, operatorToken } = suite.exchange.connection;
      const { ok } = await fetch(operatorUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.ok(ok);
    };
    await operate('/v1/deposits', {
      userId: carol.userId,
      currency: 'USDT',
      chain: 'eth',
      amount: '77',
      txId: '<i id=tx>',
      travelRule: true,
      reason: 'test',
    });
    await page.reload();
    await rows(page, 'Deposits').getByText('<i id=tx>', { exact: true }).waitFor();
    assert.equal(await page.locator('#tx').count(), 0);
    await page.getByRole('button', { name: 'Name the sender' }).click();
    const form = page.getByRole('form', { name: 'Questionnaire' });
    for (const label of [
      'First name',
      'Last name',
      'Number of the identity document',
      'Reason of the transfer',
      'Wallet or exchange it came from',
    ]) {
      await form.getByLabel(label).fill('Something 1');
    }
    await form.getByLabel('Country').selectOption({ index: 1 });
    await form.getByRole('button', { name: 'Submit' }).click();
    await note(page, 'Answered').waitFor();
  });

  test('a withdrawal is reviewed before it is sent, and cancelled while it is processed', async () => {
    const page = await suite.open('/money/withdraw?currency=USDT');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/withdrawals')) sent.push(request.url());
    });
    await signInAs(page, 'bob');
    const form = page.getByRole('form', { name: 'Withdraw' });
    await form.getByText(/Up to 999,995.5 USDT, at least 10; fee 4.5 USDT/).waitFor();
    const review = form.getByRole('button', { name: 'Review', exact: true });
    await review.click();
    await form.getByText('Fill in an address.').waitFor();
    await form.getByText('Fill in an amount.').waitFor();
    await form.getByLabel('Address').fill('0x5290');
    await form.getByText('Not an address on ERC20: expected 0x and 40 hex digits.').waitFor();
    await form.getByLabel('Address').fill('0x52908400098527886E0F7030069857D2E4169EE7');
    await form.getByLabel('Amount', { exact: true }).fill('5');
    await form.getByText('At least 10.').waitFor();
    await form.getByLabel('Amount', { exact: true }).fill('1,000.5');
    await review.click();
    const dialog = page.getByRole('dialog', { name: 'Review the withdrawal' });
    for (const text of ['0x52908400098527886E0F7030069857D2E4169EE7', '4.5 USDT', '998,995 USDT']) {
      await dialog.getByText(text, { exact: true }).waitFor();
    }
    assert.deepEqual(sent, []);
    await dialog.getByRole('button', { name: 'Back' }).click();

    // The exchange accepts the maximum that the button offers, with the fee on top or included.
    for (const most of ['1000000', '999995.5']) {
      if (most === '1000000') await form.getByLabel('The fee is taken out of the amount').check();
      else await form.getByLabel('The fee is taken out of the amount').uncheck();
      await form.getByLabel('Address').fill('0x52908400098527886E0F7030069857D2E4169EE7');
      await form.getByRole('button', { name: 'Max' }).click();
      assert.equal(await form.getByLabel('Amount', { exact: true }).inputValue(), most);
      await review.click();
      await dialog.getByText('0 USDT', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
      await note(page, 'Withdrawal requested').waitFor();
      await rows(page, 'Withdrawals').getByText('PROCESSING').waitFor();
      await page.getByRole('button', { name: /^Cancel withdrawal/ }).click();
      await note(page, 'Withdrawal cancelled').waitFor();
      await form.getByText(/Up to (999,995.5|1,000,000) USDT/).waitFor();
    }
    assert.equal(sent.length, 2);
  });

  test('a withdrawal in flight keeps its review open, and is not sent again', async () => {
    const page = await suite.open('/money/withdraw?currency=USDT');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/withdrawals')) sent.push(request.url());
    });
    await signInAs(page, 'alice');
    const form = page.getByRole('form', { name: 'Withdraw' });
    await form.getByText(/Up to [\d,.]+ USDT/).waitFor();
    await form.getByLabel('Address').fill('0x52908400098527886E0F7030069857D2E4169EE7');
    await form.getByLabel('Amount', { exact: true }).fill('20');
    await form.getByRole('button', { name: 'Review', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Review the withdrawal' });
    const held = await holdResponses(page, /\/api\/v3\/withdrawals$/);
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await held.isExecuted;
    for (const name of ['Back', 'Close', 'Withdraw']) {
      assert.ok(await dialog.getByRole('button', { name, exact: true }).isDisabled(), name);
    }
    await page.keyboard.press('Escape');
    assert.ok(await dialog.isVisible());
    held.release();
    await note(page, 'Withdrawal requested').waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await form.getByLabel('Amount', { exact: true }).inputValue(), '');
    assert.equal(sent.length, 1);
    await page.getByRole('button', { name: /^Cancel withdrawal/ }).click();
    await note(page, 'Withdrawal cancelled').waitFor();
  });

  test('the keyboard alone can fill in, review, send and cancel a withdrawal', {
    timeout: 120_000,
  }, async () => {
    const page = await suite.open('/money/withdraw?currency=USDT');
    const { keyboard } = page;
    await page.getByText('You are not signed in').waitFor();
    await tabAndPress(page, /^Sign in$/);
    await tabAndPress(page, /^carol/);
    await page.getByRole('button', { name: 'Signed in as carol' }).waitFor();
    await page.getByText(/Up to [\d,.]+ USDT/).waitFor();
    await tabTo(page, /^Address/);
    await keyboard.type('0x52908400098527886E0F7030069857D2E4169EE7');
    await tabTo(page, /^Amount/);
    await keyboard.type('1000');
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Review the withdrawal' });
    await dialog.getByText('1,004.5 USDT', { exact: true }).waitFor();
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      assert.deepEqual(await axeFindings(page), [], `the review, ${theme}`);
    }
    // Enter in the form opened the review; a second Enter must not send it.
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'dialog');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/withdrawals')) sent.push(request.url());
    });
    await tabTo(page, /^Withdraw$/);
    // Two presses before the next render count as one.
    await page.evaluate(() => {
      const button = document.activeElement as HTMLButtonElement;
      button.click();
      button.click();
    });
    await note(page, 'Withdrawal requested').waitFor();
    assert.equal(sent.length, 1);
    await tabAndPress(page, /^Cancel withdrawal/);
    await note(page, 'Withdrawal cancelled').waitFor();
  });

  test('on a phone every page is reachable, and each row of a list is a card with its figures', async () => {
    const page = await suite.open('/money/ledger', { width: 390, height: 844 });
    await signInAs(page, 'alice');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const { x, width } = (await pages.boundingBox())!;
    for (const name of ['Trade', 'Money', 'Report']) {
      const link = (await pages.getByRole('link', { name }).boundingBox())!;
      assert.ok(link.x >= x && link.x + link.width <= x + width, `${name} is cut off`);
    }
    await pages.getByRole('link', { name: 'Docs' }).waitFor();
    const isWhole = async (list: string, text: RegExp): Promise<void> => {
      const figure = page.getByRole('list', { name: list }).getByText(text).first();
      const box = (await figure.boundingBox())!;
      assert.ok(box.x >= 0 && box.x + box.width <= 390, `${list}: ${text} is cut off`);
    };
    await isWhole('Ledger', /^\+[\d,.]+ [A-Z]+$/);
    await openTab(page, 'Deposit');
    await isWhole('Deposits', /^[\d,.]+$/);
    await openTab(page, 'Sub-accounts');
    const keys = page.getByRole('list', { name: 'Sub-accounts' }).getByRole('button', { name: 'Keys' });
    const box = (await keys.boundingBox())!;
    assert.ok(box.width > 40 && box.x + box.width <= 390, 'a button with a word is as wide as the word');
    assert.deepEqual(await axeFindings(page), []);
  });

  test('a sub-account is created and gets a key that is shown once and then removed', async () => {
    const page = await suite.open('/money/sub-accounts');
    await signInAs(page, 'carol');
    await page.getByText('No sub-accounts yet').waitFor();
    const make = page.getByRole('form', { name: 'New sub-account' });
    await make.getByLabel('Name').fill('x');
    await make.getByRole('button', { name: 'Make', exact: true }).click();
    await note(page, 'Create a sub-account: rejected').waitFor();
    await make.getByLabel('Name').fill('carolbot1');
    await make.getByLabel('Remarks').fill('<u id=remark>');
    await make.getByRole('button', { name: 'Make', exact: true }).click();
    await rows(page, 'Sub-accounts').getByText('<u id=remark>', { exact: true }).waitFor();
    assert.equal(await page.locator('#remark').count(), 0);

    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    const form = page.getByRole('form', { name: 'New key' });
    await form.getByText('Still needed: a passphrase of 7 to 32 characters, a remark.').waitFor();
    await form.getByLabel('Passphrase, 7 to 32 characters').fill('carolbot-pass');
    await form.getByText('Still needed: a remark.').waitFor();
    await form.getByLabel('Remark').fill('bot');
    await form.getByRole('button', { name: 'Create the key' }).click();
    await form.getByText('Write down the secret').waitFor();
    await form.getByRole('button', { name: 'Copy: Secret' }).click();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      await form.getByRole('status').locator('code').nth(1).innerText(),
    );
    const secret = await form.getByRole('status').locator('code').nth(1).innerText();
    assert.match(secret, /^[\w-]{20,}$/);

    await page.getByRole('button', { name: /^Change or remove key/ }).click();
    const change = page.getByRole('form', { name: 'Change a key' });
    await change.getByLabel('Its passphrase').fill('carolbot-pass');
    await change.getByLabel('Spot').uncheck();
    await change.getByLabel('Allowed IP addresses').fill('203.0.113.7, 2001:db8::7');
    await change.getByRole('button', { name: 'Change', exact: true }).click();
    const keys = rows(page, 'Keys of carolbot1');
    await keys.getByText('203.0.113.7,2001:db8::7').waitFor();
    await page.getByRole('button', { name: /^Change or remove key/ }).click();
    await change.getByLabel('Its passphrase').fill('carolbot-pass');
    await change.getByLabel('Allowed IP addresses').fill('');
    await change.getByRole('button', { name: 'Change', exact: true }).click();
    await keys.getByText('any', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Change or remove key/ }).click();
    await change.getByLabel('Its passphrase').fill('carolbot-pass');
    await change.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No API keys yet').waitFor();
  });

  test('the page says what to do if the visitor has no key or no money', async () => {
    const page = await suite.open('/money');
    await page.getByText('You are not signed in').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Sign in to trade' }).waitFor();
  });
});
