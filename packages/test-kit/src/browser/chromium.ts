/** The browser and the pages for page tests: the distribution's chromium, or the one in BOURSE_CHROMIUM. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const FLAGS = [
  '--headless',
  // The browser's sandbox does not work as root, and tests load only their own pages.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  // Allow only the tests' own requests.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const chromiumPath: string | undefined = [process.env['BOURSE_CHROMIUM'] ?? '', ...PLACES].find(existsSync);

/** Whether a missing browser is a failure instead of a skip. */
const isRequired = process.env['BOURSE_CI_REQUIRES_ALL'] === '1';

/** The reason for skipping, or false. */
export function whySkipped(): string | false {
  if (chromiumPath !== undefined) return false;
  const why =
    'no browser was found, so pages are not tested (install chromium, or name one in BOURSE_CHROMIUM)';
  if (isRequired) throw new Error(why);
  return why;
}

/** `rules` map names to addresses, like a name server: `MAP evil.example 127.0.0.1`. */
export function launchChromium(rules: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [...FLAGS, ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(',')}`])],
    // Only these flags; playwright's defaults would add unwanted ones.
    chromiumSandbox: false,
  });
}

// The built pages, rebuilt only if their sources have changed.

const SCRIPT = fileURLToPath(new URL('../../../../scripts/build-web.mjs', import.meta.url));

export async function buildPages(): Promise<void> {
  await promisify(execFile)(process.execPath, [SCRIPT]);
}
