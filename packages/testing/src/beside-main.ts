/** The program of the process that `startBeside` starts. It ends when the channel to the test closes. */

import { startInProcess } from './in-process.ts';
import type { BesideReply, StartOptions } from './start-options.ts';

const isClosed = new Promise<void>((resolve) => process.once('disconnect', () => resolve()));
// These reach the whole process group. The test closes the channel, by stopping the exchange or by ending.
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
