/**
 * The TLS certificate. Programs that renew certificates replace its files every few weeks, and nobody should have to
 * restart an exchange for that: the files are read again every few seconds.
 */

import { createSecureContext } from 'node:tls';
import type { Certificate, HttpListener } from '@bourse/api';
import { type Clock, readText, systemSentence } from '@bourse/engine';
import type { Settings } from '../config/settings.ts';
import { SecretUnfit } from './credentials.ts';

type TlsSettings = Pick<Settings, 'tlsCert' | 'tlsKey'>;

const LOOK_MS = 5000;

export async function readCertificate(settings: TlsSettings): Promise<Certificate | undefined> {
  if (settings.tlsCert === '') return undefined;
  const certificate = { cert: await read('tlsCert', settings), key: await read('tlsKey', settings) };
  try {
    createSecureContext({ ...certificate });
  } catch (error) {
    throw new SecretUnfit(
      `tlsCert, tlsKey: ${settings.tlsCert} and ${settings.tlsKey} are not a certificate and its private key, ` +
        `both as PEM (${(error as Error).message}).`,
    );
  }
  return certificate;
}

async function read(setting: keyof TlsSettings, settings: TlsSettings): Promise<string> {
  const path = settings[setting];
  try {
    return await readText(path);
  } catch (error) {
    throw new SecretUnfit(
      `${setting}: ${systemSentence(error, path) ?? `${path}: ${(error as Error).message}.`}`,
    );
  }
}

/**
 * Gives the listeners every new certificate. While the files do not fit together, which is so for a moment when they are
 * replaced one after the other, the old one stays. Returns how to end this.
 */
export function followCertificate(
  settings: TlsSettings,
  listeners: readonly Pick<HttpListener, 'renew'>[],
  { machine }: Clock,
  log: { readonly info: (sentence: string) => void; readonly warn: (sentence: string) => void },
  present: Certificate | undefined,
): () => void {
  if (present === undefined) return () => undefined;
  let served = present;
  let complaint = '';
  let hasEnded = false;
  const look = async (): Promise<void> => {
    try {
      const found = (await readCertificate(settings))!;
      complaint = '';
      if (found.cert === served.cert && found.key === served.key) return;
      for (const listener of listeners) listener.renew(found);
      served = found;
      log.info('tlsCert: new connections get the new certificate');
    } catch (error) {
      const { message } = error as Error;
      // The first look may fall between the two files.
      if (complaint === message) log.warn(`${message} The certificate before it is still served.`);
      complaint = message;
    }
  };
  const again = (): void => {
    if (hasEnded) return;
    cancel = machine.after(LOOK_MS, () => void look().then(again));
  };
  let cancel = (): void => undefined;
  again();
  return () => {
    hasEnded = true;
    cancel();
  };
}
