/** A request of our server: its body may be taken piece by piece, and its headers are made after an earlier request's. */

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
   * Node gives each request in flight an error of its own when its connection ends, and writes out the stack of each.
   * Nobody listens for it, and a connection may have many.
   */
  override destroy(): this {
    return super.destroy();
  }
}
