/** What goes wrong in a page while a test looks elsewhere. */

import type { Page } from 'playwright-core';

/** The browser writes one for each answer that is an error; that the page shows it is what tests look at. */
const FAILED_ANSWER = /^Failed to load resource: /;

export class PageWatch {
  readonly complaints: string[] = [];
  private readonly expected: readonly RegExp[];

  /** `url` is where the page may send to. */
  constructor(page: Page, url: string, expected: readonly RegExp[]) {
    this.expected = expected;
    const { host } = new URL(url);
    page.on('pageerror', (error) => this.note(`error: ${error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !FAILED_ANSWER.test(text)) this.note(`console: ${text}`);
    });
    page.on('request', (request) => {
      const to = new URL(request.url());
      if (to.protocol !== 'data:' && to.protocol !== 'blob:' && to.host !== host)
        this.note(`request to ${to.href}`);
    });
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== host) this.note(`websocket to ${socket.url()}`);
    });
  }

  private note(complaint: string): void {
    if (!this.expected.some((each) => each.test(complaint))) this.complaints.push(complaint);
  }
}
