/** Mails through a real mail server on loopback, at a venue: invitations, a server that is down, a restart. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { EMAIL, IdentitySandbox, PASSWORD } from '@bourse/test-kit/identity.ts';
import { MailServer } from '@bourse/test-kit/identity/mail-server.ts';
import { startWhole } from '@bourse/test-kit/server.ts';

const SETTINGS = {
  venue: true,
  secretKey: '7'.repeat(64),
  operatorToken: 'operator-token-of-this-test',
  market: 'calm',
} as const;

/** Quoted-printable breaks lines and escapes `=`. */
const plain = (text: string): string => text.replaceAll('=\r\n', '').replaceAll('=3D', '=');

test('a venue sends mails by SMTP, retries while the server is down and after a restart, and encrypts queued mails', async (t) => {
  const dir = makeDirectory(t);
  const first = new MailServer();
  const port = await first.listen();
  const settings = {
    ...SETTINGS,
    smtpUrl: `smtp://127.0.0.1:${port}`,
    mailFrom: 'Venue <venue@example.test>',
  };
  const start = async () => new IdentitySandbox(await startWhole(dir, settings as never));
  let venue = await start();
  const { invitation } = await venue.operator<{ invitation: string }>('POST', '/v1/invitations', {
    email: EMAIL,
  });
  const signUp = (email: string, more: object) =>
    venue.post('/sign-up', { email, password: PASSWORD, ...more });
  assert.equal((await signUp(EMAIL, {})).json.code, 'invitation');
  assert.equal(
    (await signUp('other@example.test', { invitation })).json.code,
    'invitation',
    'it is for one address',
  );
  assert.equal((await signUp(EMAIL, { invitation })).status, 202);
  await first.next(1);
  const [mail] = first.received;
  assert.equal(mail?.to, EMAIL);
  const token = /verify\?token=([\w-]+)/.exec(plain(mail?.text ?? ''))?.[1] ?? '';
  assert.equal((await venue.post('/verify', { token })).status, 201);
  assert.equal((await signUp(EMAIL, { invitation })).json.code, 'invitation', 'it works once');

  await first.close();
  assert.equal(
    (await venue.post('/password/reset', { email: EMAIL })).status,
    202,
    'nothing else is delayed',
  );
  await venue.close();
  const waiting = readFileSync(join(dir, 'outbox'), 'utf8');
  assert.ok(waiting.length > 0 && !waiting.includes(EMAIL), 'it waits, sealed');
  const second = new MailServer();
  await second.listen(port);
  venue = await start();
  await second.next(1);
  assert.match(plain(second.received[0]?.text ?? ''), /reset\?token=/);
  await venue.close();
  assert.equal(second.received.length, 1, 'once');
  assert.equal(readFileSync(join(dir, 'outbox'), 'utf8'), '');
  await second.close();
});
