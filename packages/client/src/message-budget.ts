/**
 * Keeps the messages of a connection below the server's rate limit, so that none is rejected and the connection is not
 * closed.
 */

/** The server allows 100 in 10 seconds; the rest is for pings. */
const MESSAGES_MAX = 90;
/** A second longer than the server's window, because messages do not all take equally long to arrive. */
const WINDOW_MS = 11_000;

export class MessageBudget {
  readonly #onRefund: () => void;
  readonly #spent = new Set<ReturnType<typeof setTimeout>>();

  /** `onRefund` is called whenever a message may be sent again. */
  constructor(onRefund: () => void) {
    this.#onRefund = onRefund;
  }

  /** Whether a message may be sent now. Counts it if so. */
  spend(): boolean {
    if (this.#spent.size >= MESSAGES_MAX) return false;
    const timer = setTimeout(() => {
      this.#spent.delete(timer);
      this.#onRefund();
    }, WINDOW_MS);
    this.#spent.add(timer);
    return true;
  }

  /** For a new connection, which the server counts anew. Also ends all timers. */
  reset(): void {
    for (const timer of this.#spent) clearTimeout(timer);
    this.#spent.clear();
  }
}
