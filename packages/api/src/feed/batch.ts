/**
 * The messages of one channel from one event loop iteration, and their frames, which are built once for all readers
 * that get the same bytes.
 */

import { textFrames } from '../sockets/frames.ts';

export class Batch {
  readonly bytes: number;
  readonly #texts: readonly string[];
  #plain: Buffer | undefined;
  #tunnelled: Map<string, Buffer> | undefined;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    let bytes = 0;
    for (const text of texts) bytes += Buffer.byteLength(text);
    this.bytes = bytes;
  }

  /** '' for no tunnel. */
  framesIn(tunnel: string): Buffer {
    if (tunnel === '') return (this.#plain ??= textFrames(this.#texts));
    this.#tunnelled ??= new Map();
    let frames = this.#tunnelled.get(tunnel);
    if (frames === undefined) {
      frames = textFrames(this.#texts.map((text) => inTunnel(text, tunnel)));
      this.#tunnelled.set(tunnel, frames);
    }
    return frames;
  }
}

/** A message as sent through a tunnel; tunnel names need no escaping. */
function inTunnel(text: string, tunnel: string): string {
  return `{"tunnelId":"${tunnel}",${text.slice(1)}`;
}
