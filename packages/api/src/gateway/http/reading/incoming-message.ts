/**
 * A request of our server: its body can be received in chunks, and its headers object is cloned from an earlier
 * request's.
 */

import { IncomingMessage } from 'node:http';
import { TakenMessage } from '../../../sockets/node-internals.ts';
import { shapedHeaders } from './header-shapes.ts';

export class HttpMessage extends TakenMessage {
  #shaped: IncomingMessage['headers'] | undefined;

  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get headers(): IncomingMessage['headers'] {
    return (this.#shaped ??=
      shapedHeaders(this.rawHeaders) ?? Reflect.get(IncomingMessage.prototype, 'headers', this));
  }

  override set headers(headers: IncomingMessage['headers']) {
    this.#shaped = headers;
  }

  /**
   * When a connection closes, Node emits an error with a stack trace for each request in flight. Nobody listens for
   * it, and a connection may have many.
   */
  override destroy(): this {
    return super.destroy();
  }
}
