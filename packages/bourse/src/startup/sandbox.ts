/** A sandbox: seeds an empty directory with the published users, keys and symbols. */

import { SecretBox } from '@bourse/api/basics';
import { type CommandResult, type ExchangePort, OPERATOR, submit } from '@bourse/engine';
import {
  SANDBOX_OPERATOR_TOKEN,
  SANDBOX_SECRET_KEY,
  seedCommands,
  seedState,
  SEEN_BEFORE,
} from '@bourse/sandbox/basics';
import type { Settings } from '../config/settings.ts';
import { checkSealingKey, type Credentials, type Secrets } from './credentials.ts';
import { WrongDirectory } from './data-directory.ts';

/** Commands in flight at once: the smallest value of queueCommandsMax, so that none is rejected. */
const AT_ONCE = 16;

export async function prepareSandbox(
  settings: Settings,
  { secretKey = SANDBOX_SECRET_KEY, operatorToken = SANDBOX_OPERATOR_TOKEN, operatorReadToken }: Secrets,
  port: ExchangePort,
): Promise<Credentials> {
  const secrets = new SecretBox(Buffer.from(secretKey, 'hex'), { isDeterministic: true });
  const state = await port.read(seedState);
  if (state === 'foreign') {
    throw new WrongDirectory(
      `${settings.data} holds an exchange that is not a sandbox. ` +
        'Start it with --venue, or give the sandbox a directory of its own with --data.',
    );
  }
  checkSealingKey(secrets, await port.read(({ reference }) => reference.keys()), settings.data);
  if (state !== 'whole') await seed(port, secrets);
  return { secrets, operatorToken, operatorReadToken, isTokenNew: false, isSandbox: true };
}

/**
 * Submits as many commands at once as the smallest queue accepts, so that few records are written. After an interrupted
 * start all are submitted again, and those already executed are rejected.
 */
async function seed(port: ExchangePort, secrets: SecretBox): Promise<void> {
  const commands = seedCommands((apiSecret, passphrase) => secrets.seal(apiSecret, passphrase));
  const answers: CommandResult[] = [];
  for (let at = 0; at < commands.length; at += AT_ONCE) {
    const some = commands.slice(at, at + AT_ONCE);
    answers.push(...(await Promise.all(some.map((command) => submit(port, command, OPERATOR)))));
  }
  for (const [at, { outcome }] of answers.entries()) {
    if (outcome.kind !== 'rejected' || SEEN_BEFORE.includes(outcome.rejection.code)) continue;
    const { kind } = commands[at];
    throw new Error(
      `the initial commands of the sandbox were rejected: ${kind}: ${JSON.stringify(outcome.rejection, plain)}`,
    );
  }
}

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
