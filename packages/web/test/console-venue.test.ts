// The console of a venue in a browser: on the operators' listener, with their token, and not on the public port.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { act, enterWithToken, goTo, settled } from './console-page.ts';

const TOKEN = 'the-token-of-the-operators-of-this-venue';
const CURRENCY = {
  currency: 'ACME',
  fullName: 'Acme coin',
  precision: 8,
  scale: 12,
  chains: [{ chainId: 'eth', chainName: 'ETH' }],
};
const ADDRESSES = [1, 2, 3].map((digit) => ({ address: `0x${String(digit).repeat(40)}` }));

const venue = { venue: true, secretKey: 'ab'.repeat(32), operatorToken: TOKEN };

describePages('the console of a venue', venue, (suite) => {
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(`${suite.exchange.connection.operatorUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, reason: 'a test' }),
    });
    assert.equal(response.status, 200, await response.text());
  };

  test('an operator can sign in at the operators’ listener, and not at the public port', async () => {
    const { baseUrl, operatorUrl } = suite.exchange.connection;
    assert.notEqual(new URL(baseUrl).port, new URL(operatorUrl).port);
    assert.equal((await fetch(`${baseUrl}/console`)).status, 404);
    const page = await suite.open('/console');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'published token' }).count(), 0);
    await enterWithToken(page, TOKEN, 'ann');
    for (const title of ['Overview', 'Users', 'Withdrawals', 'Audit trail']) {
      await goTo(page, title);
      await settled(page);
    }
  });

  test('an operator sets an address source, loads a list, and is warned that it runs low', async () => {
    await post('/v1/currencies', CURRENCY);
    const page = await suite.open('/console/deposits');
    await enterWithToken(page, TOKEN, 'ann');
    await page.getByRole('button', { name: 'Set the source of eth' }).click();
    await act(page, { Source: 'list' }, 'our wallet');
    await page.getByRole('button', { name: 'Load addresses of eth' }).click();
    await act(page, { Addresses: JSON.stringify(ADDRESSES) }, 'the first ones');
    const sources = page.getByRole('table', { name: 'Address sources by chain' });
    await sources.getByText('3 free').waitFor();
    await sources.getByText('3 addresses are left').waitFor();
    assert.deepEqual(await axeFindings(page), []);
  });
});
