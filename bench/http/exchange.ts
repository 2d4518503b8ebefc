/**
 * The exchange to be measured, whole, on a directory of its own: prints its address, ends when its input does. A venue,
 * with the users and symbols of a sandbox but without what a sandbox does beside trading; `sandbox` as the second
 * argument starts a sandbox instead.
 */

import { randomBytes } from 'node:crypto';
import type { Engine } from '../../packages/engine/src/engine.ts';
import { SecretBox } from '../../packages/api/src/gateway/access/secrets.ts';
import { seedCommands } from '../../packages/sandbox/src/seed.ts';
import { startExchange } from '../../packages/bourse/src/startup/start.ts';
import { settingsOf } from '@bourse/test-kit/limits.ts';
import { answerCosts } from './cost.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const WEIGHT = '1000000000';
const KEY_BYTES = 32;

const [, , data, kind = 'venue'] = process.argv;
const secretKey = randomBytes(KEY_BYTES).toString('hex');
const settings = settingsOf({
  data,
  port: '0',
  ...(kind === 'sandbox' ? { market: 'quiet' } : { venue: 'true', secretKey }),
  spotPoolWeight: WEIGHT,
  managePoolWeight: WEIGHT,
  publicPoolWeight: WEIGHT,
  // Requests are signed before the clock starts; a slow machine must not run out of time.
  skewMsMax: '8000',
  feedConnectionsPerAddressMax: '1000',
  feedConnectsPerAddressMax: '1000',
});
const running = await startExchange(settings);
if (kind !== 'sandbox') await seed(running.engine);
console.log(running.connection.baseUrl);
answerCosts();
process.stdin.on('end', () => void running.close().then(() => process.exit(0)));

/** The loads sign with the keys of the sandbox's users. */
async function seed(engine: Engine): Promise<void> {
  const secrets = new SecretBox(Buffer.from(secretKey, 'hex'));
  const commands = seedCommands((apiSecret, passphrase) => secrets.seal(apiSecret, passphrase));
  for (const command of commands) {
    const { outcome } = await submit(engine, command);
    if (outcome.kind === 'rejected') throw new Error(`${command.kind}: ${outcome.rejection.code}`);
  }
}
