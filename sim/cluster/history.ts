/** The calls of a world's clients with their responses, and whether one order of commands explains them. */

import { Exchange, type LogRecord, type Outcome } from '@bourse/core';
import { ANSWER_MS } from '../../packages/cluster/src/deadlines.ts';
import {
  readRecordMessage,
  RecordMac,
  type StreamMessage,
} from '../../packages/cluster/src/stream/record-stream.ts';
import type { Network } from './network.ts';
import { Unavailable } from '../../packages/engine/src/exchange-port.ts';
import { SIM_KEYS } from './sim-node.ts';

/** One command of a client; its name is unique. */
export interface Call {
  readonly name: string;
  readonly sentAt: number;
  endedAt: number;
  seq: number;
  outcome: Outcome | null;
  refused: Error | null;
}

interface Place {
  readonly seq: number;
  /** When its record was appended to the stream. */
  readonly at: number;
  /** When the append was sent to the servers. */
  readonly sentAt: number;
  readonly position: number;
  readonly outcome: Outcome;
}

/** Errors that leave open whether the command was executed. */
const UNKNOWN: readonly string[] = ['unanswered', 'stopped'];

const mac = new RecordMac(SIM_KEYS.records);

/** null if no node wrote it. */
function recordOf(message: StreamMessage): LogRecord | null {
  const opened = mac.open(message);
  return opened?.kind === 'record' ? readRecordMessage(opened.bytes).record : null;
}

export const lastSeqOf = (messages: readonly StreamMessage[]): number =>
  recordOf(messages.findLast((message) => recordOf(message) !== null)!)!.seq;

/** The log, applied by a separate exchange. */
export class Replay {
  readonly exchange = new Exchange();
  readonly places = new Map<string, Place>();
  readonly faults: string[] = [];
  readonly rules: number[] = [];

  constructor({ messages, appendedAt, sentAt }: Pick<Network, 'messages' | 'appendedAt' | 'sentAt'>) {
    let position = 0;
    for (const [index, message] of messages.entries()) {
      const record = recordOf(message);
      if (record === null) continue;
      const outcomes = this.exchange.apply(record).outcomes.decode();
      this.rules.push(record.rules ?? 1);
      for (const [i, command] of record.commands.entries()) {
        position++;
        if (command.kind !== 'add-user') continue;
        if (this.places.has(command.name)) this.faults.push(`${command.name} is in the log twice`);
        else {
          const when = { at: appendedAt[index], sentAt: sentAt[index] };
          this.places.set(command.name, { seq: record.seq, ...when, position, outcome: outcomes[i] });
        }
      }
    }
  }
}

export function checkCalls(calls: readonly Call[], replay: Replay): string[] {
  const faults = [...replay.faults];
  for (const { name, seq, outcome, refused } of calls) {
    const place = replay.places.get(name);
    if (outcome !== null && place === undefined) faults.push(`${name} was answered and is not in the log`);
    if (outcome !== null && place !== undefined) {
      if (place.seq !== seq) faults.push(`${name} was answered with record ${seq}, and is in ${place.seq}`);
      if (JSON.stringify(place.outcome) !== JSON.stringify(outcome))
        faults.push(`${name} got another outcome`);
    }
    const isKnown = refused instanceof Unavailable && !UNKNOWN.includes(refused.reason);
    if (isKnown && place !== undefined) faults.push(`${name} was refused for good and is in the log`);
  }
  return [...faults, ...checkOrder(calls, replay)];
}

/** Commands that entered the log after their caller got any error. */
export function lateOf(calls: readonly Call[], { places }: Replay): string[] {
  return calls
    .filter(({ name, refused, endedAt }) => refused !== null && (places.get(name)?.at ?? 0) > endedAt)
    .map(({ name, endedAt }) => `${name} was refused at ${endedAt} and done at ${places.get(name)!.at}`);
}

/**
 * Commands in the log that a node sent after their deadline, whatever response their caller got, or after their
 * caller got an error. A node that stops does not know the result of its earlier commands.
 */
export function sentLateOf(calls: readonly Call[], { places }: Replay): string[] {
  return calls
    .map(({ name, sentAt, refused, endedAt }) => {
      const isRefused = refused instanceof Unavailable && refused.reason !== 'stopped';
      const until = isRefused ? Math.min(endedAt, sentAt + ANSWER_MS) : sentAt + ANSWER_MS;
      const at = places.get(name)?.sentAt ?? 0;
      return at > until ? `${name} was sent to the log at ${at}, and its deadline was ${until}` : null;
    })
    .filter((each) => each !== null);
}

/** If a command was acknowledged before another was sent, it must precede it in the log. */
function checkOrder(calls: readonly Call[], { places }: Replay): string[] {
  const answered = calls
    .filter(({ outcome, name }) => outcome !== null && places.has(name))
    .toSorted((a, b) => places.get(a.name)!.position - places.get(b.name)!.position);
  let latest: Call | null = null;
  for (const call of answered) {
    if (latest !== null && call.endedAt < latest.sentAt) {
      return [`${call.name} was answered before ${latest.name} was sent, and stands behind it`];
    }
    if (latest === null || call.sentAt > latest.sentAt) latest = call;
  }
  return [];
}
