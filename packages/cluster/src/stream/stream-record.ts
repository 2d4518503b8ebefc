/** Decodes a record from its stream message. Throws LogDamaged if the message does not contain it. */

import { chainHash, isHashAt, LogDamaged, Malformed } from '@bourse/engine';
import { type RecordMessage, readRecordMessage } from './record-message.ts';
import type { StreamMessage } from './record-stream.ts';

/** The record `seq`; `before`: the previous one, if it was read too. */
export function decodeFollowing(
  message: StreamMessage,
  seq: number,
  before: Pick<RecordMessage, 'hash'> | null,
): RecordMessage {
  return decode(message, `record ${seq}`, (found) => {
    if (found.record.seq !== seq) throw new Malformed(`it says that it is record ${found.record.seq}`);
    const { hash, hashed } = found;
    if (before && !isHashAt(hash, 0, chainHash(Buffer.concat([before.hash, hashed])))) {
      throw new Malformed('it does not match its hash');
    }
  });
}

/** Any record. */
export function decodeAny(message: StreamMessage): RecordMessage {
  return decode(message, 'a record', () => undefined);
}

/** `check` throws Malformed. */
function decode(
  { at, kind, bytes }: StreamMessage,
  expected: string,
  check: (found: RecordMessage) => void,
): RecordMessage {
  try {
    if (kind !== 'record') throw new Malformed('it is not a record');
    const found = readRecordMessage(bytes);
    check(found);
    return found;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new LogDamaged(
      `Message ${at} of the stream should be ${expected}, but ${error.message}: something else writes to this stream, ` +
        'or a server has damaged it. Nothing was changed; restore the stream from a copy.',
    );
  }
}
