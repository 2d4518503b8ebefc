/**
 * A request whose body may be taken piece by piece as it comes. Node makes a stream of every body, with its states,
 * events and turns of their own; ours are small and wanted whole, and the stream would cost more than to read them.
 * Whoever does not ask for that finds the request that Node made.
 */

import { IncomingMessage } from 'node:http';

/** What Node does with a body that nobody has read when the answer is out. Not declared, though open to overriding. */
interface Dumping {
  _dump(): void;
}

const { _dump: dumpUnread } = IncomingMessage.prototype as unknown as Dumping;

export class HttpMessage extends IncomingMessage implements Dumping {
  private taker: ((chunk: Buffer | null) => void) | undefined;
  private isTaken = false;

  /** From now on each piece goes to `taker` as soon as it is here, and null when the body is complete. */
  takeBody(taker: (chunk: Buffer | null) => void): void {
    this.taker = taker;
  }

  /** Asked for by Node when the answer is out: a request that has ended is let go. */
  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get readableEnded(): boolean {
    return this.isTaken || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
  }

  /** Node's parser hands over the body here, and null at its end. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.taker === undefined) return super.push(chunk, encoding);
    this.isTaken = chunk === null;
    this.taker(chunk);
    // Where the answer was out before the body was in, Node waits for this to let go of the request.
    if (chunk === null) this.emit('end');
    return true;
  }

  _dump(): void {
    if (this.taker === undefined) dumpUnread.call(this);
  }
}
