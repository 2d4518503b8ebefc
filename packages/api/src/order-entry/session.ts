/**
 * One connection of order entry. It authenticates twice, with its URL and with a challenge, and then sends requests without
 * waiting for responses.
 *
 *   challenged --right--> open --last response sent, or nothing pending--> closed
 *        | wrong, late --> closed        | idle, old, disconnected, key removed, server ends
 *
 * Responses are those of HTTP, with the message's own members around them. Those of one record arrive in one turn, and are
 * sent in one write.
 */

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Key } from '@bourse/core';
import { WebSocket } from 'ws';
import {
  checkIpAllowed,
  checkPermission,
  equalDigests,
  type OpenedSession,
} from '../gateway/access/authenticate.ts';
import { networkOf } from '../gateway/access/ip-addresses.ts';
import { type JsonObject, parseBody } from '../gateway/members.ts';
import { Refusal, toRefusal } from '../gateway/errors/refusal.ts';
import { renderRefusal } from '../gateway/result.ts';
import { Inbox } from '../sockets/inbox.ts';
import { closeSocket, Outlet, PONG_HEAD_BYTES, textFrames } from '../sockets/outlet.ts';
import { OrderEntryError } from './errors.ts';
import type { Operation } from './operations.ts';
import { type OrderEntryContext, OrderEntryRequest, type RequestSession } from './request.ts';

const GOING_AWAY = 1001;
const POLICY = 1008;
const TRY_LATER = 1013;
const MESSAGE_ID_LENGTH_MAX = 128;
/** Protocol pings and pongs: reading one costs as much as an order, and no client needs more than this. */
const CONTROLS_MAX = 200;
const CONTROLS_WINDOW_MS = 10_000;
/** The permission that every operation requires. */
const ORDER_ENTRY_PERMISSION = 'spot';

export class OrderEntrySession implements RequestSession {
  readonly user: number;
  readonly key: string;
  readonly ip: string;
  readonly id = randomBytes(12).toString('hex');
  readonly tag: string;
  readonly #context: OrderEntryContext;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #outlet: Outlet;
  readonly #inbox: Inbox;
  readonly #opened: OpenedSession;
  readonly #challenge: string;
  /** Whether the key could trade at sign-in. A read-only key can sign in too; its orders are rejected. */
  readonly #couldTrade: boolean;
  readonly #startedAt: number;
  #state: 'challenged' | 'open' | 'closed' = 'challenged';
  #ending: { readonly code: number; readonly reason: string } | undefined;
  #receivedAt: number;
  #inFlight = 0;
  #isPaused = false;
  #errors = 0;
  #controls = 0;
  #controlsSince = 0;
  /** Responses to be written: the text before the time, and the text after it. */
  #waiting: string[] = [];
  #endings: string[] = [];

