/**
 * Long lists, most of them of history, read and rendered in pieces on the live thread. Each event loop iteration
 * processes one piece of all pending lists, and users take turns: nobody waits for more than a piece, however many lists
 * are pending, and a user who requests many lists delays only their own.
 */

import { type Clock, type Page, Unavailable } from '@bourse/engine';

/** About three milliseconds of work. */
const PIECE_ROWS = 50;
/** Pending lists per user; each keeps its partial result. */
const WAITING_MAX = 16;

export interface LongList<Row, Shown> {
  readonly user: number;
  readonly page: Page;
  /** Rows in a piece, for lists whose rows take less time than those of history. */
  readonly pieceRows?: number;
  read(page: Page): readonly Row[] | Promise<readonly Row[]>;
  show(rows: readonly Row[]): readonly Shown[] | Promise<readonly Shown[]>;
}

export class LongLists {
  readonly #clock: Clock;
  /** Pending lists by user; the user whose turn is next comes first. */
  readonly #waiting = new Map<number, (() => void)[]>();
  #isRunning = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects with Unavailable if the user has too many pending. */
  async collect<Row extends { readonly id: number }, Shown>(list: LongList<Row, Shown>): Promise<Shown[]> {
    const { user, page, pieceRows = PIECE_ROWS, read, show } = list;
    if ((this.#waiting.get(user)?.length ?? 0) >= WAITING_MAX) {
      throw new Unavailable('queue-full', 'too many of your lists wait: try again when they have come');
    }
    const shown: Shown[] = [];
    let next = page;
    for (let left = page.limit; left > 0; ) {
      await this.#turn(user);
      try {
        const limit = Math.min(pieceRows, left);
        const rows = await read({ ...next, limit });
        shown.push(...(await show(rows)));
        left = rows.length < limit ? 0 : left - limit;
        if (left > 0) next = { ...page, after: rows[limit - 1].id, skip: 0 };
      } finally {
        this.#clock.soon(this.#next);
      }
    }
    return shown;
  }

  #turn(user: number): Promise<void> {
    return new Promise((resolve) => {
      const mine = this.#waiting.get(user);
      if (mine) mine.push(resolve);
      else this.#waiting.set(user, [resolve]);
      if (this.#isRunning) return;
      this.#isRunning = true;
      this.#clock.soon(this.#next);
    });
  }

  readonly #next = (): void => {
    const [first] = this.#waiting;
    this.#isRunning = first !== undefined;
    if (!first) return;
    const [user, turns] = first;
    const resolve = turns.shift()!;
    this.#waiting.delete(user);
    if (turns.length > 0) this.#waiting.set(user, turns);
    resolve();
  };
}
