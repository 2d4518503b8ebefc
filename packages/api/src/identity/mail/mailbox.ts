/** Where the mails of a sandbox without a mail server go: the latest, in memory. */

import type { Mail, MailSender } from './mail.ts';

const MAILS_MAX = 1000;

export class Mailbox implements MailSender {
  readonly #mails: Mail[] = [];

  send(mail: Mail): void {
    this.#mails.push(mail);
    if (this.#mails.length > MAILS_MAX) this.#mails.shift();
  }

  /** Newest first; `to` left out: everybody's. */
  list(to?: string): Mail[] {
    const wanted = to?.trim().toLowerCase();
    return this.#mails
      .filter((mail) => wanted === undefined || mail.to.toLowerCase() === wanted)
      .toReversed();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
