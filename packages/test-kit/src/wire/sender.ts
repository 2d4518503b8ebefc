/**
 * Sends requests that may be wrong in any way, and gets an answer to each: over a connection that is kept and made anew
 * when the server closes it, or over one of its own where the request may spoil what follows it.
 */

import { type Answer, type Answered, Pipe } from './pipe.ts';

/** After that a request is no longer waited for but ended, and what comes then is its answer. */
const PATIENCE_MS = 300;
/** Where a request that was ended has neither an answer nor an end by then, it never will. */
const HUNG_MS = 60_000;

export class Sender {
  readonly #port: number;
  #pipe: Promise<Pipe> | undefined;
  /** Answers without a request. */
  readonly strays: Answer[] = [];
  /** Requests of their own connection that got neither an answer nor an end. */
  hung = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Null only where a connection of its own gives no answer. */
  async ask(bytes: Buffer, isAlone: boolean): Promise<Answered> {
    if (!isAlone) {
      const pipe = await this.#open();
      const asked = pipe.ask(bytes);
      const timer = setTimeout(() => pipe.finish(), PATIENCE_MS);
      const answer = await asked;
      clearTimeout(timer);
      if (answer !== null) return answer;
    }
    const pipe = await Pipe.open(this.#port);
    const asked = pipe.ask(bytes);
    pipe.finish();
    const timer = setTimeout(() => {
      this.hung++;
      pipe.cut();
    }, HUNG_MS);
    const answer = await asked;
    clearTimeout(timer);
    this.#drop(pipe);
    return answer;
  }

  /** Several may ask at once, and get the same one. */
  async #open(): Promise<Pipe> {
    for (;;) {
      const opening = (this.#pipe ??= Pipe.open(this.#port));
      const pipe = await opening;
      if (!pipe.isClosed && !pipe.isEnding) return pipe;
      if (this.#pipe === opening) {
        this.#drop(pipe);
        this.#pipe = undefined;
      }
    }
  }

  #drop(pipe: Pipe): void {
    this.strays.push(...pipe.strays);
    pipe.cut();
  }

  async close(): Promise<void> {
    if (this.#pipe) this.#drop(await this.#pipe);
  }
}
