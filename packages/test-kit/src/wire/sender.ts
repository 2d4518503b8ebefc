/**
 * Sends requests that may be invalid in any way, and returns the response to each: over a connection that is reopened
 * when the server closes it, or over a separate one if the request may spoil later ones.
 */

import { type Answer, type Answered, Pipe } from './pipe.ts';

/** After this time a request is half-closed, and the next response belongs to it. */
const PATIENCE_MS = 300;
/** A half-closed request without a response or an end by then hangs. */
const HUNG_MS = 60_000;

export class Sender {
  readonly #port: number;
  #pipe: Promise<Pipe> | undefined;
  /** Answers without a request. */
  readonly strays: Answer[] = [];
  /** Requests on a separate connection that got neither a response nor an end. */
  hung = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Null only if a separate connection gives no response. */
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

  /** Concurrent calls get the same connection. */
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
