/**
 * The complete exchange to be measured, on its own directory: prints its address, ends with its input. A venue
 * with the users and symbols of a sandbox, but without a sandbox's other features; `sandbox` as the second
 * argument starts a sandbox instead. The third is the number of further users.
 */

import { randomBytes } from 'node:crypto';
import type { Engine } from '../../packages/engine/src/engine.ts';
import { SecretBox } from '../../packages/api/src/gateway/access/secrets.ts';
import { seedCommands } from '../../packages/sandbox/src/seed.ts';
import { startExchange } from '../../packages/bourse/src/startup/start.ts';
import { settingsOf } from '@bourse/test-kit/limits.ts';
import { answerCosts } from './cpu.ts';
import { userCommands } from './requests.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const WEIGHT = 1e9;
const KEY_BYTES = 32;

const [, , data, kind = 'venue', users = '0'] = process.argv;
const secretKey = randomBytes(KEY_BYTES).toString('hex');
const settings = settingsOf({
  data,
  port: '0',
  ...(kind === 'sandbox' ? { market: 'quiet' } : { venue: 'true', secretKey }),
  quotas: JSON.stringify({ spot: WEIGHT, manage: WEIGHT, public: WEIGHT }),
  // Requests are signed before the clock starts; a slow machine must not run out of time.
  skewMsMax: '8000',
  connectionsMax: '5000',
  connectionsPerAddressMax: '5000',
  feedConnectionsPerAddressMax: '5000',
  feedConnectsPerAddressMax: '5000',
});
const running = await startExchange(settings);
if (kind !== 'sandbox') await seed(running.engine);
console.log(running.connection.baseUrl);
answerCosts();
process.stdin.on('end', () => void running.close().then(() => process.exit(0)));

/** The loads sign with the keys of the sandbox's users. */
async function seed(engine: Engine): Promise<void> {
  const secrets = new SecretBox(Buffer.from(secretKey, 'hex'));
  const seal = (apiSecret: string, passphrase: string): string => secrets.seal(apiSecret, passphrase);
  // Not awaited one by one: they are applied in order anyway.
  const commands = [...seedCommands(seal), ...userCommands(Number(users), seal)];
  const answers = await Promise.all(commands.map((command) => submit(engine, command)));
  for (const [at, { outcome }] of answers.entries()) {
    if (outcome.kind === 'rejected') throw new Error(`${commands[at].kind}: ${outcome.rejection.code}`);
  }
}
