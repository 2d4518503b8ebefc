/** An exchange in a child process, run by the Node in the package: for tests on an older Node. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findNode } from 'bourse/newer-node';
import type { BesideReply } from './beside-main.ts';
import type { Started } from './in-process.ts';
import type { StartOptions } from './types.ts';

const PROGRAM = fileURLToPath(new URL('./beside-main.ts', import.meta.url));

export async function startBeside(options: StartOptions): Promise<Started> {
  const execPath = findNode();
  if (execPath === null) {
    throw new Error(
      `An exchange needs Node 24 or newer. This is ${process.version}, and the package has no Node for ${process.platform}-${process.arch}. ` +
        'Run the tests with Node 24, or rebuild the package with `npm run pack -- --platforms PLATFORM`.',
    );
  }
  // Options for this Node may be unknown to the other one, or preload modules that are not for it.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = fork(PROGRAM, [], {
    execPath,
    execArgv: [],
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  ended.catch(() => undefined);
  child.send(options);
  const reply = await Promise.race([
    once(child, 'message').then(([message]) => message as BesideReply),
    ended.then(([code, signal]) =>
      failure('Error', `The exchange ended before it was ready (${signal ?? code}).`),
    ),
  ]);
  if ('error' in reply) {
    const { name, message } = reply.error;
    if (child.connected) child.disconnect();
    throw Object.assign(new Error(message), { name });
  }
  return {
    connection: reply.connection,
    close: async () => {
      // The child exits when the channel closes, so also when this process dies.
      if (child.connected) child.disconnect();
      const [code, signal] = await ended;
      if (code !== 0) throw new Error(`The exchange did not stop cleanly (${signal ?? code}).`);
    },
  };
}

const failure = (name: string, message: string): BesideReply => ({ error: { name, message } });
