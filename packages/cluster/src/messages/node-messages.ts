/** Messages to one process: commands for the leader, and its replies. */

import type { Command } from '@bourse/core';
import {
  ByteSink,
  ByteSource,
  isUnavailableReason,
  LogTooNew,
  Malformed,
  readCommand,
  type Sender,
  type UnavailableReason,
  writeCommand,
} from '@bourse/engine';

export interface NumberedCommand {
  readonly id: number;
  readonly command: Command;
  /** As authenticated by the node that sent it. */
  readonly sender: Sender;
  /** By the monotonic clock of the holder: afterwards it must not enter a record. */
  readonly until: number;
}

export type NodeMessage =
  /** Batch `number` of those that `from` sends to the leader of term `term`, in whose clock the deadlines are. */
  | {
      readonly kind: 'commands';
      readonly from: string;
      readonly term: number;
      readonly number: number;
      readonly commands: readonly NumberedCommand[];
    }
  /** That batch of that term was received. */
  | { readonly kind: 'got'; readonly term: number; readonly number: number }
  /** The leader since record `term` did not accept these commands, and never will. */
  | {
      readonly kind: 'refused';
      readonly reason: UnavailableReason;
      readonly ids: readonly number[];
      readonly term: number;
    }
  /** Asks the node to take over now. */
  | { readonly kind: 'lead' };

const KINDS = ['commands', 'got', 'refused', 'lead'] as const;

const sink = new ByteSink();

export function writeNodeMessage(message: NodeMessage): Uint8Array {
  sink.at = 0;
  sink.byte(KINDS.indexOf(message.kind));
  switch (message.kind) {
    case 'commands':
      sink.text(message.from);
      sink.float64(message.term);
      sink.float64(message.number);
      sink.varint(message.commands.length);
      for (const { id, sender, until, command } of message.commands) {
        sink.float64(id);
        sink.float64(sender);
        sink.float64(until);
        writeCommand(sink, command);
      }
      break;
    case 'got':
      sink.float64(message.term);
      sink.float64(message.number);
      break;
    case 'refused':
      sink.text(message.reason);
      sink.varint(message.ids.length);
      for (const id of message.ids) sink.float64(id);
      sink.float64(message.term);
      break;
    case 'lead':
  }
  return Uint8Array.prototype.slice.call(sink.bytes, 0, sink.at);
}

/** null: it is damaged, or of a kind that only newer versions know. */
export function readNodeMessage(bytes: Uint8Array): NodeMessage | null {
  try {
    return read(new ByteSource(bytes));
  } catch (error) {
    if (error instanceof Malformed || error instanceof LogTooNew) return null;
    throw error;
  }
}

function read(source: ByteSource): NodeMessage | null {
  const kind = KINDS[source.byte()];
  switch (kind) {
    case 'commands': {
      const [from, term, number] = [source.text(), source.float64(), source.float64()];
      const commands = Array.from({ length: source.count() }, () => ({
        id: source.float64(),
        sender: source.float64(),
        until: source.float64(),
        command: readCommand(source),
      }));
      return { kind, from, term, number, commands };
    }
    case 'got':
      return { kind, term: source.float64(), number: source.float64() };
    case 'refused': {
      const reason = reasonOf(source.text());
      const ids = Array.from({ length: source.count() }, () => source.float64());
      return { kind, reason, ids, term: source.float64() };
    }
    case 'lead':
      return { kind };
    default:
      return null;
  }
}

/** Newer versions may have unknown reasons; in any case the command was not accepted. */
const reasonOf = (text: string): UnavailableReason => (isUnavailableReason(text) ? text : 'queue-full');
