/**
 * Limits the share of an event loop iteration that requests may take. In one iteration Node reads all readable
 * connections, so a client that sends on a hundred of them would starve the others until all are answered. Once
 * requests have taken TURN_MS of an iteration, the network of the next request is not read again in this iteration,
 * on any of its connections, including websockets: its data stays in the kernel, and others, whose connections are
 * still read, are served in between. A single connection is not read again in an iteration after its maximum number
 * of requests.
 */

import type { Socket } from 'node:net';
import type { Clock } from '@bourse/engine';
import { isReading, startReading, stopReading } from '../../../sockets/node-internals.ts';

/** An order takes about 0.05 ms, and a bystander waits for at most two iterations; the promised maximum is 50 ms. */
const TURN_MS = 8;

const TURN = Symbol('turn');
const IN_TURN = Symbol('in turn');
const OVER = Symbol('over');

/** Stored on the socket object, which is faster than a map. */
type CountedSocket = Socket & {
  /** The last iteration with requests of the connection, and their number. */
  [TURN]?: number;
  [IN_TURN]?: number;
  /** The last iteration in which this connection caused its network to be paused. */
  [OVER]?: number;
};

export class ReadTurns {
  readonly #clock: Clock;
  readonly #perConnectionMax: number;
  readonly #connectionsBeside: (socket: Socket) => Iterable<Socket>;
  /** Undefined before the first request of this iteration. */
  #startedAt: number | undefined;
  #turn = 0;
  readonly #stopped: Socket[] = [];

  /** `connectionsBeside`: all connections of the same network. */
  constructor(
    clock: Clock,
    perConnectionMax: number,
    connectionsBeside: (socket: Socket) => Iterable<Socket>,
  ) {
    this.#clock = clock;
    this.#perConnectionMax = perConnectionMax;
    this.#connectionsBeside = connectionsBeside;
  }

  /**
   * Call it for every request before it is handled, and for any other data that was read. Returns the connection's
   * count in this iteration.
   */
  note(socket: CountedSocket): number {
    const now = this.#clock.elapsed();
    if (this.#startedAt === undefined) {
      this.#startedAt = now;
      this.#turn++;
      this.#clock.soon(this.#endTurn);
    } else if (now - this.#startedAt > TURN_MS && socket[OVER] !== this.#turn) {
      socket[OVER] = this.#turn;
      for (const each of this.#connectionsBeside(socket)) this.#stop(each);
    }
    if (socket[TURN] !== this.#turn) {
      socket[TURN] = this.#turn;
      socket[IN_TURN] = 0;
    }
    const count = ++socket[IN_TURN]!;
    if (count === this.#perConnectionMax) this.#stop(socket);
    return count;
  }

  #stop(socket: Socket): void {
    if (!isReading(socket)) return;
    stopReading(socket);
    this.#stopped.push(socket);
  }

  readonly #endTurn = (): void => {
    this.#startedAt = undefined;
    for (const socket of this.#stopped) startReading(socket);
    this.#stopped.length = 0;
  };
}
