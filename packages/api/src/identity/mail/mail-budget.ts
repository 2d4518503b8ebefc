/** How many mails strangers may have sent to one address: signing up and resetting need no session. In memory, bounded. */

const MAILS_MAX = 10;
const WINDOW_MS = 60 * 60_000;
const ADDRESSES_MAX = 100_000;

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
