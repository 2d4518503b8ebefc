/**
 * Outbound frames (RFC 6455): text frames, complete and unmasked. They are built here, once
 * for all readers of a message, instead of once for each.
 */

const FINAL_TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
/** Lengths up to the first fit into the frame's second byte, up to the second into two more bytes. */
const SMALL_MAX = 125;
const MEDIUM_MAX = 0xffff;

const headerBytes = (length: number): number => (length <= SMALL_MAX ? 2 : length <= MEDIUM_MAX ? 4 : 10);

export function textFrame(text: string): Buffer {
  return textFrames([text]);
}

/** One frame per text, concatenated: everything that a reader gets in one write. */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths: number[] = [];
  let bytes = 0;
  for (let i = 0; i < texts.length; i++) {
    const length = Buffer.byteLength(texts[i]);
    lengths.push(length);
    bytes += headerBytes(length) + length;
  }
  const frames = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (let i = 0; i < texts.length; i++) at = writeFrame(frames, at, texts[i], lengths[i]);
  return frames;
}

function writeFrame(frames: Buffer, start: number, text: string, length: number): number {
  frames[start] = FINAL_TEXT;
  if (length <= SMALL_MAX) frames[start + 1] = length;
  else if (length <= MEDIUM_MAX) {
    frames[start + 1] = LENGTH_16;
    frames.writeUInt16BE(length, start + 2);
  } else {
    frames[start + 1] = LENGTH_64;
    frames.writeUInt32BE(0, start + 2);
    frames.writeUInt32BE(length, start + 6);
  }
  const at = start + headerBytes(length);
  // As many bytes as characters means ASCII, which is copied unchanged.
  if (length === text.length) frames.write(text, at, 'latin1');
  else frames.write(text, at);
  return at + length;
}
