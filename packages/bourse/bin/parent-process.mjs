// What started this process may end without a word: the shell that `npm exec` runs is killed, or the older Node that
// handed over. Nobody would be left to stop the exchange, so it stops itself. Only where the parent is known to be such:
// under npm, and where there is a channel to it. A shell of the user that ends (`nohup bourse start &`, a step of a CI
// job) leaves it running. Under npm, one that leads a process group of its own was let go on purpose and stays, too.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;

export function stopWithParent() {
  if (process.channel) {
    // It must not keep alive what is done.
    process.channel.unref();
    process.once('disconnect', stop);
  } else if (process.env.npm_command !== undefined) watchParent();
}

function watchParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    if (!leadsGroup()) stop();
  }, LOOK_MS);
  timer.unref();
}

function stop() {
  // The pipe may have gone with the parent, and a sentence that nobody reads must not keep it from stopping orderly.
  process.stderr.on('error', () => undefined);
  process.stderr.write(
    'The process that started this one is gone, so it stops. To let it go on alone, start it with setsid.\n',
  );
  // Listeners learn by the number 0 that no signal came: the real one may ask for another thing.
  if (!process.emit('SIGHUP', 'SIGHUP', 0)) process.kill(process.pid, 'SIGHUP');
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
