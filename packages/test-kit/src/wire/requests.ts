/** Requests as bytes on a socket: signed, pipelined, invalid in any way, or at a fixed rate. */

import { createHmac, hash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Dialect } from '../../../api/src/gateway/route.ts';

export interface Signer {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

export interface SignedRequest {
  readonly bytes: Buffer;
  /** The id that the server keeps for replay protection: 22 characters. */
  readonly onceId: string;
}

const ONCE_ID_LENGTH = 22;
const passphrases = new Map<string, string>();

export const hmac = (secret: string, text: string | Buffer): string =>
  createHmac('sha256', secret).update(text).digest('base64');

/** Sends the body's bytes unchanged. `time` is the signed time, in milliseconds. */
export function signRequest(
  who: Signer,
  { mount, prefix }: Pick<Dialect, 'mount' | 'prefix'>,
  method: string,
  path: string,
  body?: Buffer,
  time = Date.now(),
): SignedRequest {
  let passphrase = passphrases.get(who.apiKey);
  if (passphrase === undefined) {
    passphrase = hmac(who.apiSecret, who.apiPassphrase);
    passphrases.set(who.apiKey, passphrase);
  }
  const text = `${time}${method}${path}`;
  const signature = hmac(who.apiSecret, body ? Buffer.concat([Buffer.from(text), body]) : text);
  const head =
    `${method} ${mount}${path} HTTP/1.1\r\nhost: localhost\r\n${prefix}-API-KEY: ${who.apiKey}\r\n` +
    `${prefix}-API-SIGN: ${signature}\r\n${prefix}-API-TIMESTAMP: ${time}\r\n` +
    `${prefix}-API-PASSPHRASE: ${passphrase}\r\n${prefix}-API-KEY-VERSION: 3\r\n` +
    (body ? `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n` : '\r\n');
  return {
    bytes: body ? Buffer.concat([Buffer.from(head), body]) : Buffer.from(head),
    onceId: hash('sha256', `${signature}|${who.apiKey}`, 'base64url').slice(0, ONCE_ID_LENGTH),
  };
}

interface Answer {
  readonly status: number;
  /** As latin1: compared and counted, never shown to a user. */
  readonly body: string;
}

/** Null: the connection ended before the response was complete. */
type Answered = Answer | null;

const LENGTH = 'content-length: ';
const CLOSING = /^connection: close\r$/im;
const CHUNKED = /^transfer-encoding: chunked\r$/im;
const LAST_CHUNK = '0\r\n\r\n';
const HEAD_END = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;

/**
 * One connection that sends complete requests without waiting and returns each response, in order: raw bytes,
 * without normalisation. No timers: to give up, close it.
 */
export class Pipe {
  isClosed = false;
  /** The server closes after this response: it would not read anything sent now. */
  isEnding = false;
  /** Unexpected responses: the server saw more requests than were sent. */
  readonly strays: Answer[] = [];
  readonly #socket: Socket;
  readonly #waiting: ((answer: Answered) => void)[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  static open(port: number): Promise<Pipe> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.off('error', reject);
        resolve(new Pipe(socket));
      });
      socket.once('error', reject);
    });
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  ask(request: Buffer): Promise<Answered> {
    if (this.isClosed || this.isEnding) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#socket.write(request);
    });
  }

  /** Sends some bytes of a request that will never be whole. */
  write(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  /** Half-closes the connection: an incomplete request is then cut short. */
  finish(): void {
    this.#socket.end();
  }

  /** Closes at once with a reset: data in flight is lost, and no port stays in TIME_WAIT. */
  cut(): void {
    if (this.isClosed) return;
    const socket = this.#socket;
    // While the end is still being sent, a reset would fail and leave the handle open forever.
    if (socket.writableEnded && !socket.writableFinished) socket.destroy();
    else socket.resetAndDestroy();
    this.#end();
  }

  #take(chunk: string): void {
    let received = this.#received === '' ? chunk : this.#received + chunk;
    for (;;) {
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) break;
      const head = received.slice(0, headEnd + 2);
      const at = head.indexOf(LENGTH);
      const length =
        at < 0 ? 0 : Number.parseInt(head.slice(at + LENGTH.length, at + LENGTH.length + 10), 10);
      const start = headEnd + HEAD_END.length;
      const end = CHUNKED.test(head) ? endOfChunks(received, start) : start + length;
      if (received.length < end) break;
      const status = Number(received.slice(STATUS_AT, STATUS_AT + 3));
      const answer = { status, body: received.slice(start, end) };
      received = received.slice(end);
      if (CLOSING.test(head)) this.isEnding = true;
      const resolve = this.#waiting.shift();
      if (resolve === undefined) this.strays.push(answer);
      else resolve(answer);
    }
    this.#received = received;
  }

  #end(): void {
    this.isClosed = true;
    this.#closed.resolve();
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }
}

/** The few chunked responses are short and not parsed; Infinity while the last chunk is missing. */
function endOfChunks(received: string, start: number): number {
  const at = received.indexOf(LAST_CHUNK, start);
  return at < 0 ? Number.POSITIVE_INFINITY : at + LAST_CHUNK.length;
}

