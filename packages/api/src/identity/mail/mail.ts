/** Mails, their senders, and the limit per address. */

export interface Mail {
  /** Unique and stable, so that a duplicate can be recognised. */
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
  /** Enqueues it; delivery is asynchronous. */
  send(mail: Mail): void;
  close(): Promise<void>;
}

const KEPT_MAX = 1000;

/** The latest mails of a sandbox without a mail server, in memory. */
export class Mailbox implements MailSender {
  readonly #mails: Mail[] = [];

  send(mail: Mail): void {
    this.#mails.push(mail);
    if (this.#mails.length > KEPT_MAX) this.#mails.shift();
  }

  /** Newest first; without `to`, everybody's. */
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

/**
 * Limits the mails to one address that strangers can trigger by signing up or resetting a password, which need no
 * session. In memory and bounded. Nodes of a cluster report sent mails to each other.
 */
export class MailBudget {
  readonly #windows = new Map<string, { since: number; count: number }>();
  readonly #now: () => number;
  #onTaken: (login: string) => void = () => undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether another mail may go there. `login` is the keyed hash of the address. */
  take(login: string): boolean {
    if (this.#windowOf(login).count >= MAILS_MAX) return false;
    this.note(login);
    this.#onTaken(login);
    return true;
  }

  /** Counts a mail that another node has sent. */
  note(login: string): void {
    this.#windowOf(login).count++;
  }

  /** Called for each mail that may be sent. */
  onTaken(listener: (login: string) => void): void {
    this.#onTaken = listener;
  }

  #windowOf(login: string): { since: number; count: number } {
    const now = this.#now();
    const window = this.#windows.get(login);
    if (window && now - window.since < WINDOW_MS) return window;
    const next = { since: now, count: 0 };
    this.#windows.delete(login);
    this.#windows.set(login, next);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > ADDRESSES_MAX && oldest !== undefined) this.#windows.delete(oldest);
    return next;
  }
}
