/** Mails that wait for the mail server: what one costs does not depend on how many wait, and a kill loses none. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { MailServer } from '@bourse/test-kit/identity/mail-server.ts';
import { type Clock, nodeClock } from '../../../engine/src/io/clock.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import type { Mail } from '../../src/identity/mail/mail.ts';
import { Outbox, type OutboxOptions } from '../../src/identity/mail/outbox.ts';
import { VenueKeys } from '../../src/identity/venue-keys.ts';

/** Nobody listens there. */
const DOWN = 'smtp://127.0.0.1:1';
const keys = new VenueKeys(new SecretBox(Buffer.alloc(32, 7)));

const mailOf = (at: number): Mail => ({
  id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  to: `person-${at}@example.test`,
  subject: `mail ${at}`,
  text: 'text '.repeat(200),
  html: '<p>text</p>',
  time: 1_800_000_000_000,
  links: [],
});

async function openOutbox(context: TestContext, path: string, more: Partial<OutboxOptions> = {}) {
  const warnings: string[] = [];
  const outbox = await Outbox.open({
    smtpUrl: DOWN,
    from: 'Venue <venue@example.test>',
    path,
    keys,
    clock: nodeClock,
    warn: (sentence) => warnings.push(sentence),
    ...more,
  });
  context.after(() => outbox.close());
  return { outbox, warnings };
}

async function listen(context: TestContext): Promise<{ server: MailServer; smtpUrl: string }> {
  const server = new MailServer();
  const smtpUrl = `smtp://127.0.0.1:${await server.listen()}`;
  context.after(() => server.close());
  return { server, smtpUrl };
}

const linesOf = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

async function untilLines(path: string, count: number): Promise<void> {
  for (let tries = 0; linesOf(path).length !== count; tries++) {
    assert.ok(tries < 500, `${linesOf(path).length} lines, not ${count}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a mail is encrypted once and appended to the queue; after a kill all queued mails are sent, in order', async (context) => {
  const dir = makeDirectory(context);
  const path = `${dir}/outbox`;
  const seal = context.mock.method(keys, 'sealMail');
  const { outbox } = await openOutbox(context, path);
  outbox.send(mailOf(0));
  await untilLines(path, 1);
  const { ino } = statSync(path);
  const count = 60;
  for (let at = 1; at < count; at++) {
    outbox.send(mailOf(at));
    if (at % 7 === 0) await untilLines(path, at + 1);
  }
  await untilLines(path, count);
  assert.equal(seal.mock.callCount(), count);
  assert.equal(statSync(path).ino, ino, 'the file is not written anew');
  assert.equal(outbox.size, count);
  assert.ok(!readFileSync(path, 'utf8').includes('example.test'));

  // As a kill leaves it, in the middle of one more mail.
  copyFileSync(path, `${dir}/copy`);
  appendFileSync(`${dir}/copy`, keys.sealMail(JSON.stringify(mailOf(count))).slice(0, 40));
  const { server, smtpUrl } = await listen(context);
  const { outbox: next, warnings } = await openOutbox(context, `${dir}/copy`, { smtpUrl });
  await server.next(count);
  await untilLines(`${dir}/copy`, 0);
  assert.deepEqual(
    server.received.map(({ to }) => to),
    Array.from({ length: count }, (_, at) => mailOf(at).to),
  );
  assert.equal(next.size, 0);
  assert.deepEqual(warnings, []);
});

test('a mail that the server has accepted is not sent again after a kill', async (context) => {
  const path = `${makeDirectory(context)}/outbox`;
  const sealed = [0, 1, 2].map((at) => keys.sealMail(JSON.stringify(mailOf(at))));
  writeFileSync(path, [sealed[0], sealed[1], `gone ${mailOf(0).id}`, sealed[2], ''].join('\n'));
  const { server, smtpUrl } = await listen(context);
  await openOutbox(context, path, { smtpUrl });
  await server.next(2);
  await untilLines(path, 0);
  assert.deepEqual(
    server.received.map(({ to }) => to),
    [mailOf(1).to, mailOf(2).to],
  );
});

test('while mails are sent, the file keeps few lines of mails already sent', async (context) => {
  const path = `${makeDirectory(context)}/outbox`;
  const { server, smtpUrl } = await listen(context);
  const linesMax = 50;
  const { outbox } = await openOutbox(context, path, { smtpUrl, linesMax });
  const count = 40;
  let most = 0;
  for (let at = 0; at < count; at++) outbox.send(mailOf(at));
  for (let at = 1; at < count; at++) {
    await server.next(at);
    most = Math.max(most, linesOf(path).length);
  }
  await untilLines(path, 0);
  assert.ok(most > 0 && most <= linesMax, `${most} lines`);
});

test('with a thousand mails in the queue, another is dropped with a warning', async (context) => {
  const path = `${makeDirectory(context)}/outbox`;
  const { outbox, warnings } = await openOutbox(context, path);
  for (let at = 0; at <= 1000; at++) outbox.send(mailOf(at));
  await untilLines(path, 1000);
  assert.equal(outbox.size, 1000);
  assert.ok(warnings.includes('1000 mails are waiting for the mail server; a new one was dropped'));
});

test('a stop does not wait for a mail server that does not respond, and loses no mail', async (context) => {
  const path = `${makeDirectory(context)}/outbox`;
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  // The timer of the stop is the only one that fires: those of the connection would end the wait, too.
  const delays: number[] = [];
  const clock: Clock = {
    ...nodeClock,
    after(delayMs, action) {
      delays.push(delayMs);
      return nodeClock.after(0, action);
    },
  };
  const { outbox } = await openOutbox(context, path, { smtpUrl: `smtp://127.0.0.1:${port}`, clock });
  outbox.send(mailOf(0));
  await once(silent, 'connection');
  await outbox.close();
  assert.deepEqual(delays, [3000]);
  const lines = linesOf(path);
  assert.equal(lines.length, 1);
  // The connection ends only now: the mail was abandoned.
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(linesOf(path), lines);
  const { server, smtpUrl } = await listen(context);
  await openOutbox(context, path, { smtpUrl });
  await server.next(1);
  assert.equal(server.received[0]?.to, mailOf(0).to);
});
