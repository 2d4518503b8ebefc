/**
 * Observers of a sandbox: pending requests and websockets. While there is one, every record waits for the disk before
 * it is published; when the first arrives, all lazy records are made durable. So nobody observes a record that a
 * power failure could undo.
 */

import type { IncomingMessage } from 'node:http';
import { type HttpServing, pathOf } from '@bourse/api';
import { ADVANCE_PATHS } from './control/world-routes.ts';
import { SANDBOX_MOUNT } from './control/call-fields.ts';

export class Witnesses {
  #count = 0;
  readonly #secure: () => void;

  constructor(secure: () => void) {
    this.#secure = secure;
  }

  get count(): number {
    return this.#count;
  }

  /** Counts every request before it is served. */
  before(serving: HttpServing): HttpServing {
    return {
      handle: (request, response) => {
        if (!isAdvance(request)) this.#observe((left) => response.once('close', left));
        serving.handle(request, response);
      },
      refuseLast: (request, response) => serving.refuseLast(request, response),
      answerUnreadable: (refusal, socket) => serving.answerUnreadable(refusal, socket),
      wantsUpgrade: (request) => serving.wantsUpgrade(request),
      upgrade: (request, socket, head) => {
        this.#observe((left) => socket.once('close', left));
        serving.upgrade(request, socket, head);
      },
    };
  }

  #observe(onLeft: (left: () => void) => void): void {
    this.#count += 1;
    this.#secure();
    onLeft(() => {
      this.#count -= 1;
    });
  }
}

/** It responds only when everything is durable, so it observes nothing earlier. */
const isAdvance = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && ADVANCES.has(pathOf(url));

const ADVANCES: ReadonlySet<string> = new Set(ADVANCE_PATHS.map((path) => SANDBOX_MOUNT + path));