  /** `tag`: unique to this session among all in the log. */
  constructor(
    context: OrderEntryContext,
    ws: WebSocket,
    socket: Socket,
    opened: OpenedSession,
    ip: string,
    tag: string,
  ) {
    const { clock } = context.gateway.services;
    this.#context = context;
    this.#ws = ws;
    this.#socket = socket;
    const shared = { bytes: context.waiting, network: networkOf(ip) };
    this.#outlet = new Outlet(socket, context.limits.orderEntryBufferedBytesMax, this.#cutOff, shared);
    this.#opened = opened;
    this.ip = ip;
    this.tag = tag;
    this.user = opened.key.user;
    this.key = opened.key.key;
    this.#couldTrade = opened.key.permissions.includes(ORDER_ENTRY_PERMISSION);
    this.#startedAt = this.#receivedAt = clock.machine.elapsed();
    this.#challenge = `{"sessionId":"${this.id}","timestamp":${clock.now()}}`;
    this.#inbox = new Inbox(ws, context.scheduler, shared.network, (bytes) => this.#take(bytes));
    ws.on('ping', (data: Buffer) => this.#admitControl() && this.#pong(data));
    ws.on('pong', () => this.#admitControl());
    ws.on('close', () => (this.#state = 'closed'));
    // The library reports invalid frames with close codes.
    ws.on('error', () => undefined);
    this.#push(this.#challenge);
  }

  /** Called about every second: enforces the time limits. */
  look(now: number): void {
    const { limits } = this.#context;
    if (this.#state === 'closed') return;
    if (this.#state === 'challenged') {
      if (now - this.#startedAt > limits.orderEntryChallengeMs)
        this.refuse(new OrderEntryError('challenge-late'));
    } else if (now - this.#receivedAt > limits.orderEntryIdleMsMax) this.#close(POLICY, 'ping timeout');
    else if (now - this.#startedAt > limits.orderEntryAgeMsMax) this.end();
  }

  /** Closes at once; pending requests get no response. */
  break(code: number, reason: string): void {
    this.#close(code, reason);
  }

  /** Accepts no more requests, answers the pending ones, and closes. */
  end(code = GOING_AWAY, reason = 'the session ends, connect again'): void {
    // Read on, up to the peer's close frame.
    if (this.#state === 'closed') return;
    this.#ending ??= { code, reason };
    this.#inbox.hold();
    if (this.#inFlight === 0) this.#close(this.#ending.code, this.#ending.reason);
  }

  refuse(error: OrderEntryError): void {
    this.#push(error.toJson());
    this.#close(POLICY, error.error);
  }

  #take(bytes: Buffer): void {
    this.#receivedAt = this.#context.scheduler.checkedAt;
    if (this.#state === 'challenged') this.#verify(bytes.toString('latin1'));
    else if (this.#state === 'open') this.#receive(bytes, this.#context.gateway.services.clock.now());
  }

  #verify(signature: string): void {
    if (!equalDigests(signature, this.#opened.signing.sign(this.#challenge, undefined))) {
      this.refuse(new OrderEntryError('challenge-wrong'));
      return;
    }
    const { orderEntryPingIntervalMs, orderEntryPingTimeoutMs } = this.#context.limits;
    this.#state = 'open';
    this.#push(
      `{"sessionId":"${this.id}","data":"welcome","pingInterval":${orderEntryPingIntervalMs},` +
        `"pingTimeout":${orderEntryPingTimeoutMs}}`,
    );
  }

  #receive(bytes: Buffer, inTime: number): void {
    let message: JsonObject | undefined;
    try {
      message = parseBody(bytes);
      const { id, op } = message;
      if (typeof id !== 'string' || id === '' || id.length > MESSAGE_ID_LENGTH_MAX) {
        throw wrong(
          `Field 'id' must be a non-empty string, at most ${MESSAGE_ID_LENGTH_MAX} characters long.`,
        );
      }
      if (op === 'ping') {
        this.#errors = 0;
        this.#push(`{"id":${JSON.stringify(id)},"op":"pong","timestamp":"${inTime}"}`);
        return;
      }
      const operation = this.#context.operations.get(op as string);
      if (operation === undefined) {
        throw wrong(`Field 'op' must be one of ping, ${[...this.#context.operations.keys()].join(', ')}.`);
      }
      this.#errors = 0;
      this.#inFlight++;
      if (this.#inFlight >= this.#context.limits.orderEntryInFlightMax && !this.#isPaused) {
        this.#isPaused = true;
        this.#inbox.hold();
      }
      const read = { id, message, bytes, time: inTime, receivedAt: this.#receivedAt };
      new OrderEntryRequest(this.#context, this, operation, read).answer();
    } catch (error) {
      this.#answerWrong(error, message, inTime);
    }
  }

  finish(before: string, after: string): void {
    this.#push(before, after);
    this.#finishOne();
  }

  cut(): void {
    this.#socket.destroy();
    this.#finishOne();
  }

  #finishOne(): void {
    this.#inFlight--;
    if (this.#ending !== undefined) {
      if (this.#inFlight === 0) this.end();
    } else if (this.#isPaused && this.#inFlight <= this.#context.limits.orderEntryInFlightMax / 2) {
      this.#isPaused = false;
      this.#inbox.goOn();
    }
  }

  /** A key may be removed or changed during its sessions. */
  checkKey({ access }: Operation): void {
    checkPermission(this.#standingKey(), access);
  }

  /** Ends the session if its key was removed, or no longer allows this address or trading. */
  checkRight(): void {
    try {
      const key = this.#standingKey();
      if (this.#couldTrade) checkPermission(key, ORDER_ENTRY_PERMISSION);
    } catch (error) {
      const { dialect } = this.#context;
      this.#push(renderRefusal(dialect, 'A', toRefusal(error)));
      this.end(POLICY, 'the key may not do this any more');
    }
  }

  #standingKey(): Key {
    const { key: known } = this.#opened;
    const key = this.#context.gateway.services.sessionKeys.key(known.key);
    if (key === undefined || key.secret !== known.secret) {
      throw new Refusal('api-key-unknown', 'The key of this session is no longer there.');
    }
    checkIpAllowed(key, this.ip);
    return key;
  }

  /** Answers an invalid message. After too many in a row the connection is closed. */
  #answerWrong(error: unknown, message: JsonObject | undefined, inTime: number): void {
    const refusal = error instanceof Refusal ? wrong(error.detail) : (error as OrderEntryError);
    const members = { id: shortText(message?.['id']) ?? '', op: shortText(message?.['op']) };
    const text = refusal.toJson().slice(1, -1);
    this.#push(`${JSON.stringify(members).slice(0, -1)},${text},"inTime":${inTime},"outTime":`, '}');
    if (++this.#errors >= this.#context.limits.orderEntryErrorsMax)
      this.refuse(new OrderEntryError('errors-many'));
  }

  /** If `after` is not empty, the time of writing is inserted before it. */
  #push(text: string, after = ''): void {
    if (this.#state === 'closed') return;
    if (this.#waiting.length === 0) this.#context.gateway.services.clock.next(this.#flush);
    this.#waiting.push(text);
    this.#endings.push(after);
  }

  /** Runs after all responses of this event loop iteration, so that they are one write. */
  readonly #flush = (): void => {
    const texts = this.#waiting,
      endings = this.#endings;
    this.#waiting = [];
    this.#endings = [];
    // Nothing may follow a close frame, which the library sends if the peer closes or a frame is invalid.
    if (texts.length === 0 || this.#socket.destroyed || this.#ws.readyState !== WebSocket.OPEN) return;
    const outTime = this.#context.gateway.services.clock.now();
    for (let i = 0; i < texts.length; i++) {
      if (endings[i] !== '') texts[i] += `${outTime}${endings[i]}`;
    }
    this.#outlet.write([textFrames(texts)]);
  };

  /** The rate limit of protocol pings and pongs. Above it the connection is no longer read, and is soon closed. */
  #admitControl(): boolean {
    if (this.#state === 'closed') return false;
    const now = this.#context.gateway.services.clock.machine.elapsed();
    if (now - this.#controlsSince >= CONTROLS_WINDOW_MS) {
      this.#controlsSince = now;
      this.#controls = 0;
    }
    if (++this.#controls <= CONTROLS_MAX) return true;
    this.#close(POLICY, 'too many pings');
    this.#ws.pause();
    return false;
  }

  /** A protocol ping: its pong is queued like any response. */
  #pong(bytes: Buffer): void {
    if (this.#state !== 'closed' && this.#outlet.hasRoom(PONG_HEAD_BYTES + bytes.length))
      this.#ws.pong(bytes);
  }

  readonly #cutOff = (): void => {
    this.#close(TRY_LATER, 'answers are not read');
    this.#socket.destroy();
  };

  #close(code: number, reason: string): void {
    if (this.#state === 'closed') return;
    this.#flush();
    this.#state = 'closed';
    this.#inbox.end();
    closeSocket(this.#ws, this.#socket, code, reason);
  }
}

const wrong = (detail: string): OrderEntryError => new OrderEntryError('message-invalid', detail);

/** The part of an invalid message that its error repeats. */
const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MESSAGE_ID_LENGTH_MAX) : undefined;
