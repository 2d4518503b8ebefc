/** The differences between a sandbox and a venue once the engine runs. */

import type { Key } from '@bourse/core';
import { fits, type JsonSchema, type SecretBox } from '@bourse/api/basics';
import { isInside, isOpenToAll, readText, systemSentence } from '@bourse/engine';
import { SANDBOX_OPERATOR_TOKEN, SANDBOX_SECRET_KEY } from '@bourse/sandbox/basics';
import {
  fileNameOf,
  SECRET_FILE_NAMES,
  type SecretName,
  type Settings,
  schemaOf,
} from '../config/settings.ts';
import { describeExpected } from '../config/words.ts';
import { WrongDirectory } from './data-directory.ts';

export interface Credentials {
  readonly secrets: SecretBox;
  readonly operatorToken: string;
  /** The read-only token; empty for none. */
  readonly operatorReadToken: string;
  /** Generated at this start, so the banner must show it. */
  readonly isTokenNew: boolean;
  readonly isSandbox: boolean;
}

/** Throws unless the keys were sealed with this secret: the first and the last are enough. */
export function checkSealingKey(secrets: SecretBox, keys: readonly Key[], data: string): void {
  try {
    for (const key of [...keys.slice(0, 1), ...keys.slice(-1)]) secrets.open(key.secret);
  } catch {
    throw new WrongDirectory(
      `The API secrets in ${data} were encrypted with a different secret than that of secretKey or secretKeyFile. ` +
        'Start with the secret that was used before.',
    );
  }
}

/** A configured secret cannot be used; the message names the setting, never the secret. */
export class SecretUnfit extends Error {
  override readonly name = 'SecretUnfit';
}

export interface Secrets {
  /** 64 hex digits. */
  readonly secretKey?: string;
  readonly operatorToken?: string;
  /** Empty for none. */
  readonly operatorReadToken: string;
  /** Empty for none. */
  readonly smtpUrl: string;
}

/** From the settings themselves or from the files they name. */
export async function readSecrets(settings: Settings): Promise<Secrets> {
  const { secretKeyFile, data } = settings;
  if (secretKeyFile && (await isInside(secretKeyFile, data))) {
    throw new SecretUnfit(
      `secretKeyFile: ${secretKeyFile} is inside the data directory: whoever gets a copy of the data gets the key. ` +
        'Put it somewhere else.',
    );
  }
  const [secretKey, operatorToken, operatorReadToken, smtpUrl] = await Promise.all(
    (['secretKey', 'operatorToken', 'operatorReadToken', 'smtpUrl'] as const).map((name) =>
      readSecret(name, settings),
    ),
  );
  checkUnpublished(settings, secretKey, operatorToken, operatorReadToken);
  return {
    ...(secretKey ? { secretKey } : {}),
    ...(operatorToken ? { operatorToken } : {}),
    operatorReadToken,
    smtpUrl,
  };
}

/** A message for each secret file that everybody on this machine can read. */
export async function sharedSecrets(settings: Settings): Promise<string[]> {
  const sentences: string[] = [];
  for (const setting of [...SECRET_FILE_NAMES, 'tlsKey'] as const) {
    const path = settings[setting];
    if (path === '' || !(await isOpenToAll(path))) continue;
    sentences.push(
      `${setting}: every user of this machine may read ${path}. Run \`chmod o= ${path}\`, or make a new one if somebody has`,
    );
  }
  return sentences;
}

function checkUnpublished({ venue }: Settings, key: string, token: string, operatorReadToken: string): void {
  if (venue && key.toLowerCase() === SANDBOX_SECRET_KEY) {
    throw new SecretUnfit(
      'secretKey: this is the published key of the sandbox, and protects nothing. ' +
        'Make one for this venue alone with `openssl rand -hex 32`.',
    );
  }
  if (venue && [token, operatorReadToken].includes(SANDBOX_OPERATOR_TOKEN)) {
    const setting = token === SANDBOX_OPERATOR_TOKEN ? 'operatorToken' : 'operatorReadToken';
    throw new SecretUnfit(
      `${setting}: this is the published token of the sandbox, and everybody knows it. ` +
        'Make one for this venue alone with `openssl rand -hex 32`.',
    );
  }
  if (operatorReadToken !== '' && operatorReadToken === (token || SANDBOX_OPERATOR_TOKEN)) {
    throw new SecretUnfit(
      'operatorReadToken: it is the same as operatorToken, so whoever has it may change everything. ' +
        'Make another with `openssl rand -hex 32`.',
    );
  }
}

/** Never repeats the file's content. */
async function readSecret(name: SecretName, settings: Settings): Promise<string> {
  const setting = fileNameOf(name);
  const path = settings[setting];
  if (path === '') return settings[name];
  let text: string;
  try {
    text = (await readText(path)).trim();
  } catch (error) {
    throw new SecretUnfit(
      `${setting}: ${systemSentence(error, path) ?? `${path}: ${(error as Error).message}.`}`,
    );
  }
  const schema = schemaOf(name);
  if (text === '' || !fits(schema as JsonSchema, text))
    throw new SecretUnfit(`${setting}: ${path} does not hold ${describeExpected(schema)}.`);
  return text;
}
