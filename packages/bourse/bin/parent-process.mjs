// The parent may die silently: the shell that `npm exec` runs is killed, or the older Node that started this one. Nothing
// would be left to stop the exchange, so it stops itself. Only if the parent is known to be one of these: under npm, or
// with a channel to it. If the user's own shell ends (`nohup bourse start &`, a step of a CI job), the exchange keeps
// running. Under npm, a leader of its own process group was detached on purpose and keeps running, too.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;

export function stopWithParent() {
  if (process.channel) {
    // It must not keep a finished process alive.
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
  // The pipe may be closed, and a failed write must not prevent a clean stop.
  process.stderr.on('error', () => undefined);
  process.stderr.write(
    'The process that started this one is gone, so it stops. To let it go on alone, start it with setsid.\n',
  );
  // The number 0 tells listeners that this is not a real signal.
  if (!process.emit('SIGHUP', 'SIGHUP', 0)) process.kill(process.pid, 'SIGHUP');
}

/** Called only when the parent is gone: a process keeps its group. */
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
