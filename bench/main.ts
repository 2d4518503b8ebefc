/** The script bench:NAME of package.json [-- options]: runs bench/NAME/main.ts with the flags that an exchange is started with. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../packages/bourse/bin/start-flags.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Processes that a bench starts take both over from `process.execArgv`. */
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
