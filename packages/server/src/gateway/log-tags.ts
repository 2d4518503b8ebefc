/**
 * Makes names that are unique in the log: the sequence of its last record, and a count since then. A name enters the
 * log after that record, so no earlier record can contain it, also not after a restart. No random numbers are used, so
 * that the same requests give the same log.
 */

export class LogTags {
  private seq = -1;
  private count = 0;

  /** `seq`: of the last record. Digits and small letters, at most 24. */
  next(seq: number): string {
    this.count = seq === this.seq ? this.count + 1 : 0;
    this.seq = seq;
    return `${seq.toString(36)}-${this.count.toString(36)}`;
  }
}
