/** The exchange to be measured, whole, on a directory of its own: prints its address, ends when its input does. */

import { loadSettings } from '../../packages/server/src/config/load.ts';
import { startExchange } from '../../packages/server/src/startup/start.ts';
import { answerCosts } from './cost.ts';

const WEIGHT = '1000000000';

const { settings } = loadSettings({
  flags: {
    data: process.argv[2],
    port: '0',
    market: 'quiet',
    spotPoolWeight: WEIGHT,
    managePoolWeight: WEIGHT,
    publicPoolWeight: WEIGHT,
    // Requests are signed before the clock starts; a slow machine must not run out of time.
    skewMsMax: '8000',
    feedConnectionsPerAddressMax: '1000',
    feedConnectsPerAddressMax: '1000',
  },
  env: {},
});
const running = await startExchange(settings);
console.log(running.connection.baseUrl);
answerCosts();
process.stdin.on('end', () => void running.close().then(() => process.exit(0)));
