/** A mail, what delivers it, and how many one address may get. */

export interface Mail {
  /** Unique, for ever the same for one mail: a second copy can be recognised by it. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Exchange time, milliseconds. */
  readonly time: number;
  readonly links: readonly string[];
}

export interface MailSender {
  /** Takes it; it is delivered some time later. */
  send(mail: Mail): void;
  close(): Promise<void>;
}

const KEPT_MAX = 1000;

/** Where the mails of a sandbox without a mail server go: the latest, in memory. */
export class Mailbox implements MailSender {
  readonly #mails: Mail[] = [];

  send(mail: Mail): void {
    this.#mails.push(mail);
    if (this.#mails.length > KEPT_MAX) this.#mails.shift();
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

const MAILS_MAX = 10;
const WINDOW_MS = 60 * 60_000;
const ADDRESSES_MAX = 100_000;

/** How many mails strangers may have sent to one address: signing up and resetting need no session. In memory, bounded. */
export class MailBudget {
  readonly #windows = new Map<string, { since: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether another mail may go there. `login` is the keyed hash of the address. */
  take(login: string): boolean {
    const now = this.#now();
    let window = this.#windows.get(login);
    if (!window || now - window.since >= WINDOW_MS) {
      window = { since: now, count: 0 };
      this.#windows.delete(login);
      this.#windows.set(login, window);
      const [oldest] = this.#windows.keys();
      if (this.#windows.size > ADDRESSES_MAX && oldest !== undefined) this.#windows.delete(oldest);
    }
    window.count++;
    return window.count <= MAILS_MAX;
  }
}
