/** What may wait for the sequencer, and what one record may hold. */

export interface SequencerLimits {
  /** Commands, and their bytes, that may wait. */
  readonly queueMax: number;
  readonly queueBytesMax: number;
  /** Commands, and their bytes, in one record. */
  readonly recordMax: number;
  readonly recordBytesMax: number;
  /** Reads that may wait for a record to be durable. */
  readonly readsMax: number;
  /** Ended orders that may wait for history. */
  readonly doneMax: number;
}

export const DEFAULT_LIMITS: SequencerLimits = {
  queueMax: 65_536,
  queueBytesMax: 64 << 20,
  recordMax: 1024,
  recordBytesMax: 1 << 20,
  readsMax: 65_536,
  doneMax: 1_000_000,
};
