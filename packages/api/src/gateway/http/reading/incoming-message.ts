/**
 * A request whose body may be taken piece by piece as it comes. Node makes a stream of every body, with its states,
 * events and turns of their own; ours are small and wanted whole, and the stream would cost more than to read them.
 * Code that does not ask for it gets the request as Node made it.
 */

import { IncomingMessage } from 'node:http';
import { shapedHeaders } from './header-shapes.ts';

/** Node calls this to discard an unread body after the answer. It can be overridden, but is missing in Node's types. */
interface Dumping {
  _dump(): void;
}

const { _dump: dumpUnread } = IncomingMessage.prototype as unknown as Dumping;

/** Who wants the pieces of a body: an object and no function, because a function would be made for each request. */
export interface BodyTaker {
  /** Null when the body is complete. */
  takePiece(chunk: Buffer | null): void;
}

export class HttpMessage extends IncomingMessage implements Dumping {
  private taker: BodyTaker | undefined;
  private isTaken = false;
  private shaped: IncomingMessage['headers'] | undefined;

  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get headers(): IncomingMessage['headers'] {
    return (this.shaped ??=
      shapedHeaders(this.rawHeaders) ?? Reflect.get(IncomingMessage.prototype, 'headers', this));
  }

  override set headers(headers: IncomingMessage['headers']) {
    this.shaped = headers;
  }

  /** From now on each piece goes there as soon as it is here. */
  takeBody(taker: BodyTaker): void {
    this.taker = taker;
  }

  /** Node asks for this after the answer, and releases the request when it is true. */
  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get readableEnded(): boolean {
    return this.isTaken || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
  }

  /** Node's parser hands over the body here, and null at its end. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.taker === undefined) return super.push(chunk, encoding);
    this.isTaken = chunk === null;
    this.taker.takePiece(chunk);
    // When the answer was sent before the body had arrived, Node waits for this event to release the request.
    if (chunk === null) this.emit('end');
    return true;
  }

  /**
   * Node gives each request that is under way when its connection ends an error of its own, and writes out the stack of
   * each. Nobody listens for it, and a connection may have many.
   */
  override destroy(): this {
    return super.destroy();
  }

  _dump(): void {
    if (this.taker === undefined) dumpUnread.call(this);
  }
}
