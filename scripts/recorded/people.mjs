// A day of a person and two operators, recorded from a sandbox with a manual clock. The page shows only those fields of a
// response that are the same in every run.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  appCode,
  Authenticator,
  EMAIL,
  IdentitySandbox,
  PASSWORD,
} from '../../packages/test-kit/src/identity.ts';
import { Client } from '../../packages/test-kit/src/server.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const STEP = 30_000;
const HOME = '203.0.113.7';
const STRANGE = '198.51.100.66';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

export async function peoplePage(note, table) {
  const parts = await recordPeople();
  const sections = parts.map(({ title, text, rows }) => {
    const cells = rows.map(({ what, call, answer }) => [what, `\`${call}\``, answer]);
    return [`## ${title}`, text, table(['Event', 'Call', 'Response'], cells)].join('\n\n');
  });
  return `${note}

# A day of people and operators

One day at a sandbox. Each row is a call with its status and those fields of the response that are the same in every run. See also [the identity API](../api/identity.md), [call by call with their tests](../api/identity-calls.md), [approvals](approvals.md).

${sections.join('\n\n')}
`;
}

/** Sections of the page; each row has an event, its call and the response. */
async function recordPeople() {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-docs-'));
  const sandbox = await IdentitySandbox.start(join(dir, 'data'), { market: 'quiet', logLevel: 'silent' });
  try {
    return await new Day(sandbox).record();
  } finally {
    await sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

class Day {
  #sandbox;
  #sections = [];
  #session;
  #secret;
  #codes;

  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  async record() {
    await this.#firstTrade();
    await this.#stolenPassword();
    await this.#lostPhone();
    await this.#passkey();
    await this.#frozen();
    await this.#withdrawal();
    return this.#sections;
  }

  #section(title, text) {
    this.#sections.push({ title, text, rows: [] });
  }

  /** `show`: names of fields, or a function of the response. */
  #note(what, call, status, json, show = []) {
    const code = json?.code === undefined ? [] : ['code'];
    const names = Array.isArray(show) ? [...code, ...show] : [];
    const shown = Array.isArray(show)
      ? Object.fromEntries(names.map((name) => [name, json?.[name]]))
      : show(json);
    const answer = names.length === 0 && Array.isArray(show) ? '' : ` \`${JSON.stringify(shown)}\``;
    this.#sections.at(-1).rows.push({ what, call, answer: `${status}${answer}` });
    return json;
  }

  /** A call of the identity API. */
  async #ask(what, method, path, { body, as, from = HOME, shown = path, show } = {}) {
    const session = as ? { authorization: `Bearer ${as.sessionToken}` } : {};
    const sent = method === 'POST' ? (body ?? {}) : undefined;
    const headers = { 'x-forwarded-for': from, 'user-agent': 'a browser', ...session };
    const { status, json } = await this.#sandbox.send(method, path, sent, headers);
    return this.#note(what, `${method} /identity/v1${shown}`, status, json, show);
  }

  /** A signed call of the trading API. */
  async #trade(what, credentials, method, path, body, show) {
    const client = new Client(this.#sandbox.url, credentials);
    const { status, json } = await (method === 'GET' ? client.get(path) : client.post(path, body));
    return this.#note(what, `${method} ${path}`, status, json, show);
  }

  async #operate(what, token, method, path, body, { shown = path, show } = {}) {
    const { operatorUrl } = this.#sandbox.running.connection;
    const response = await fetch(operatorUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify({ reason: 'a recorded day', ...body }) }),
    });
    const json = await response.json();
    return this.#note(what, `${method} /operator${shown}`, response.status, json, show);
  }

  async #code() {
    return appCode(this.#secret, await this.#sandbox.now());
  }

  #signIn(what, more, terms = {}) {
    const body = { email: EMAIL, password: PASSWORD, ...more };
    return this.#ask(what, 'POST', '/sessions', { body, ...terms });
  }

  async #addTotp() {
    const as = this.#session;
    const begun = await this.#ask('She asks for a secret for an authenticator app', 'POST', '/totp', { as });
    this.#secret = begun.secret;
    const { recoveryCodes } = await this.#ask('Its first code enables it', 'POST', '/totp/confirm', {
      as,
      body: { code: await this.#code() },
      show: (json) => ({ recoveryCodes: json.recoveryCodes.length }),
    });
    this.#codes = recoveryCodes;
  }

  async #firstTrade() {
    const sandbox = this.#sandbox;
    this.#section('From sign-up to the first trade', 'Ada signs up, trades, and adds a second factor.');
    const body = { email: EMAIL, password: PASSWORD };
    await this.#ask('Ada signs up', 'POST', '/sign-up', { body });
    const [mail] = await sandbox.mails();
    this.#note('She receives a mail', 'GET /sandbox/v1/mail', 200, mail, ['to', 'subject']);
    const token = await sandbox.tokenOf('verify');
    this.#session = await this.#ask('Its link creates the account and signs her in', 'POST', '/verify', {
      body: { token },
      show: ({ key }) => ({ key: { permissions: key.permissions } }),
    });
    await this.#ask('The link works once', 'POST', '/verify', { body: { token } });
    const { user } = (await sandbox.get('/session', this.#session)).json;
    this.userId = user.userId;
    const amount = { user: user.userId, currency: 'USDT', amount: '1000', account: 'trade' };
    await sandbox.control('POST', '/faucet', amount);
    const order = { symbol: 'ETH-USDT', type: 'limit', price: '2000', size: '0.1' };
    const bob = new Client(sandbox.url, 'bob');
    await bob.post('/api/v1/hf/orders', { ...order, side: 'sell', clientOid: 'offer' });
    const { key } = this.#session;
    const place = { ...order, side: 'buy', clientOid: 'first' };
    const only = ({ code }) => ({ code });
    await this.#trade('She buys what bob offers', key, 'POST', '/api/v1/hf/orders', place, only);
    const path = '/api/v1/hf/fills?symbol=ETH-USDT';
    await this.#trade('Her first trade', key, 'GET', path, undefined, ({ data: { items } }) =>
      items.map(({ side, price, size }) => ({ side, price, size })),
    );
    await this.#addTotp();
  }

  async #stolenPassword() {
    this.#section(
      'A stolen password',
      'A stranger knows the password and reads the mailbox, at another address.',
    );
    const from = STRANGE;
    await this.#signIn('The password alone', {}, { from, show: ['factors'] });
    for (const [name, times] of [
      ['Four guesses of the code', 4],
      ['The next one', 1],
    ]) {
      let answer;
      for (let at = 0; at < times; at++) {
        answer = await this.#sandbox.signIn({ totp: `00000${at}` }, from);
      }
      this.#note(name, 'POST /identity/v1/sessions', answer.status, answer.json);
    }
    await this.#ask('They request a password reset', 'POST', '/password/reset', {
      body: { email: EMAIL },
      from,
    });
    const token = await this.#sandbox.tokenOf('reset');
    await this.#sandbox.advance(MINUTE);
    await this.#ask('The link needs the second factor too', 'POST', '/password/reset/confirm', {
      body: { token, password: 'whatever he would like it to be' },
      from,
      show: ['factors'],
    });
    this.#session = await this.#signIn(
      'Ada is not slowed down at her own address',
      { totp: await this.#code() },
      { show: ({ session }) => ({ session: { address: session.address } }) },
    );
    await this.#ask('She sees the attempts', 'GET', '/activity', {
      as: this.#session,
      show: (rows) => {
        const failed = rows.filter(({ kind, address }) => kind === 'sign-in-failed' && address === STRANGE);
        return { 'sign-in-failed': failed.length, address: STRANGE };
      },
    });
  }

  async #lostPhone() {
    this.#section(
      'A lost phone',
      'A recovery code replaces the app, once. Withdrawals are locked for a day.',
    );
    const [recoveryCode, second] = this.#codes;
    this.#session = await this.#signIn('She signs in with a recovery code', { recoveryCode });
    await this.#signIn('The same code again', { recoveryCode });
    const as = this.#session;
    await this.#ask('She removes the app of the lost phone', 'DELETE', '/totp', { as });
    await this.#ask('Withdrawals are locked for 24 hours', 'GET', '/session', {
      as,
      show: (json) => ({ factors: json.factors, withdrawalsLocked: json.withdrawalsLockedUntil !== null }),
    });
    await this.#addTotp();
    await this.#signIn('The old recovery codes are void', { recoveryCode: second });
  }

  async #passkey() {
    this.#section('A passkey', 'A passkey with user verification needs neither password nor code.');
    const as = this.#session;
    const own = new Authenticator({ origin: 'http://localhost:8080' });
    const options = await this.#ask('She asks for options', 'POST', '/passkeys/options', {
      as,
      show: ({ attestation, authenticatorSelection: { userVerification } }) => ({
        attestation,
        userVerification,
      }),
    });
    await this.#ask('Her laptop creates a passkey', 'POST', '/passkeys', {
      as,
      body: { name: 'laptop', response: own.register(options) },
      show: ['name'],
    });
    const challenge = await this.#ask('Anybody may ask for a challenge', 'POST', '/passkeys/challenge', {
      show: ({ allowCredentials }) => ({ allowCredentials }),
    });
    const passkey = own.assert(challenge);
    this.#session = await this.#ask('The passkey alone signs in', 'POST', '/sessions', {
      body: { passkey },
    });
    await this.#ask('The same assertion again', 'POST', '/sessions', { body: { passkey } });
    this.own = own;
  }

  async #frozen() {
    const sandbox = this.#sandbox;
    this.#section('A frozen account', 'Every mail has a link that freezes the account.');
    const token = await sandbox.tokenOf('freeze');
    await this.#ask('She opens the link of the last mail', 'POST', '/freeze', { body: { token } });
    await this.#ask('Her sessions have ended', 'GET', '/session', { as: this.#session });
    const { key } = this.#session;
    await this.#trade('Their keys are revoked', key, 'GET', '/api/v1/accounts', undefined, ({ code }) => ({
      code,
    }));
    await sandbox.advance(STEP);
    await this.#signIn('Signing in fails, even with valid credentials', { totp: await this.#code() });
    const { operatorToken } = sandbox.running.connection;
    const path = `/v1/users/${this.userId}`;
    const lift = { frozen: false, reason: 'the owner called' };
    await this.#operate('An operator lifts the freeze', operatorToken, 'POST', path, lift, {
      shown: '/v1/users/{userId}',
      show: ({ frozen }) => ({ frozen }),
    });
    await sandbox.advance(DAY);
    this.#session = await this.#signIn('A day later', { totp: await this.#code() });
  }

  async #withdrawal() {
    const sandbox = this.#sandbox;
    const { operatorToken: root } = sandbox.running.connection;
    this.#section(
      'A withdrawal that needs two operators',
      'Ann and Ben have the role `finance`. Paying out ETH needs the approval of another.',
    );
    const tokens = {};
    for (const name of ['ann', 'ben']) {
      const body = { name, roles: ['finance'] };
      const { token } = await sandbox.operator('POST', '/v1/operators', {
        ...body,
        reason: 'a new colleague',
      });
      tokens[name] = token;
    }
    const rules = [{ call: 'settle-withdrawal', above: { ETH: '0.01' }, approvals: 1, roles: ['finance'] }];
    await this.#operate('A policy', root, 'POST', '/v1/policy', { rules, expiryMs: DAY });
    await sandbox.control('POST', '/faucet', { user: this.userId, currency: 'ETH', amount: '2' });
    const ask = { currency: 'ETH', amount: '1', toAddress: WALLET, chain: 'eth' };
    const { key } = this.#session;
    const { data } = await this.#trade(
      'Ada withdraws 1 ETH',
      key,
      'POST',
      '/api/v3/withdrawals',
      ask,
      ({ code, msg }) => ({ code, msg }),
    );
    const path = `/v1/withdrawals/${data?.withdrawalId}`;
    const shown = '/v1/withdrawals/{withdrawalId}';
    const show = ({ code, status }) => ({ code, status });
    await this.#operate(
      'Ann claims it: Ada can no longer cancel',
      tokens.ann,
      'POST',
      `${path}/claim`,
      {},
      {
        shown: `${shown}/claim`,
        show,
      },
    );
    const held = await this.#operate(
      'She pays, and reports the payment',
      tokens.ann,
      'POST',
      `${path}/settle`,
      { sent: true, txId: '0xfeed' },
      { shown: `${shown}/settle`, show: ['call'] },
    );
    const approve = `/v1/proposals/${held.proposalId}/approve`;
    const { hash } = held;
    const named = { shown: '/v1/proposals/{proposalId}/approve' };
    await this.#operate('She approves her own proposal', tokens.ann, 'POST', approve, { hash }, named);
    const other = { hash: '0'.repeat(64) };
    await this.#operate('Ben approves another hash', tokens.ben, 'POST', approve, other, named);
    await this.#operate(
      'Ben approves the proposal',
      tokens.ben,
      'POST',
      approve,
      { hash },
      { ...named, show: ({ status, outcome }) => ({ status, outcome }) },
    );
    await this.#operate('Ben approves it again', tokens.ben, 'POST', approve, { hash }, named);
    await this.#operate('The withdrawal is sent', tokens.ben, 'GET', path, undefined, { shown, show });
    await this.#operate('The audit trail', tokens.ben, 'GET', '/v1/audit?limit=100', undefined, {
      show: (rows) =>
        rows
          .filter(({ action, outcome }) => action === 'settle-withdrawal' && outcome === 'accepted')
          .map(({ by, action, approvedBy }) => ({ by, action, approvedBy })),
    });
  }
}
