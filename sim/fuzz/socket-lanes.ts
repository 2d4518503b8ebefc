/** The websocket lanes: messages to the feed and to order entry, and raw frames. */

import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { KEYS } from '../../packages/sandbox/src/users.ts';
import { fetchToken } from '../../packages/api/test/feed/feed-client.ts';
import { sessionQuery } from '../../packages/api/test/order-entry/peer.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { hmac, Pipe } from '@bourse/test-kit/wire/requests.ts';
import type { Lane } from './lane.ts';
import { entryInput, feedInput, frameInput } from './inputs.ts';

const BATCH = 100;
const FRAMES_AT_ONCE = 8;
const WAIT_MS_MAX = 60_000;
const TRADERS = KEYS.filter(({ permissions }) => permissions.includes('spot'));

/** A websocket that counts and checks incoming frames; `until` waits for a count. */
class Socket {
  readonly ws: WebSocket;
  isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(url: string, take: (frame: string, ws: WebSocket) => void) {
    this.ws = new WebSocket(url, { perMessageDeflate: false });
    this.ws.on('message', (data: Buffer) => {
      take(data.toString(), this.ws);
      this.#wake();
    });
    this.ws.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
    this.ws.on('error', () => undefined);
  }

  static async open(url: string, take: (frame: string, ws: WebSocket) => void): Promise<Socket> {
    const socket = new Socket(url, take);
    await socket.until(() => socket.ws.readyState === WebSocket.OPEN, 'an open websocket');
    return socket;
  }

  /** True once it holds; false if the socket closed before. */
  async until(isTrue: () => boolean, what: string): Promise<boolean> {
    const deadline = Date.now() + WAIT_MS_MAX;
    while (!isTrue()) {
      if (this.isClosed) return false;
      if (Date.now() > deadline) throw new Error(`${what} did not come in time`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 10);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return true;
  }
}

/** Messages to the feed, from a client with a private token and from one without. */
export async function fuzzFeed(lane: Lane, inputs: number, seed: number): Promise<void> {
  const random = new Random(seed);
  let [serial, pongs] = [0, 0];
  const take = (frame: string): void => {
    if (frame.includes('"type":"pong"')) pongs++;
    const code = /"type":"error","code":(\d+)/.exec(frame)?.[1];
    if (code !== undefined) lane.count(`feed ${code}`);
    // 509 means the limits of the feed, which this load does not reach.
    if (code !== undefined && Number(code) >= 500) lane.fail('feed', frame);
  };
  let sockets: Socket[] = [];
  while (serial < inputs) {
    if (sockets.length === 0 || sockets.some(({ isClosed }) => isClosed)) {
      for (const { ws } of sockets) ws.terminate();
      const tokens = [await fetchToken(lane.server.url), await fetchToken(lane.server.url, 'carol')];
      sockets = await Promise.all(
        tokens.map(({ token }) =>
          Socket.open(`${lane.server.url.replace('http', 'ws')}/feed?token=${token}`, take),
        ),
      );
      lane.count('feed opened');
    }
    const socket = random.pick(sockets);
    for (let i = 0; i < BATCH && serial < inputs; i++) socket.ws.send(feedInput(random, `f${serial++}`));
    // A ping among the inputs may have got a reply too, so only a final one counts.
    await new Promise((resolve) => setImmediate(resolve));
    const before = pongs;
    socket.ws.send('{"id":"sync","type":"ping"}');
    if (!(await socket.until(() => pongs > before, 'a pong'))) lane.count('feed closed');
  }
  for (const { ws } of sockets) ws.terminate();
}

/** Messages to order entry: each gets one reply, and a rejected one has no effect. */
export async function fuzzEntry(lane: Lane, inputs: number, seed: number): Promise<void> {
  const random = new Random(seed);
  let [serial, answers] = [0, 0];
  const named = new Map<string, string>();
  const take = (frame: string): void => {
    answers++;
    const { code = 'none', id = '' } = JSON.parse(frame) as { code?: string; id?: string };
    lane.count(`entry ${code}`);
    const what = named.get(id);
    if (code.startsWith('5')) lane.fail('entry', `${what} -> ${frame}`);
    if (what !== undefined && code !== '200000' && code !== '400013') lane.effects.refuse(id, what);
  };
  let socket: Socket | undefined;
  while (serial < inputs) {
    if (socket === undefined || socket.isClosed) socket = await openEntry(lane, random, take);
    const wanted = answers + Math.min(BATCH, inputs - serial);
    named.clear();
    for (let i = 0; i < BATCH && serial < inputs; i++) {
      const id = `e${serial++}`;
      const { bytes, isNamed } = entryInput(random, id);
      if (isNamed) named.set(id, bytes);
      socket.ws.send(Buffer.from(bytes, 'latin1'), { binary: false });
    }
    if (!(await socket.until(() => answers >= wanted, 'an answer to each message')))
      lane.count('entry closed');
  }
  socket?.ws.terminate();
}

async function openEntry(lane: Lane, random: Random, take: (frame: string) => void): Promise<Socket> {
  const who = random.pick(TRADERS);
  let hello = 0;
  const sendFirst = (frame: string, ws: WebSocket): void => {
    hello++;
    if (hello === 1) ws.send(hmac(who.apiSecret, frame));
    else if (hello > 2) take(frame);
  };
  const url = `${lane.server.url.replace('http', 'ws')}/v1/private?${sessionQuery(who)}`;
  const socket = await Socket.open(url, sendFirst);
  await socket.until(() => hello > 1, 'a welcome');
  lane.count('entry opened');
  return socket;
}

/** Bytes after an upgrade: they must close only their own connection. */
export async function fuzzFrames(lane: Lane, inputs: number, seed: number): Promise<void> {
  const random = new Random(seed);
  const { token } = await fetchToken(lane.server.url);
  let serial = 0;
  await Promise.all(
    Array.from({ length: FRAMES_AT_ONCE }, async () => {
      while (serial++ < inputs) {
        const bytes = frameInput(random);
        const path = random.chance(0.7)
          ? `/feed?token=${token}`
          : `/v1/private?${sessionQuery(random.pick(TRADERS))}`;
        const pipe = await Pipe.open(lane.server.port);
        const answer = await pipe.ask(
          Buffer.from(
            `GET ${path} HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
              `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
          ),
        );
        lane.count(`upgrade ${answer?.status}`);
        if (answer?.status !== 101) lane.fail('frames', `the upgrade was answered ${answer?.status}`);
        pipe.write(Buffer.from(bytes, 'latin1'));
        pipe.finish();
        const timer = setTimeout(() => {
          lane.fail('frames', `the connection stayed: ${JSON.stringify(bytes)}`);
          pipe.cut();
        }, WAIT_MS_MAX);
        await pipe.closed;
        clearTimeout(timer);
      }
    }),
  );
}
