/** Wires the identity API: the venue's keys, the keyring, and the mail transport. */

import { join } from 'node:path';
import { DAY_MS } from '@bourse/core';
import {
  Identity,
  KeyFile,
  Keyring,
  KEYRING_FILE,
  type KeyStore,
  type MailSender,
  type Services,
  VenueKeys,
} from '@bourse/api';
import type { GatewayLog } from '@bourse/api/basics';
import { isFile, readLines, writeDurableText } from '@bourse/engine';
import type { Settings } from '../config/settings.ts';
import type { Credentials } from './credentials.ts';

export interface IdentitySetup {
  /** The directory of keyring and outbox; '' keeps keys in memory. */
  readonly dir: string;
  /** The keyring that nodes of a cluster share; otherwise it is a file in the directory. */
  readonly sharedKeys?: SharedKeys;
  /** A copy of an earlier log: people of it may have been erased since, and then no keyring has their keys. */
  readonly isCopy?: boolean;
  /** The destination of mail without a mail server; a venue has none. */
  readonly mailbox?: MailSender;
  /** The base of links, set when the exchange listens. */
  readonly home: { baseUrl: string };
}

interface SharedKeys extends KeyStore {
  /** Removes keys without a person, left over from a crash. */
  tidy(isKnown: (person: string) => boolean): Promise<void>;
}

export async function openIdentity(
  { dir, sharedKeys, isCopy = false, mailbox, home }: IdentitySetup,
  settings: Settings,
  { secrets, isSandbox }: Credentials,
  services: Services,
  log: GatewayLog,
): Promise<Identity> {
  const { smtpUrl, mailFrom, sessionMaxMs, addressDelayMs, publicUrl, operatorPublicUrl } = settings;
  const warn = (sentence: string): void => log.warn(sentence);
  const keys = new VenueKeys(secrets);
  const people = await services.port.read(({ reference }) => reference.people.list().map(({ id }) => id));
  const known = new Set(people);
  const isKnown = (person: string): boolean => known.has(person);
  await sharedKeys?.tidy(isKnown);
  const path = dir === '' ? '' : join(dir, KEYRING_FILE);
  const keyring = new Keyring(keys, sharedKeys ?? (await KeyFile.open(path, isKnown)));
  const lost = await keyring.load(people);
  if (lost.length > 0) {
    const what = `lacks the keys of ${lost.length} people: their data cannot be read.`;
    if (!sharedKeys && !isCopy) throw new Error(`${path} ${what} Restore the keyring of this exchange.`);
    // An account may just have been closed at another node, or after the records that were copied.
    warn(`${sharedKeys ? "The cluster's keyring" : path} ${what} They cannot sign in.`);
  }
  // The process may have been killed before the last rotation had rewrapped all keys.
  if (secrets.generation > 0) await keyring.rewrap();
  let mail = mailbox ?? nowhere(warn);
  if (smtpUrl !== '' && dir !== '') {
    // Loaded lazily: most sandboxes have no mail server.
    const { Outbox, OUTBOX_FILE } = await import('@bourse/api');
    const { machine: clock } = services.clock;
    mail = await Outbox.open({ smtpUrl, from: mailFrom, path: join(dir, OUTBOX_FILE), keys, clock, warn });
  }
  const byDefault = isSandbox ? 'open' : 'invite';
  return new Identity({
    services,
    keys,
    keyring,
    mail,
    home,
    settings: {
      signUp: settings.signUp === 'default' ? byDefault : settings.signUp,
      sessionMaxMs,
      addressDelayMs: addressDelayMs >= 0 ? addressDelayMs : isSandbox ? 0 : DAY_MS,
      publicUrl,
      operatorPublicUrl,
      isSandbox,
    },
  });
}

/** Into a copy of the directory. */
export async function copyKeyring(from: string, to: string): Promise<void> {
  const path = join(from, KEYRING_FILE);
  if (!(await isFile(path))) return;
  const rows: string[] = [];
  for await (const lines of readLines(path)) rows.push(...lines);
  await writeDurableText(join(to, KEYRING_FILE), rows.join(''));
}

/** Without a mail server mail is lost, so warn. */
function nowhere(warn: (sentence: string) => void): MailSender {
  return {
    send: () => warn('a mail was not sent, because smtpUrl is not set'),
    close: () => Promise.resolve(),
  };
}
