/**
 * The venue's secret and what it protects. At first the secret itself is the key of everything sealed. A rotation draws
 * another key for what is sealed from then on, and writes all keys into a file beside the log, encrypted with the new
 * secret. The file is replaced as a whole: whenever the machine stops, exactly one of the two secrets opens it.
 */

import { randomBytes } from 'node:crypto';
import { SecretBox, unwrapKeys } from '@bourse/api/basics';
import { isFile, isFull, readText, Unavailable, writeDurableText } from '@bourse/engine';
import type { Settings } from '../config/settings.ts';
import { readSecrets, SecretUnfit, WrongDirectory } from './credentials.ts';

export const SECRET_KEYS_FILE = 'secret-keys';
const KEY_BYTES = 32;

/** `secretKey`: 64 hex digits. */
export async function openSecrets(dir: string, secretKey: string): Promise<SecretBox> {
  const path = `${dir}/${SECRET_KEYS_FILE}`;
  const secret = Buffer.from(secretKey, 'hex');
  if (!(await isFile(path))) return new SecretBox(secret);
  const keys = unwrapKeys((await readText(path)).trim(), secret);
  if (keys) return new SecretBox(keys);
  throw new WrongDirectory(
    `${path} was encrypted with another secret than secretKey or secretKeyFile now names. ` +
      'Start with the secret of the last `bourse secret rotate`; after a restore, of the last one before the backup.',
  );
}

export class VenueSecret {
  readonly #settings: Settings;
  readonly #box: SecretBox;
  /** 64 hex digits: the one that starts the venue now. */
  secretKey: string;
  #work: Promise<unknown> = Promise.resolve();

  constructor(settings: Settings, secretKey: string, box: SecretBox) {
    this.#settings = settings;
    this.secretKey = secretKey;
    this.#box = box;
  }

  /**
   * To the secret in that file. Throws SecretUnfit and Unavailable, and has changed nothing then. Returns a warning where
   * the disk did not confirm the change.
   */
  rotate(file: string): Promise<string | null> {
    const done = this.#work.then(() => this.#rotate(file));
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #rotate(file: string): Promise<string | null> {
    // Opening a pipe waits until somebody writes into it.
    if (!(await isFile(file))) throw new SecretUnfit(`${file} is not a file that this process can read.`);
    const { secretKey = '' } = await readSecrets({ ...this.#settings, secretKeyFile: file });
    if (secretKey.toLowerCase() === this.secretKey.toLowerCase()) {
      throw new SecretUnfit(
        `${file} has the secret that the venue has now. Make another with \`openssl rand -hex 32\`.`,
      );
    }
    const key = randomBytes(KEY_BYTES);
    const text = this.#box.wrapWith(Buffer.from(secretKey, 'hex'), key);
    // Durable before anything is sealed with the new key.
    const warning = await this.#write(`${text}\n`);
    this.#box.add(key);
    this.secretKey = secretKey;
    return warning;
  }

  async #write(text: string): Promise<string | null> {
    const path = `${this.#settings.data}/${SECRET_KEYS_FILE}`;
    try {
      await writeDurableText(path, text);
      return null;
    } catch (error) {
      // The file may be in its place, and only the disk's word for it missing.
      const isMoved = (await readText(path).catch(() => '')) === text;
      if (isMoved) {
        return `the disk did not confirm the new secret (${(error as Error).message}): keep both until the next start`;
      }
      throw isFull(error)
        ? new Unavailable('disk-full', 'There is no room on the disk for the keys.')
        : error;
    }
  }
}
