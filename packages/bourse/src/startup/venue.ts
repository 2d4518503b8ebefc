/**
 * The venue's secret and the keys it protects. At first the secret itself encrypts all sealed data. A rotation draws a
 * new key for data sealed from then on, and writes all keys to a file beside the log, encrypted with the new secret.
 * The file is replaced atomically: whenever the machine stops, exactly one of the two secrets opens it.
 *
 * The file's first line has the keys. Each other line is the fingerprint of an earlier secret, which nobody may use again.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { SecretBox, unwrapKeys } from '@bourse/api/basics';
import { type ExchangePort, isFile, isFull, readText, Unavailable, writeDurableText } from '@bourse/engine';
import { hasSandboxUsers, KEYS } from '@bourse/sandbox/basics';
import type { Settings } from '../config/settings.ts';
import { checkSealingKey, type Credentials, readSecrets, type Secrets, SecretUnfit } from './credentials.ts';
import { WrongDirectory } from './data-directory.ts';

export const SECRET_KEYS_FILE = 'secret-keys';
const KEY_BYTES = 32;

/** `secretKey`: 64 hex digits. */
async function openSecrets(dir: string, secretKey: string): Promise<SecretBox> {
  const path = `${dir}/${SECRET_KEYS_FILE}`;
  const secret = Buffer.from(secretKey, 'hex');
  if (!(await isFile(path))) return new SecretBox(secret);
  const [wrapped] = await readLinesOf(path);
  const keys = unwrapKeys(wrapped, secret);
  if (keys) return new SecretBox(keys);
  throw new WrongDirectory(
    `${path} was encrypted with a different secret than that of secretKey or secretKeyFile. ` +
      'Use the secret of the last `bourse secret rotate`; after a restore, of the last one before the backup.',
  );
}

const readLinesOf = async (path: string): Promise<string[]> => (await readText(path)).trimEnd().split('\n');

export class VenueSecret {
  readonly #settings: Settings;
  readonly #box: SecretBox;
  /** 64 hex digits: the secret with which the venue starts now. */
  secretKey: string;
  #work: Promise<unknown> = Promise.resolve();

  constructor(settings: Settings, secretKey: string, box: SecretBox) {
    this.#settings = settings;
    this.secretKey = secretKey;
    this.#box = box;
  }

  /**
   * Changes to the secret in `file`. If it throws SecretUnfit or Unavailable, nothing has changed. Returns a warning if
   * the disk did not confirm the change.
   */
  rotate(file: string): Promise<string | null> {
    const done = this.#work.then(() => this.#rotate(file));
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #rotate(file: string): Promise<string | null> {
    // Opening a pipe would block until it has a writer.
    if (!(await isFile(file))) throw new SecretUnfit(`${file} is not a file that this process can read.`);
    const { secretKey = '' } = await readSecrets({ ...this.#settings, secretKeyFile: file });
    if (secretKey.toLowerCase() === this.secretKey.toLowerCase()) {
      throw new SecretUnfit(
        `${file} contains the current secret. Create a new one with \`openssl rand -hex 32\`.`,
      );
    }
    const earlier = await this.#earlier();
    if (earlier.includes(this.#fingerprintOf(secretKey))) {
      throw new SecretUnfit(
        `${file} contains an earlier secret of this venue. Create a new one with \`openssl rand -hex 32\`.`,
      );
    }
    const key = randomBytes(KEY_BYTES);
    const wrapped = this.#box.wrapWith(Buffer.from(secretKey, 'hex'), key);
    const lines = [wrapped, ...earlier, this.#fingerprintOf(this.secretKey)];
    // Durable before anything is sealed with the new key.
    const warning = await this.#write(lines.map((line) => `${line}\n`).join(''));
    this.#box.add(key);
    this.secretKey = secretKey;
    return warning;
  }

  get #path(): string {
    return `${this.#settings.data}/${SECRET_KEYS_FILE}`;
  }

  /** Fingerprints of the secrets before the current one. */
  async #earlier(): Promise<string[]> {
    if (!(await isFile(this.#path))) return [];
    const [, ...earlier] = await readLinesOf(this.#path);
    return earlier;
  }

  /** Keyed with a key that never changes, so that the file alone does not tell whether a secret was used. */
  #fingerprintOf(secretKey: string): string {
    const key = this.#box.derive('fingerprints of secrets');
    return createHmac('sha256', key).update(Buffer.from(secretKey, 'hex')).digest('hex');
  }

  async #write(text: string): Promise<string | null> {
    const path = this.#path;
    try {
      await writeDurableText(path, text);
      return null;
    } catch (error) {
      // The file may have been renamed although the directory's sync failed.
      const isMoved = (await readText(path).catch(() => '')) === text;
      if (isMoved) {
        return `the disk did not confirm the new secret (${(error as Error).message}): keep both until the next start`;
      }
      throw isFull(error)
        ? new Unavailable('disk-full', 'The disk is full: the secret was not changed.')
        : error;
    }
  }
}

const TOKEN_BYTES = 32;

/** A venue starts empty; an operator adds everything, and its secrets come from the configuration. */
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
