/**
 * Mails queued for the mail server: the cost of one does not depend on the length of the queue, and a kill loses none.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { MailServer } from '@bourse/test-kit/identity/mail-server.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { type Clock, nodeClock } from '../../../engine/src/io/clock.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import type { Mail } from '../../src/identity/mail/mail.ts';
import { Outbox, type OutboxOptions } from '../../src/identity/mail/outbox.ts';
import { VenueKeys } from '../../src/identity/venue-keys.ts';

const DAY = 24 * 60 * 60_000;
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

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    assert.ok(tries < 250, 'not within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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
  outbox.send(mailOf(0), false);
  await untilLines(path, 1);
  const { ino } = statSync(path);
  const count = 60;
  for (let at = 1; at < count; at++) {
    outbox.send(mailOf(at), false);
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
  for (let at = 0; at < count; at++) outbox.send(mailOf(at), false);
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
  for (let at = 0; at <= 1000; at++) outbox.send(mailOf(at), false);
  await untilLines(path, 1000);
  assert.equal(outbox.size, 1000);
  assert.ok(warnings.includes('1000 mails are waiting for the mail server; a new one was dropped'));
});

test('requested mails leave room for notices, and one address may have twenty mails in the queue', async (context) => {
  const path = `${makeDirectory(context)}/outbox`;
  const { outbox, warnings } = await openOutbox(context, path);
  for (let at = 0; at <= 800; at++) outbox.send(mailOf(at), true);
  assert.equal(outbox.size, 800);
  const { to } = mailOf(-1);
  for (let at = 0; at <= 20; at++) outbox.send({ ...mailOf(1000 + at), to }, false);
  assert.equal(outbox.size, 820);
  outbox.send(mailOf(2000), false);
  assert.equal(outbox.size, 821);
  await untilLines(path, 821);
  const dropped = warnings.filter((each) => each.includes('dropped'));
  assert.deepEqual(dropped, [
    '800 mails are waiting for the mail server; a new requested one was dropped',
    '20 mails to one address are waiting for the mail server; a new one was dropped',
  ]);
});

test('a mail that the server defers is retried later and dropped after five days, and the others go on', async (context) => {
  const path = `${makeDirectory(context)}/outbox`;
  const { server, smtpUrl } = await listen(context);
  const clock = new ManualClock();
  const late = mailOf(0);
  server.replies.set(late.to, 451);
  const open = () => openOutbox(context, path, { smtpUrl, clock });
  const first = await open();
  for (let at = 0; at < 3; at++) first.outbox.send(mailOf(at), false);
  await until(() => first.outbox.size === 1);
  assert.deepEqual(
    server.received.map(({ to }) => to),
    [mailOf(1).to, mailOf(2).to],
  );
  assert.deepEqual(first.warnings, ['the mail server deferred a mail (451); it is retried for 5 days']);
  assert.equal(server.asked.length, 3);

  // The retry, and one more mail meanwhile.
  clock.leap(60_000);
  await until(() => server.asked.length === 4);
  first.outbox.send(mailOf(3), false);
  await until(() => server.received.length === 3);
  await first.outbox.close();
  assert.deepEqual([clock.timers, first.warnings.length], [0, 1]);

  // The five days continue across a restart.
  clock.leap(5 * DAY - 60_000 - 1);
  const second = await open();
  await until(() => server.asked.length === 6 && clock.timers === 1);
  clock.leap(60_000);
  await until(() => second.outbox.size === 0);
  assert.deepEqual(second.warnings, ['the mail server deferred a mail (451) for 5 days; it was dropped']);
  await untilLines(path, 0);
});

test('a deferred mail is sent when the server takes it', async (context) => {
  const path = `${makeDirectory(context)}/outbox`;
  const { server, smtpUrl } = await listen(context);
  const clock = new ManualClock();
  server.replies.set(mailOf(0).to, 450);
  const { outbox } = await openOutbox(context, path, { smtpUrl, clock });
  outbox.send(mailOf(0), false);
  await untilLines(path, 2);
  server.replies.clear();
  clock.leap(60_000);
  await until(() => server.received.length === 1);
  await untilLines(path, 0);
  assert.equal(server.received.length, 1);
});

test('a mail server that refuses the password delays mails and loses none', async (context) => {
  const replies = ['220 here', '250 AUTH', '535 wrong password'];
  const server = createServer((socket) => {
    let at = 0;
    const reply = () => socket.write(`${replies[at++] ?? '221 bye'}\r\n`);
    socket.on('error', () => undefined).on('data', reply);
    reply();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const clock = new ManualClock();
  const path = `${makeDirectory(context)}/outbox`;
  const { outbox, warnings } = await openOutbox(context, path, {
    smtpUrl: `smtp://user:password@127.0.0.1:${port}`,
    clock,
  });
  outbox.send(mailOf(0), false);
  await until(() => warnings.length === 1);
  assert.match(warnings[0] ?? '', /^the mail server is unavailable; mails are queued: .*535 wrong password/);
  assert.equal(outbox.size, 1);
});

test('after a failed connection another mail is tried first', async (context) => {
  const path = `${makeDirectory(context)}/outbox`;
  const { server, smtpUrl } = await listen(context);
  const clock = new ManualClock();
  // Ends the connection.
  server.replies.set(mailOf(0).to, 421);
  const { outbox, warnings } = await openOutbox(context, path, { smtpUrl, clock });
  for (let at = 0; at < 3; at++) outbox.send(mailOf(at), false);
  await until(() => warnings.length === 1);
  assert.equal(server.received.length, 0);
  clock.leap(1000);
  await until(() => server.received.length === 2);
  await until(() => warnings.length === 2);
  assert.equal(outbox.size, 1);
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
  outbox.send(mailOf(0), false);
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
