// A foreign web page in a real browser, on the machine of a sandbox whose keys and token are published. It tries
// everything a page can do: from another port, under another name, from a frame without an origin, and by DNS
// rebinding. The test prints the result of each attempt, and none may reach the exchange.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { BourseClient } from '@bourse/client';
import { buildPages, launchChromium, whySkipped } from '@bourse/test-kit/browser/chromium.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { credentials, sign, startWhole } from '@bourse/test-kit/server.ts';
import type { RunningExchange } from '../../bourse/src/startup/running-exchange.ts';
import { attempts, type Gained, type Loot } from './hostile-attempts.ts';

/** The attacker's name server; the second address is on this machine, too. */
const RULES = ['MAP evil.example 127.0.0.1', 'MAP rebound.example 127.0.0.2'];
const PAGES = ['/console', '/trade', '/docs/reference', '/docs/'];
/**
 * A request that the browser holds back and never settles, such as a script that it loaded and did not run, got
 * nothing.
 */
const PATIENCE_MS = 5000;
const HOSTILE_PAGE = '<!doctype html><title>A nice page</title><body></body>';

const skip = whySkipped();

describe('a hostile page', { skip }, () => {
  if (skip) return;
  let exchange: RunningExchange;
  let browser: Browser;
  let hostilePort = 0;
  const hostile = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(HOSTILE_PAGE);
  });

  before(async (context) => {
    await buildPages();
    exchange = await startWhole(makeDirectory(context as never), { market: 'quiet' });
    browser = await launchChromium(RULES);
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    hostilePort = (hostile.address() as AddressInfo).port;
  });
  after(async () => {
    await browser.close();
    hostile.close();
    await exchange.close();
  });

  /** The attacker's preparation: all published credentials, with a fresh signature. */
  async function loot(base: string): Promise<Loot> {
    const { operatorToken } = exchange.connection;
    const alice = credentials('alice');
    const order = JSON.stringify({
      symbol: 'BTC-USDT',
      type: 'limit',
      side: 'buy',
      price: '30000',
      size: '0.001',
    });
    const { http } = new BourseClient({ url: exchange.connection.baseUrl, credentials: alice });
    return {
      base,
      token: operatorToken,
      order,
      orderHeaders: sign(alice, 'POST', '/api/v1/hf/orders', order),
      readHeaders: sign(alice, 'GET', '/api/v1/accounts'),
      sessionQuery: await http.signer!.sessionQuery(Date.now()),
    };
  }

  async function state(): Promise<object> {
    const { engine, sandbox } = exchange;
    return {
      seq: engine.health.seq,
      clock: sandbox!.world.clock.state.mode,
      faults: sandbox!.faults.list().length,
      open: await engine.read((core) => core.counts.orders),
    };
  }

  async function tryAll(
    page: Page,
    base: string,
    from: string,
    place: Pick<Page, 'evaluate'> = page,
  ): Promise<Gained[]> {
    const gained: Gained[] = [];
    for (const { name, run } of attempts) {
      const patience = new Promise<string>((resolve) =>
        setTimeout(resolve, PATIENCE_MS, 'no answer').unref(),
      );
      const got = await Promise.race([place.evaluate(run, await loot(base)), patience]);
      gained.push({ from, name, got });
    }
    // A frame is either kept empty by the browser, or shows a rejection.
    for (const frame of page
      .frames()
      .filter((each) => PAGES.some((path) => each.url().startsWith(base + path)))) {
      assert.match(await frame.evaluate(() => document.documentElement.innerText), /"code":"400015"/);
    }
    return gained;
  }

  /** The exchange's or the browser's text of a rejection. */
  const REFUSED =
    /^(?:blocked by the browser|opaque|closed before it was open|no answer|no way in|40[0134] )/;

  async function check(
    context: { diagnostic(line: string): void },
    attack: () => Promise<Gained[]>,
  ): Promise<void> {
    const untouched = await state();
    const gained = await attack();
    for (const { from, name, got } of gained) context.diagnostic(`${from} | ${name} | ${got}`);
    assert.deepEqual(
      gained.filter(({ got }) => !REFUSED.test(got)),
      [],
    );
    assert.deepEqual(await state(), untouched);
  }

  for (const host of ['127.0.0.1', 'localhost', 'evil.example']) {
    test(`from another origin: ${host} at another port`, async (context) => {
      const page = await browser.newPage();
      context.after(() => page.close());
      await page.goto(`http://${host}:${hostilePort}/`);
      await check(context, () => tryAll(page, exchange.connection.baseUrl, `http://${host}:another`));
    });
  }

  test('from a frame with an opaque origin', async (context) => {
    const page = await browser.newPage();
    context.after(() => page.close());
    await page.goto(`http://evil.example:${hostilePort}/`);
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts allow-forms');
      frame.srcdoc = '<body></body>';
      document.body.append(frame);
    });
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await check(context, () => tryAll(page, exchange.connection.baseUrl, 'null', frame!));
  });

  test('by DNS rebinding: a foreign name that resolves to the exchange once the page is loaded', async (context) => {
    const base = exchange.connection.baseUrl.replace('127.0.0.1', 'rebound.example');
    const port = Number(new URL(base).port);
    // At first the name resolves to the attacker's server, which serves the page; then to the exchange.
    const sockets = new Set<Socket>();
    const rebound = createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', (first) => {
        if (first.toString('latin1').startsWith('GET / ')) {
          socket.end(
            `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n${HOSTILE_PAGE}`,
          );
          return;
        }
        const there = connect(port, '127.0.0.1', () => there.write(first));
        there.on('error', () => socket.destroy());
        sockets.add(there);
        socket.pipe(there).pipe(socket);
      });
    });
    await new Promise<void>((resolve) => rebound.listen(port, '127.0.0.2', resolve));
    context.after(() => {
      rebound.close();
      for (const socket of sockets) socket.destroy();
    });
    const page = await browser.newPage();
    context.after(() => page.close());
    await page.goto(`${base}/`);
    // For the browser both are one origin now, so the page can read every response; each of them is a rejection.
    await check(context, () => tryAll(page, base, 'http://rebound.example:the same'));
  });
});
