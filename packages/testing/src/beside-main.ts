/** The program of the child process that `startBeside` starts. It exits when the channel to the test closes. */

import { startInProcess } from './in-process.ts';
import type { Connection, StartOptions } from './types.ts';

/** The one message that this process sends. */
export type BesideReply =
  | { readonly connection: Connection }
  | { readonly error: { readonly name: string; readonly message: string } };

const isClosed = new Promise<void>((resolve) => process.once('disconnect', () => resolve()));
// Ignore signals to the process group. The test closes the channel, by stopping the exchange or by exiting.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

process.once('message', async (options: StartOptions) => {
  const reply = (message: BesideReply): void => {
    if (process.connected) process.send!(message);
  };
  try {
    const { connection, close } = await startInProcess(options);
    reply({ connection });
    await isClosed;
    await close();
  } catch (error) {
    const { name, message } = error as Error;
    reply({ error: { name, message } });
    process.exitCode = 1;
    await isClosed;
  }
  process.exit();
});
