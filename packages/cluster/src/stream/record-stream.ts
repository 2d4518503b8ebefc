/**
 * The stream with a cluster's log, as its servers offer it: numbered messages, appended only after the message that the
 * writer names. That is the fence: of all appends after the same message, one is accepted.
 */

/** `aside`: says that the record before it does not count. */
export type MessageKind = 'record' | 'aside';

export interface StreamMessage {
  /** Its number in the stream, from 1 on, without gaps. */
  readonly at: number;
  readonly kind: MessageKind;
  readonly bytes: Uint8Array;
}

/**
 * `refused`: another message is there, or may yet be. `full`: there is no space. `unknown`: there was no reply, and the
 * message may be there now, later, or never.
 */
export type AppendResult = 'appended' | 'refused' | 'full' | 'unknown';

export interface StreamBounds {
  /** The oldest existing message; `last + 1` if there is none. */
  readonly first: number;
  /** 0 if nothing was ever appended. */
  readonly last: number;
}

export interface RecordStream {
  readonly messageBytesMax: number;
  bounds(): Promise<StreamBounds>;
  /** The last message, from a server that a majority follows, so nothing was appended elsewhere; null if there is no such server. */
  end(): Promise<number | null>;
  /** Never rejects: an unknown result is `unknown`. */
  append(kind: MessageKind, bytes: Uint8Array, after: number): Promise<AppendResult>;
  /**
   * Some messages in order, starting with the oldest from `from` on; none if the asked server has none, which may be behind.
   * Rejects if nobody replies.
   */
  read(from: number): Promise<readonly StreamMessage[]>;
  /** The first message of this kind from `from` on, or null. Rejects if nobody replies. */
  find(kind: MessageKind, from: number): Promise<StreamMessage | null>;
  removeBelow(at: number): Promise<void>;
  /** Connects to another server: this one may be partitioned from the others without noticing. */
  leaveServer(): void;
  close(): Promise<void>;
}
