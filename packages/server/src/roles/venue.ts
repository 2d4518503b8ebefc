/** A venue: nothing is there that an operator has not put there, and its keys come from outside. */

import { randomBytes } from 'node:crypto';
import type { ExchangePort } from '../engine/exchange-port.ts';
import type { Settings } from '../config/settings.ts';
import { SecretBox } from '../gateway/access/secrets.ts';
import { KEYS } from '../sandbox/users.ts';
import { checkKey, type House, readSecrets, WrongDirectory } from './house.ts';

const TOKEN_BYTES = 32;

export async function furnishVenue(settings: Settings, port: ExchangePort): Promise<House> {
  const { secretKey = '', operatorToken } = await readSecrets(settings);
  const secrets = new SecretBox(Buffer.from(secretKey, 'hex'));
  const keys = await port.read(({ reference }) => [...reference.keys()]);
  if (keys.some(({ key }) => KEYS.some(({ apiKey }) => apiKey === key))) {
    throw new WrongDirectory(
      `${settings.data} holds a sandbox, and the keys of its users are published. ` +
        'Give the venue a directory of its own with --data.',
    );
  }
  checkKey(secrets, keys, settings.data);
  const isTokenNew = operatorToken === undefined;
  const token = operatorToken ?? randomBytes(TOKEN_BYTES).toString('base64url');
  return { secrets, operatorToken: token, isTokenNew, isSandbox: false };
}
