/** Runs bench/NAME/main.ts for the script bench:NAME, with the same Node flags as an exchange. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../packages/bourse/bin/start-flags.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Child processes inherit both from `process.execArgv`. */
const FLAGS = [
  '--expose-gc',
  ...START_FLAGS,
  `--import=${new URL('../packages/bourse/bin/v8-flags.mjs', import.meta.url).href}`,
];

const [name = '', ...options] = process.argv.slice(2);
const benches = readdirSync(here('.')).filter((each) => existsSync(here(`${each}/main.ts`)));
if (benches.includes(name)) {
  const args = [...FLAGS, here(`${name}/main.ts`), ...options];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} else {
  console.error(`Unknown bench '${name}'. Expected one of: ${benches.join(', ')}.`);
  process.exitCode = 2;
}
