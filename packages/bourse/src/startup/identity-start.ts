/** Wires the identity API: the venue's keys, the keyring beside the log, and the mail transport. */

import { join } from 'node:path';
import {
  DAY_MS,
  Identity,
  Keyring,
  KEYRING_FILE,
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
  /** The destination of mail without a mail server; a venue has none. */
  readonly mailbox?: MailSender;
  /** The base of links, set when the exchange listens. */
  readonly home: { baseUrl: string };
}

export async function openIdentity(
  { dir, mailbox, home }: IdentitySetup,
  settings: Settings,
  { secrets, isSandbox }: Credentials,
  services: Services,
  log: GatewayLog,
): Promise<Identity> {
  const { smtpUrl, mailFrom, sessionMaxMs, addressDelayMs, publicUrl } = settings;
  const keys = new VenueKeys(secrets);
  const people = await services.port.read(({ reference }) => reference.people.list().map(({ id }) => id));
  const known = new Set(people);
  const path = dir === '' ? '' : join(dir, KEYRING_FILE);
  const keyring = await Keyring.open(keys, path, (person) => known.has(person));
  const lost = people.filter((person) => keyring.find(person) === null);
  if (lost.length > 0) {
    throw new Error(
      `${path} lacks the keys of ${lost.length} people: their data cannot be read. Put the keyring of this exchange back.`,
    );
  }
  const warn = (sentence: string): void => log.warn(sentence);
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
