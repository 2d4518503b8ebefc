// A shell that is told to stop dies without a word to what it runs (`npm exec` runs such a shell), and
// what it ran would go on with nobody to stop it. So this process stops when the one that started it is gone. One that
// leads a process group of its own was let go on purpose and stays: a job of a terminal, `setsid`, a service of systemd,
// `detached` of Node. So does one that process 1 started, because that is never gone.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;

export function stopWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    if (leadsGroup()) return;
    // The pipe may have gone with the parent, and a sentence that nobody reads must not keep it from stopping orderly.
    process.stderr.on('error', () => undefined);
    process.stderr.write(
      `The process that started this one (${parent}) is gone, so it stops. To let it go on alone, start it with setsid.\n`,
    );
    // Listeners learn by the number 0 that no signal came: the real one may ask for another thing.
    if (!process.emit('SIGHUP', 'SIGHUP', 0)) process.kill(process.pid, 'SIGHUP');
  }, LOOK_MS);
  timer.unref();
}

/** Asked only when the parent is gone: a process keeps its group. */
function leadsGroup() {
  return groupOf(process.pid) === process.pid;
}

/** @param {number} pid */
function groupOf(pid) {
  if (process.platform !== 'linux')
    return Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }));
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Behind the name, which may have blanks and brackets in it, come state, parent and group.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}
