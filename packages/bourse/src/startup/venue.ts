/** A venue: starts empty, an operator adds everything, and its secrets come from the configuration. */

import { randomBytes } from 'node:crypto';
import type { ExchangePort } from '@bourse/engine';
import { hasSandboxUsers, KEYS } from '@bourse/sandbox/basics';
import type { Settings } from '../config/settings.ts';
import { checkSealingKey, type Credentials, type Secrets, WrongDirectory } from './credentials.ts';
import { openSecrets } from './venue-secret.ts';

const TOKEN_BYTES = 32;

export async function prepareVenue(
  settings: Settings,
  { secretKey = '', operatorToken, operatorReadToken }: Secrets,
  port: ExchangePort,
): Promise<Credentials> {
  const secrets = await openSecrets(settings.data, secretKey);
  const keys = await port.read(({ reference }) => [...reference.keys()]);
  const isPublished = keys.some(({ key }) => KEYS.some(({ apiKey }) => apiKey === key));
  if (isPublished || (await port.read(hasSandboxUsers))) {
    throw new WrongDirectory(
      `${settings.data} holds a sandbox: its users have play money, and their keys are published. ` +
        'Give the venue a directory of its own with --data.',
    );
  }
  checkSealingKey(secrets, keys, settings.data);
  const isTokenNew = operatorToken === undefined;
  const token = operatorToken ?? randomBytes(TOKEN_BYTES).toString('base64url');
  return { secrets, operatorToken: token, operatorReadToken, isTokenNew, isSandbox: false };
}
