/**
 * Page tests: a running exchange with its built pages, and a browser. Every page is monitored: a script error, a CSP
 * violation or a request to another origin fails the test.
 */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, afterEach, before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Settings } from '../../../bourse/src/config/settings.ts';
import type { RunningExchange } from '../../../bourse/src/startup/running-exchange.ts';
import { startWhole } from '../server.ts';
import { buildPages, launchChromium, whySkipped } from './chromium.ts';

/** The browser logs one for each error response; tests check how the page shows it. */
const FAILED_ANSWER = /^Failed to load resource: /;

/** Records errors, console errors and foreign requests of a page during a test. */
class PageWatch {
  readonly complaints: string[] = [];
  readonly #expected: readonly RegExp[];

  /** `url` is where the page may send to. */
  constructor(page: Page, url: string, expected: readonly RegExp[]) {
    this.#expected = expected;
    const { host } = new URL(url);
    page.on('pageerror', (error) => this.#note(`error: ${error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !FAILED_ANSWER.test(text)) this.#note(`console: ${text}`);
    });
    page.on('request', (request) => {
      const to = new URL(request.url());
      if (to.protocol !== 'data:' && to.protocol !== 'blob:' && to.host !== host)
        this.#note(`request to ${to.href}`);
    });
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== host) this.#note(`websocket to ${socket.url()}`);
    });
  }

  #note(complaint: string): void {
    if (!this.#expected.some((each) => each.test(complaint))) this.complaints.push(complaint);
  }
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'dark' | 'light';
  readonly reducedMotion?: boolean;
  /** Violations that the test expects. */
  readonly expected?: readonly RegExp[];
  /** Use `localhost` instead of the IP address: browsers support passkeys only for names. */
  readonly isNamed?: boolean;
}

export interface PageSuite {
  /** The address of the pages, such as http://127.0.0.1:43210; on a venue the operators' one. */
  readonly url: string;
  readonly exchange: RunningExchange;
  /** Each page has its own browser context; nothing is shared. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** Stops the exchange; `start` restarts it at the same address with the same data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** A call of the control API, such as POST /snapshots. */
  control(method: string, path: string, body?: object): Promise<Record<string, string>>;
}

const WIDTH = 1600;
const HEIGHT = 1000;
const WAIT_MS_MAX = 45_000;

export function describePages(
  name: string,
  settings: Partial<Settings>,
  body: (suite: PageSuite) => void,
): void {
  const skip = whySkipped();
  describe(name, { skip }, () => {
    if (skip) return;
    const suite = new RunningSuite(settings);
    before(() => suite.begin());
    afterEach(() => suite.closePages());
    after(() => suite.end());
    body(suite);
  });
}

class RunningSuite implements PageSuite {
  url = '';
  #running: RunningExchange | undefined;
  #browser: Browser | undefined;
  readonly #settings: Partial<Settings>;
  readonly #dir = mkdtempSync(join(tmpdir(), 'bourse-pages-'));
  readonly #opened: { readonly context: BrowserContext; readonly watch: PageWatch }[] = [];

  constructor(settings: Partial<Settings>) {
    this.#settings = settings;
  }

  get exchange(): RunningExchange {
    return this.#running!;
  }

  async begin(): Promise<void> {
    await buildPages();
    await this.start();
    this.#browser = await launchChromium();
  }

  async start(): Promise<void> {
    const port = this.url === '' ? 0 : Number(new URL(this.url).port);
    // All requests of a test come from one address.
    const generous = { quotas: { public: 1e6 }, servicePoolWeight: 1e6, operatorPoolWeight: 1e6 };
    this.#running = await startWhole(this.#dir, { ...generous, ...this.#settings, port });
    const { baseUrl, operatorUrl } = this.#running.connection;
    this.url = this.#settings.venue ? new URL(operatorUrl).origin : baseUrl;
  }

  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async control(method: string, path: string, body: object = {}): Promise<Record<string, string>> {
    const { baseUrl, operatorToken } = this.exchange.connection;
    const response = await fetch(`${baseUrl}/sandbox/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, text);
    return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
  }

  async open(path: string, options: PageOptions = {}): Promise<Page> {
    const { width = WIDTH, height = HEIGHT, theme = 'dark', reducedMotion = true } = options;
    const { expected = [], isNamed = false } = options;
    const context = await this.#browser!.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(WAIT_MS_MAX);
    const page = await context.newPage();
    const url = isNamed ? this.url.replace('127.0.0.1', 'localhost') : this.url;
    const watch = new PageWatch(page, url, expected);
    this.#opened.push({ context, watch });
    await page.goto(url + path);
    return page;
  }

  async closePages(): Promise<void> {
    const open = this.#opened.splice(0);
    for (const { context } of open) await context.close();
    for (const { watch } of open) assert.deepEqual(watch.complaints, []);
  }

  async end(): Promise<void> {
    await this.#browser?.close();
    await this.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

// Accessibility violations of a page, as found by axe.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(where: string, options: RunOptions): Promise<AxeResults>;
}

interface Animated {
  getAnimations(): { readonly finished: Promise<unknown>; readonly transitionProperty?: string }[];
}

/** A computed colour stays as it was until the next frame, even if its transition takes no time. */
export async function waitForTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { document } = globalThis as unknown as { document: Animated };
    const running = () => document.getAnimations().filter((each) => each.transitionProperty !== undefined);
    // The end of one may start that of an element within, which inherits the colour.
    for (let left = 10; left > 0 && running().length > 0; left--) {
      await Promise.allSettled(running().map(({ finished }) => finished));
    }
  });
}

/** One line per violation, on the whole page or within a selector. */
export async function axeFindings(page: Page, within = 'html'): Promise<string[]> {
  await waitForTransitions(page);
  // The page's CSP blocks injected scripts; `evaluate` goes through the debugger. axe stays until the page reloads.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    // Report only violations: describing every passing element takes longer than checking it.
    (where) => (globalThis as unknown as { axe: Axe }).axe.run(where, { resultTypes: ['violations'] }),
    within,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${target.join(' ')}: ${failureSummary.split('\n').at(-1)!.trim()}`,
    ),
  );
}

// Screenshots. Every run takes them, so that a page that cannot be rendered is noticed. BOURSE_PICTURES=1
// updates those in docs/images; the name of a directory writes all of them there, to look at.

const wanted = process.env['BOURSE_PICTURES'] ?? '';
const DOCS = fileURLToPath(new URL('../../../../docs/images', import.meta.url));

/** Whether a directory for all screenshots was given. */
export const areAllWanted = wanted.length > 1;

/** `name`: without the file extension. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const bytes = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (wanted === '') return;
  const path = resolve(areAllWanted ? wanted : DOCS, `${name}.png`);
  if (!areAllWanted && !existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
