/**
 * Builds missing pages, as after an install: in a separate process with lower priority, after the exchange is ready, so
 * that neither the start nor a request waits for it.
 */

import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { isPageFolder, PAGE_BUILD_SCRIPT, PAGE_FOLDER } from '@bourse/engine';

const ERROR_CHARS_MAX = 2000;

export function buildMissingPages(): void {
  if (isPageFolder(PAGE_FOLDER) || PAGE_BUILD_SCRIPT === null) return;
  const child = spawn(process.execPath, [PAGE_BUILD_SCRIPT], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => (errors = (errors + text).slice(-ERROR_CHARS_MAX)));
  child.on('spawn', () => setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL));
  child.on('error', (error) => report(error.message));
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) report(errors);
  });
  process.once('exit', () => child.kill());
}

function report(why: string): void {
  process.stderr.write(
    `the pages could not be built, all else works; npm run build:web tries again: ${why}\n`,
  );
}
