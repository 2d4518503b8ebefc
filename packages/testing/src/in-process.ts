/** An exchange in this process, in a temporary directory. */

import { loadSettings, startExchange } from 'bourse';
import type { Started, StartOptions } from './start-options.ts';
import { TemporaryDirectory } from './temporary-directory.ts';
import type { Connection } from './types.ts';

const DEFAULTS = { market: 'quiet', port: 0, logLevel: 'silent' };
/** The kit manages the directory itself; a venue has no control API, so it could not be used. */
const NOT_SETTABLE = ['data', 'configOut', 'venue'];

export async function startInProcess(options: StartOptions): Promise<Started> {
  const { settings = {}, ...words } = options;
  const refused = [...Object.keys(settings), ...Object.keys(words)].find((name) =>
    NOT_SETTABLE.includes(name),
  );
  if (refused !== undefined) throw new Error(`${refused}: startExchange sets this itself. Omit it.`);
  const given = { ...DEFAULTS, ...settings, ...words };
  // Validate everything before a directory is created.
  const loaded = loadSettings({
    flags: {},
    env: {},
    file: { name: 'startExchange', text: JSON.stringify(given) },
  });
  const directory = await TemporaryDirectory.make();
  try {
    const running = await startExchange({ ...loaded.settings, data: directory.path });
    return {
      connection: running.connection as Connection,
      close: async () => {
        try {
          await running.close();
        } finally {
          await directory.remove();
        }
      },
    };
  } catch (error) {
    await directory.remove();
    throw error;
  }
}
