/**
 * When an answer came, for callers that are told one after the other. Asking the machine takes a tenth of what a whole
 * command does, so that the time is good for the next few answers of the same record, a few microseconds.
 */

const ANSWERS = 16;

export class AnswerClock {
  #now = 0;
  #seq = 0;
  #left = 0;

  /** `seq`: of the record that is answered. */
  at(seq: number): number {
    if (seq !== this.#seq || this.#left === 0) {
      this.#now = performance.now();
      this.#seq = seq;
      this.#left = ANSWERS;
    }
    this.#left--;
    return this.#now;
  }
}
