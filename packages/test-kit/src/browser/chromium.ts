/** The browser that tests of pages run in: chromium of the distribution, or the one that BOURSE_CHROMIUM names. */

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const FLAGS = [
  '--headless',
  // Root has no sandbox of the browser, and tests load pages of their own only.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  // Nothing but the tests' own requests.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const chromiumPath: string | undefined = [process.env['BOURSE_CHROMIUM'] ?? '', ...PLACES].find(existsSync);

/** Where a run without a browser would hide that pages were not tested. */
const isRequired = process.env['BOURSE_CI_REQUIRES_ALL'] === '1';

/** False: test; a text: why it is skipped. */
export function whySkipped(): string | false {
  if (chromiumPath !== undefined) return false;
  const why =
    'no browser was found, so pages are not tested (install chromium, or name one in BOURSE_CHROMIUM)';
  if (isRequired) throw new Error(why);
  return why;
}

/** `rules` let a name lead to another address, as a name server would: `MAP evil.example 127.0.0.1`. */
export function launchChromium(rules: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [...FLAGS, ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(',')}`])],
    // The flags say what there is; playwright's own would bring back some that are not wanted.
    chromiumSandbox: false,
  });
}
