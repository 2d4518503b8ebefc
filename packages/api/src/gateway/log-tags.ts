/**
 * Generates names that are unique in the log: the sequence of its last record, and a counter. A name enters the log
 * after that record, so no earlier record can contain it, even after a restart. Random numbers are avoided, so that
 * the same requests give the same log. Nodes of a cluster have the same last record, so there each process adds a
 * random prefix.
 */

import { randomBytes } from 'node:crypto';

const PROCESS_BYTES = 4;

export class LogTags {
  #seq = -1;
  #count = 0;
  readonly #process: string;

  constructor(isOneOfSeveral = false) {
    this.#process = isOneOfSeveral ? `${randomBytes(PROCESS_BYTES).toString('hex')}-` : '';
  }

  /** `seq`: of the last record. Digits and lower-case letters, at most 24, or 33 with the process prefix. */
  next(seq: number): string {
    this.#count = seq === this.#seq ? this.#count + 1 : 0;
    this.#seq = seq;
    return `${this.#process}${seq.toString(36)}-${this.#count.toString(36)}`;
  }
}
