/** Websocket frames from a careless or hostile client. */

import type { Random } from '@bourse/test-kit/random.ts';

export const TEXT = 1;
const [CONTINUATION, BINARY, CLOSE, PING, PONG] = [0, 2, 8, 9, 10];
const FINAL = 0x80;
const MASKED = 0x80;
const CODES = [1000, 1001, 1002, 1005, 1006, 1012, 3000, 4999, 0, 65_535];

interface Wrong {
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  /** The length in the header. */
  readonly length?: bigint;
  readonly reserved?: number;
}

export function frame(kind: number, payload: Buffer, wrong: Wrong = {}): Buffer {
  const { isFinal = true, isMasked = true, length = BigInt(payload.length), reserved = 0 } = wrong;
  const first = (isFinal ? FINAL : 0) | (reserved << 4) | kind;
  const mask = isMasked ? MASKED : 0;
  const head =
    length < 126n
      ? Buffer.from([first, mask | Number(length)])
      : length <= 0xffffn
        ? Buffer.from([first, mask | 126, Number(length >> 8n), Number(length & 0xffn)])
        : Buffer.concat([Buffer.from([first, mask | 127]), bigEndian(length)]);
  // An all-zero mask keeps the payload readable in a report.
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

function bigEndian(length: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(length);
  return bytes;
}

/** One message as frames, valid or invalid in one of many ways. */
export function frames(random: Random, message: Buffer): Buffer {
  switch (random.below(12)) {
    case 0:
      return fragments(random, message);
    case 1:
      return frame(TEXT, message, { isMasked: false });
    case 2:
      return frame(random.pick([PING, PONG]), message.subarray(0, random.below(126)));
    case 3:
      return frame(random.pick([PING, CLOSE]), message, { isFinal: random.chance(0.5) });
    case 4:
      return frame(CLOSE, closing(random));
    case 5: {
      const length = random.pick([0x7fffffffffffffffn, 1n << 63n, 1n << 32n, 0x10000n, 65_535n, 127n]);
      return frame(TEXT, message, { length });
    }
    case 6:
      return frame(TEXT, message, { reserved: random.range(1, 7) });
    case 7:
      return frame(random.pick([BINARY, CONTINUATION, 3, 7, 11, 15]), message);
    case 8:
      return Buffer.concat(Array.from({ length: random.below(30) }, () => frame(PING, Buffer.alloc(0))));
    default:
      return frame(TEXT, message);
  }
}

function closing(random: Random): Buffer {
  const code = Buffer.alloc(2);
  code.writeUInt16BE(random.pick(CODES));
  return random.pick([
    Buffer.alloc(0),
    Buffer.alloc(1),
    code,
    Buffer.concat([code, Buffer.from('\xff\xfe')]),
  ]);
}

/** Fragments interleaved with control frames, sometimes without an end or a beginning. */
function fragments(random: Random, message: Buffer): Buffer {
  const at = random.below(message.length + 1);
  const isLast = random.chance(0.8);
  return Buffer.concat([
    random.chance(0.9) ? frame(TEXT, message.subarray(0, at), { isFinal: false }) : Buffer.alloc(0),
    random.chance(0.5) ? frame(PING, Buffer.from('between')) : Buffer.alloc(0),
    frame(random.chance(0.9) ? CONTINUATION : TEXT, message.subarray(at), { isFinal: isLast }),
  ]);
}
