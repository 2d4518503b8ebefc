/** Counts what a run of worlds did, so that a run that did nothing does not look like one that found nothing. */

const NAMES = [
  'worlds',
  'records',
  'ticks',
  'commands',
  'answered',
  'rejected without a record',
  'outcomes that are rejections',
  'orders left unfinished',
  'commands that wait for an unfinished order',
  'refused: disk full',
  'refused: queue full',
  'refused: history behind',
  'refused: stopped',
  'not answered, survived',
  'not answered, lost',
  'sent again',
  'sent again, had its effect before',
  'reads',
  'reads while the disk is full',
  'reads refused',
  'look-ups: active',
  'look-ups: done, in memory',
  'look-ups: in history',
  'power losses',
  'kills',
  'kills while starting or closing',
  'clean ends',
  'starts',
  'starts that failed',
  'starts from a snapshot',
  'starts on a torn tail',
  'starts past a damaged snapshot',
  'failed syncs of the log',
  'failed syncs elsewhere',
  'writes and syncs that failed',
  'writes without room',
  'changes lost',
  'history without room',
  'history failed',
  'disk full',
  'disk freed',
  'snapshots',
  'records removed with old segments',
  'wall clock set back',
  'wall clock set forward',
  'history rows compared',
  'states compared',
  'replays compared',
] as const;

export type Count = (typeof NAMES)[number];

export class Tally {
  readonly #counts = new Map<Count, number>(NAMES.map((name) => [name, 0]));

  add(name: Count, count = 1): void {
    this.#counts.set(name, this.get(name) + count);
  }

  get(name: Count): number {
    return this.#counts.get(name) ?? 0;
  }

  addAll(other: Tally): void {
    for (const name of NAMES) this.add(name, other.get(name));
  }

  /** Kinds of events that never occurred. */
  zeros(): Count[] {
    return NAMES.filter((name) => this.get(name) === 0);
  }

  table(): string {
    return NAMES.map((name) => `${name.padEnd(44)} ${String(this.get(name)).padStart(12)}`).join('\n');
  }
}
