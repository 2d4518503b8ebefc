/**
 * Names for what goes into the log, each unlike any that is there: where the log stands, and how many were given since.
 * What has such a name comes later in the log, so nothing in it has the same, also after a restart. Nothing is drawn:
 * the same requests give the same log.
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
