/**
 * Shares traffic about people that is not in the log: used sessions, failed sign-ins, and sent mails. Each node reports
 * it to the others four times a second, so a session used at one node does not expire at another, and the limits on
 * guesses and mails apply across nodes. A lost message only delays this.
 */

import type { Clock } from '@bourse/engine';
import { type Bus, SUBJECTS } from './messages/bus.ts';
import { isText, parseMessage } from './messages/parse-message.ts';

/** `used` and a session id; rows of other kinds are forwarded unchanged. */
export type TrafficRow = readonly [kind: string, ...texts: string[]];

/** Traffic at this node. */
export interface Traffic {
  onRow(listener: (row: TrafficRow) => void): void;
  /** Applies a row from another node. */
  noteRow(row: TrafficRow): void;
}

const EVERY_MS = 250;
/** Per message. */
const ROWS_MAX = 1000;
/** Unreported rows; further ones are dropped. */
const UNTOLD_MAX = 100_000;

interface TrafficMessage {
  readonly run: string;
  readonly rows: readonly TrafficRow[];
}

const isTrafficMessage = ({ run, rows }: Record<keyof TrafficMessage, unknown>): boolean =>
  isText(run) &&
  Array.isArray(rows) &&
  rows.every((row) => Array.isArray(row) && row.length > 1 && row.every(isText));

export class SharedTraffic {
  readonly #bus: Bus;
  readonly #run: string;
  readonly #clock: Clock;
  readonly #used = new Set<string>();
  readonly #rows: TrafficRow[] = [];
  readonly #unsubscribe: () => void;
  #cancel: (() => void) | undefined;

  constructor(traffic: Traffic, bus: Bus, run: string, clock: Clock) {
    this.#bus = bus;
    this.#run = run;
    this.#clock = clock.machine;
    traffic.onRow((row) => this.#add(row));
    this.#unsubscribe = bus.subscribe(SUBJECTS.people, (bytes) => {
      const message = parseMessage<TrafficMessage>(bytes, isTrafficMessage);
      if (message === null || message.run === run) return;
      for (const row of message.rows) traffic.noteRow(row);
    });
  }

  close(): void {
    this.#cancel?.();
    this.#unsubscribe();
  }

  #add(row: TrafficRow): void {
    // Deduplicate: a session is used many times between two reports.
    if (row[0] === 'used') this.#used.add(row[1] ?? '');
    else if (this.#rows.length < UNTOLD_MAX) this.#rows.push(row);
    this.#cancel ??= this.#clock.after(EVERY_MS, () => this.#publish());
  }

  #publish(): void {
    this.#cancel = undefined;
    const rows = [...this.#rows.splice(0), ...Array.from(this.#used, (id) => ['used', id] as const)];
    this.#used.clear();
    for (let at = 0; at < rows.length; at += ROWS_MAX) {
      const message: TrafficMessage = { run: this.#run, rows: rows.slice(at, at + ROWS_MAX) };
      this.#bus.publish(SUBJECTS.people, Buffer.from(JSON.stringify(message)));
    }
  }
}