/** After this time a request is half-closed, and the next response belongs to it. */
const PATIENCE_MS = 300;
/** A half-closed request without a response or an end by then hangs. */
const HUNG_MS = 60_000;

/**
 * Sends requests that may be invalid in any way, and returns the response to each: over a connection that is reopened
 * when the server closes it, or over a separate one if the request may spoil later ones.
 */
export class Sender {
  readonly #port: number;
  #pipe: Promise<Pipe> | undefined;
  /** Answers without a request. */
  readonly strays: Answer[] = [];
  /** Requests on a separate connection that got neither a response nor an end. */
  hung = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Null only if a separate connection gives no response. */
  async ask(bytes: Buffer, isAlone: boolean): Promise<Answered> {
    if (!isAlone) {
      const pipe = await this.#open();
      const asked = pipe.ask(bytes);
      const timer = setTimeout(() => pipe.finish(), PATIENCE_MS);
      const answer = await asked;
      clearTimeout(timer);
      if (answer !== null) return answer;
    }
    const pipe = await Pipe.open(this.#port);
    const asked = pipe.ask(bytes);
    pipe.finish();
    const timer = setTimeout(() => {
      this.hung++;
      pipe.cut();
    }, HUNG_MS);
    const answer = await asked;
    clearTimeout(timer);
    this.#drop(pipe);
    return answer;
  }

  /** Concurrent calls get the same connection. */
  async #open(): Promise<Pipe> {
    for (;;) {
      const opening = (this.#pipe ??= Pipe.open(this.#port));
      const pipe = await opening;
      if (!pipe.isClosed && !pipe.isEnding) return pipe;
      if (this.#pipe === opening) {
        this.#drop(pipe);
        this.#pipe = undefined;
      }
    }
  }

  #drop(pipe: Pipe): void {
    this.strays.push(...pipe.strays);
    pipe.cut();
  }

  async close(): Promise<void> {
    if (this.#pipe) this.#drop(await this.#pipe);
  }
}

export interface Offer {
  readonly port: number;
  /** A second. */
  readonly rate: number;
  readonly connections: number;
  readonly requests: readonly Buffer[];
}

export interface Times {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

export interface OpenLoopReport {
  readonly seconds: number;
  /** By HTTP status; 0 stands for a connection that ended first. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly answered: Times;
  /** 429 and 503. */
  readonly refused: Times;
  /** The sender's largest delay: above a few ms the rate was not reached. */
  readonly behindMsMost: number;
}

const REFUSALS: readonly number[] = [429, 503];

/**
 * Requests at a given rate (open loop), over keep-alive connections: responses
 * are counted, and latency is measured from when a request was due. Requests are signed in advance.
 */
export async function offer({ port, rate, connections, requests }: Offer): Promise<OpenLoopReport> {
  const pipes = await Promise.all(Array.from({ length: connections }, () => Pipe.open(port)));
  const statuses: Record<number, number> = {};
  const times: { answered: number[]; refused: number[] } = { answered: [], refused: [] };
  const startedAt = performance.now();
  const waiting: Promise<void>[] = [];
  let [next, behindMsMost] = [0, 0];
  const send = (request: Buffer, at: number): void => {
    const dueAt = startedAt + (at * 1000) / rate;
    behindMsMost = Math.max(behindMsMost, performance.now() - dueAt);
    const asked = pipes[at % connections]!.ask(request).then((answer) => {
      const status = answer?.status ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 0)
        times[REFUSALS.includes(status) ? 'refused' : 'answered'].push(performance.now() - dueAt);
    });
    waiting.push(asked);
  };
  while (next < requests.length) {
    const due = Math.min(requests.length, Math.ceil(((performance.now() - startedAt) * rate) / 1000));
    while (next < due) send(requests[next]!, next++);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(waiting);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const pipe of pipes) pipe.cut();
  return {
    seconds,
    statuses,
    answered: summarise(times.answered),
    refused: summarise(times.refused),
    behindMsMost,
  };
}

function summarise(list: readonly number[]): Times {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: sorted.at(-1) ?? 0 };
}

// Raw bytes to a server and back, without a client that would correct them.

const WAIT_MS_MAX = 30_000;

/** Sends the bytes and returns everything received until the server closes, or until `count` responses are complete. */
export function sendBytes(
  port: number,
  bytes: string | Buffer,
  count = Number.POSITIVE_INFINITY,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const finish = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(WAIT_MS_MAX, () => {
      socket.destroy();
      reject(new Error(`no end of ${JSON.stringify(received.slice(0, 200))}`));
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (count !== Number.POSITIVE_INFINITY && splitAnswers(received).length >= count) finish();
    });
    socket.on('close', finish);
    socket.on('error', finish);
  });
}

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The complete responses in the received bytes. */
export function splitAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const head = rest.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (rest.length < end + 4 + length) return answers;
    answers.push({ status: Number(head.slice(9, 12)), head, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
}
