/** Records what goes wrong in a page during a test. */

import type { Page } from 'playwright-core';

/** The browser logs one for each error response; tests check how the page shows it. */
const FAILED_ANSWER = /^Failed to load resource: /;

export class PageWatch {
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
