/**
 * The stream that a cluster's log is in, as its servers offer it: numbered messages, appended only behind the message
 * that the writer names. That is the fence: of all who append behind the same message, one is let in.
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
 * `refused`: another message stands there, or may yet. `full`: there is no room. `unknown`: no answer came, and the
 * message may be there, may come to be there later, or never.
 */
export type AppendResult = 'appended' | 'refused' | 'full' | 'unknown';

export interface StreamBounds {
  /** Of the oldest message that is there; `last + 1` when there is none. */
  readonly first: number;
  /** 0 when nothing was ever appended. */
  readonly last: number;
}

export interface RecordStream {
  readonly messageBytesMax: number;
  bounds(): Promise<StreamBounds>;
  /**
   * The last message of the stream, as a server says that a majority follows, so nothing was appended elsewhere. null when
   * none says so.
   */
  end(): Promise<number | null>;
  /** Never rejects: what is not known is `unknown`. */
  append(kind: MessageKind, bytes: Uint8Array, after: number): Promise<AppendResult>;
  /**
   * Some messages in order, the first of which is the oldest from `from` on; none when whoever was asked has none, which
   * may be a server that is behind. Rejects when nobody answers.
   */
  read(from: number): Promise<readonly StreamMessage[]>;
  /** The first message of this kind from `from` on, or null. Rejects when nobody answers. */
  find(kind: MessageKind, from: number): Promise<StreamMessage | null>;
  removeBelow(at: number): Promise<void>;
  /** Connects to another server: this one may be cut off from the others, and does not notice. */
  leaveServer(): void;
  close(): Promise<void>;
}
