// People in a real browser: sign-up by mail, trading, second factors, passkeys, lost factors, and sessions that end.
// Each page is checked in both themes and on a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describePages } from '@bourse/test-kit/browser/page-suite.ts';
import { appCode } from '@bourse/test-kit/identity.ts';
import {
  addAuthenticator,
  addPerson,
  callIdentity,
  givePassword,
  linkOf,
  PASSWORD,
  signedIn,
  signInPerson,
  signOut,
  submitTwice,
  watchRequests,
} from './people-page.ts';
import { looks } from './looks.ts';
import { chooseKind, fill, note, openTab, orderForm, rows, send } from './terminal-page.ts';

const NEW_PASSWORD = 'another four unrelated words';
/** Codes of the next time step are accepted, too, and each step only once: so the second code is the next step's. */
const STEP_MS = 30_000;

describePages('people', { market: 'quiet' }, (suite) => {
  test('a person signs up by mail, trades, and stays signed in after a reload and in a second tab', async () => {
    const email = 'ada@example.test';
    const page = await suite.open('/trade/BTC-USDT', { isNamed: true });
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'New here? Sign up' }).click();
    await page.getByRole('heading', { name: 'Sign up' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('too short');
    await page.getByText('6 more characters.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign up', exact: true }).isDisabled(), true);
    await looks(page, 'people-sign-up');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    const link = page.getByRole('link', { name: 'Confirm the address' });
    await link.waitFor();
    await looks(page, 'people-mail');
    await link.click();
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor();
    await looks(page, 'people-verify');
    assert.equal(new URL(page.url()).search, '', 'the token leaves the address bar');
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.getByRole('heading', { name: 'Welcome, ada' }).waitFor();
    await looks(page, 'people-welcome');
    await page.getByRole('button', { name: /^Get 100,000 USDT/ }).click();
    await page.getByRole('button', { name: '100,000 USDT and 2 BTC credited' }).waitFor();

    await page.getByRole('link', { name: 'Go to the terminal' }).click();
    await orderForm(page).waitFor();
    await chooseKind(page, 'Limit', 'Buy');
    await fill(page, { Price: '20000', Size: '0.01' });
    await send(page, 'Buy', 'Buy order open');
    await orderForm(page)
      .getByRole('button', { name: /^Show me/ })
      .click();
    await page.getByText("API_KEY='your key'").waitFor();
    await page.keyboard.press('Escape');

    await page.reload();
    await signedIn(page, email).waitFor();
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    assert.match(stored, /isPerson\\":true/);
    assert.doesNotMatch(stored, /ada|secret|passphrase/i);

    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await signedIn(tab, email).waitFor();
    for (const each of [page, tab]) {
      await chooseKind(each, 'Limit', 'Buy');
      await fill(each, { Price: '20000', Size: '0.01' });
      await send(each, 'Buy', 'Buy order open');
    }
    await signOut(tab);
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('two clicks before the next render sign up, confirm, sign in and request a mail only once', async () => {
    const email = 'hedy@example.test';
    const page = await suite.open('/sign-up', { isNamed: true });
    const sent = watchRequests(page, 'POST');
    const count = (path: string): number => sent.filter((each) => each === `/identity/v1${path}`).length;
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await submitTwice(page, 'Sign up');
    await page.getByRole('link', { name: 'Confirm the address' }).click();
    await page.getByRole('button', { name: 'Confirm and sign in' }).evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });
    await page.getByRole('heading', { name: 'Welcome, hedy' }).waitFor();
    assert.deepEqual([count('/sign-up'), count('/verify')], [1, 1]);

    await signOut(page);
    await page.goto(new URL('/sign-in', page.url()).href);
    const form = page.getByRole('form', { name: 'With a password' });
    await form.getByLabel('E-mail address').fill(email);
    await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await submitTwice(page, 'With a password');
    await signedIn(page, email).waitFor();
    assert.equal(count('/sessions'), 1);

    await page.goto(new URL('/reset', page.url()).href);
    await page.getByLabel('E-mail address').fill(email);
    await submitTwice(page, 'Request a mail');
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    assert.equal(count('/password/reset'), 1);
  });

  test('the users of the sandbox stay where they are while the form for people is loaded', async () => {
    const page = await suite.open('/trade/BTC-USDT');
    const { promise: isLate, resolve: load } = Promise.withResolvers<void>();
    await page.route(/sign-in-form/, async (route) => {
      await isLate;
      await route.continue();
    });
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
    const bob = page.getByRole('dialog').getByRole('button', { name: /^bob/ });
    await bob.waitFor();
    // The book behind the dialog flashes while the market moves.
    await page.waitForFunction(
      () => document.querySelector('[role=dialog]')!.getAnimations({ subtree: true }).length === 0,
    );
    const before = await bob.boundingBox();
    load();
    await page.getByRole('dialog').getByLabel('E-mail address').waitFor();
    assert.deepEqual(await bob.boundingBox(), before);
    await looks(page, 'people-dialog');
  });

  test('a passkey is added and signs in alone', async () => {
    const email = 'grace@example.test';
    await addPerson(suite, email);
    const page = await suite.open('/account', { isNamed: true });
    await addAuthenticator(page);
    await signInPerson(page, email);
    await page.getByLabel('Name of the new passkey').fill('laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('list', { name: 'Passkeys' }).getByText('laptop').waitFor();
    await looks(page, 'people-passkeys');
    await signOut(page);
    await page.getByRole('main').getByRole('button', { name: 'Sign in with a passkey' }).click();
    await signedIn(page, email).waitFor();
    await page.getByRole('list', { name: 'Passkeys' }).getByText('laptop').waitFor();

    await signOut(page);
    await givePassword(page, email);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await signedIn(page, email).waitFor();

    await page.getByRole('list', { name: 'Passkeys' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await note(page, 'Passkey removed').waitFor();
    await page.getByText(/^Withdrawals are locked until/).waitFor();
    assert.equal(await page.getByRole('list', { name: 'Passkeys' }).count(), 0);
  });

  test('passkeys need a host name: at an IP address the page says where they work', async () => {
    const page = await suite.open('/sign-in');
    const main = page.getByRole('main');
    assert.equal(await main.getByRole('button', { name: 'Sign in with a passkey' }).isDisabled(), true);
    await main.getByRole('link', { name: /^localhost:\d+$/ }).waitFor();
  });

  test('after an authenticator app is set up, sign-in needs its code, or a recovery code for a lost phone', async () => {
    const email = 'linus@example.test';
    await addPerson(suite, email);
    const page = await suite.open('/account', { isNamed: true });
    await signInPerson(page, email);
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = (
      await page.getByText('Scan the code with the app').locator('code').innerText()
    ).replaceAll(' ', '');
    await looks(page, 'people-totp');
    const form = page.getByRole('form', { name: 'Set up the app' });
    await form.getByLabel('Current code of the app').fill('000000');
    await form.getByRole('button', { name: 'Turn it on' }).click();
    await note(page, /\(second-factor\)/).waitFor();
    await form.getByLabel('Current code of the app').fill(appCode(secret, Date.now()));
    await form.getByRole('button', { name: 'Turn it on' }).click();
    const codes = page.getByRole('region', { name: 'Recovery codes' });
    await codes.getByText('They are shown only once').waitFor();
    const recovery = await codes.getByRole('listitem').first().innerText();
    assert.equal(await codes.getByRole('listitem').count(), 10);
    await codes.getByRole('button', { name: 'Copy: All' }).click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`^${recovery}\n`));
    await looks(page, 'people-recovery-codes');
    await codes.getByRole('button', { name: 'I have written it down' }).click();
    await codes.getByText('10 left').waitFor();

    await signOut(page);
    await givePassword(page, email);
    await page.getByLabel('Code of your authenticator app').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(/\(second-factor\)/).waitFor();
    await looks(page, 'people-second-factor');
    await page.getByLabel('Code of your authenticator app').fill(appCode(secret, Date.now() + STEP_MS));
    await page.getByRole('button', { name: 'Continue' }).click();
    await signedIn(page, email).waitFor();

    await signOut(page);
    await givePassword(page, email);
    await page.getByRole('button', { name: /^Lost your phone/ }).click();
    await page.getByLabel('Recovery code').fill(recovery);
    await looks(page, 'people-recovery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await signedIn(page, email).waitFor();
    await codes.getByText('9 left').waitFor();
    await codes.getByRole('button', { name: 'Create new codes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click();
    await codes.getByText('They are shown only once').waitFor();
    assert.notEqual(await codes.getByRole('listitem').first().innerText(), recovery);
    await codes.getByRole('button', { name: 'I have written it down' }).click();
    await codes.getByText('10 left').waitFor();
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
    await codes.waitFor({ state: 'detached' });
  });

  test('a forgotten password can be reset by mail, and the second factor is still needed', async () => {
    const email = 'edsger@example.test';
    const token = await addPerson(suite, email);
    const { secret } = await callIdentity(suite, '/totp', {}, token);
    await callIdentity(suite, '/totp/confirm', { code: appCode(secret!, Date.now()) }, token);
    const page = await suite.open('/sign-in', { isNamed: true });
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await looks(page, 'people-reset');
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByRole('link', { name: 'Set a new password' }).click();
    await page.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
    await looks(page, 'people-new-password');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByLabel('Code of your authenticator app').fill(appCode(secret!, Date.now() + STEP_MS));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Password changed' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await givePassword(page, email);
    await page.getByText(/The e-mail address or the password is wrong/).waitFor();
    await looks(page, 'people-sign-in');
  });

  test('a frozen account ends every session, and the page says so', async () => {
    const email = 'barbara@example.test';
    await addPerson(suite, email);
    const page = await suite.open('/sign-in', { isNamed: true });
    await signInPerson(page, email);
    await orderForm(page).waitFor();
    const other = await suite.open(await linkOf(suite, email, '/freeze'), { isNamed: true, width: 390 });
    await looks(other, 'people-freeze');
    await other.getByRole('button', { name: 'Freeze my account' }).click();
    await other.getByRole('heading', { name: 'Your account is frozen' }).waitFor();
    await looks(other, 'people-frozen');
    await note(page, 'Your session has ended').waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
    await givePassword(page, email);
    await page.getByText(/The account is frozen/).waitFor();
  });

  test('a busy exchange does not end a session: the page gets a new key later', async () => {
    const email = 'katherine@example.test';
    await addPerson(suite, email);
    const page = await suite.open('/sign-in', { isNamed: true, expected: [/WebSocket connection/] });
    await signInPerson(page, email);
    await orderForm(page).waitFor();
    const KEY = '/identity/v1/session/key';
    const ended = watchRequests(page, 'DELETE');
    let isBusy = true;
    await page.route(`**${KEY}`, async (route) => {
      if (!isBusy) return route.continue();
      const error = { code: 'busy', msg: 'The exchange is busy. Try again.' };
      return route.fulfill({ status: 503, contentType: 'application/json', body: JSON.stringify(error) });
    });
    const refused = page.waitForResponse((response) => response.url().endsWith(KEY));
    // A program with the same session takes a new key, which revokes the page's.
    const [cookie] = await page.context().cookies();
    await callIdentity(suite, '/session/key', {}, cookie!.value);
    assert.equal((await refused).status(), 503);
    const renewed = page.waitForResponse(
      (response) => response.url().endsWith(KEY) && response.status() === 201,
    );
    isBusy = false;
    await renewed;
    await signedIn(page, email).waitFor();

    // The same after a reload.
    isBusy = true;
    const again = page.waitForResponse((response) => response.url().endsWith(KEY));
    await page.reload();
    assert.equal((await again).status(), 503);
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor();
    isBusy = false;
    await page.reload();
    await signedIn(page, email).waitFor();
    assert.deepEqual(ended, []);
  });

  // Last, because exchange time then differs from this machine's.
  test('creating a key of a sub-account after five minutes asks for the password again', async () => {
    const email = 'donald@example.test';
    // Spaces at its ends are part of a password.
    const password = ` ${PASSWORD} `;
    await addPerson(suite, email, password);
    const page = await suite.open('/sign-in', { isNamed: true });
    await signInPerson(page, email, password);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).click();
    await openTab(page, 'Sub-accounts');
    const make = page.getByRole('form', { name: 'New sub-account' });
    await make.getByLabel('Name').fill('robot1234');
    await make.getByRole('button', { name: 'Make', exact: true }).click();
    await rows(page, 'Sub-accounts').getByText('robot1234').waitFor();

    await suite.control('POST', '/clock', { mode: 'manual' });
    await suite.control('POST', '/clock/advance', { ms: 5 * 60_000 });
    await suite.control('POST', '/clock', { mode: 'real' });
    // A page that starts requests the exchange's time.
    await page.reload();
    await signedIn(page, email).waitFor();
    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    const form = page.getByRole('form', { name: 'New key' });
    await form.getByLabel('Passphrase, 7 to 32 characters').fill('robot-pass');
    await form.getByLabel('Remark').fill('bot');
    await form.getByRole('button', { name: 'Create the key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Password', { exact: true }).fill('a wrong password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('The password is wrong. (credentials)').waitFor();
    await looks(page, 'people-step-up');
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Write down the secret').waitFor();
  });
});
