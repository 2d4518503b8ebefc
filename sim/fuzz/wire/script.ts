/** The script of one connection, drawn from its seed: its bytes in pieces, and how it ends. */

import { DIALECTS } from '../../../packages/api/src/gateway/route.ts';
import { KEYS } from '../../../packages/sandbox/src/users.ts';
import { sessionQuery } from '../../../packages/api/test/order-entry/peer.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { hmac, type Signer, signRequest } from '@bourse/test-kit/wire/requests.ts';
import { damage } from '../grammar.ts';
import { entryInput, feedInput, frameInput } from '../inputs.ts';
import { frame, frames, TEXT } from './frames.ts';
import { upgradeHeaders, wireRequest } from './requests.ts';
import { connect } from 'node:net';

/** Values of the running exchange that requests need. */
export interface Passes {
  readonly feedToken: string;
  readonly operatorToken: string;
}

export type Kind = 'requests' | 'order first' | 'order asking' | 'feed' | 'order entry';
/**
 * `finish`: the client half-closes; `wait`: it half-closes after the first response; `reset`: it does not wait at
 * all.
 */
export type End = 'finish' | 'wait' | 'reset';

export interface Script {
  readonly name: string;
  readonly kind: Kind;
  readonly pieces: readonly Buffer[];
  /** Number of requests or websocket messages. */
  readonly parts: number;
  readonly end: End;
  /** The expected status of the first response, if known. */
  readonly status: number | undefined;
  /** The reply to the challenge of order entry, sent after the first piece. */
  readonly logIn: ((challenge: string) => Buffer) | undefined;
}

const PARTS_MAX = 6;
const CUTS_MAX = 6;
const MESSAGES_MAX = 8;
const TRADERS = KEYS.filter(({ permissions }) => permissions.includes('spot'));
const WEBSOCKET =
  'host: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n' +
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

export function scriptOf(seed: number, at: number, passes: Passes): Script {
  const random = new Random(seed * 2 ** 32 + at);
  const kind = kindOf(random);
  const who = random.pick(TRADERS);
  const parts = partsOf(random, kind, `${seed}-${at}`, who, passes);
  const logsIn = kind === 'order entry' && parts.length > 1 && random.chance(0.6);
  const rest = Buffer.concat(logsIn ? parts.slice(1) : parts);
  const end = random.pick(['finish', 'finish', 'finish', 'wait', 'reset'] as const);
  const isKnown = kind === 'order first' || kind === 'order asking';
  return {
    name: `seed ${seed}, connection ${at}`,
    kind,
    pieces: [...(logsIn ? [parts[0]!] : []), ...cut(random, rest)],
    parts: parts.length,
    end,
    status: isKnown && end !== 'reset' ? 200 : undefined,
    logIn: logsIn ? (challenge) => frame(TEXT, Buffer.from(hmac(who.apiSecret, challenge))) : undefined,
  };
}

function kindOf(random: Random): Kind {
  const luck = random.below(20);
  if (luck < 12) return 'requests';
  if (luck < 13) return 'order first';
  if (luck < 14) return 'order asking';
  return luck < 17 ? 'feed' : 'order entry';
}

function partsOf(random: Random, kind: Kind, id: string, who: Signer, passes: Passes): Buffer[] {
  const rest = (countMax: number): Buffer[] =>
    Array.from({ length: random.below(countMax + 1) }, () =>
      Buffer.from(wireRequest(random, passes.operatorToken), 'latin1'),
    );
  switch (kind) {
    case 'requests':
      return [Buffer.from(wireRequest(random, passes.operatorToken), 'latin1'), ...rest(PARTS_MAX - 1)];
    case 'order first':
      return [order(who, id, ''), ...rest(PARTS_MAX)];
    case 'order asking':
      return [order(who, id, upgradeHeaders(random)), ...rest(PARTS_MAX)];
    case 'feed':
    case 'order entry':
      return websocket(random, kind, id, who, passes);
  }
}

/** A request without side effects. */
function order(who: Signer, clientOid: string, headers: string): Buffer {
  const body = Buffer.from(
    JSON.stringify({
      clientOid,
      symbol: 'BTC-USDT',
      type: 'limit',
      side: 'buy',
      price: '20000',
      size: '0.001',
      timeInForce: 'IOC',
    }),
  );
  const { bytes } = signRequest(who, DIALECTS[0]!, 'POST', '/api/v1/hf/orders', body);
  return Buffer.from(bytes.toString('latin1').replace('host:', `${headers}host:`), 'latin1');
}

function websocket(
  random: Random,
  kind: 'feed' | 'order entry',
  id: string,
  who: Signer,
  passes: Passes,
): Buffer[] {
  const target = kind === 'feed' ? `/feed?token=${passes.feedToken}` : `/v1/private?${sessionQuery(who)}`;
  const parts: Buffer[] = [Buffer.from(`GET ${target} HTTP/1.1\r\n${WEBSOCKET}`)];
  for (let left = random.below(MESSAGES_MAX); left > 0; left--) {
    const text = kind === 'feed' ? feedInput(random, id) : entryInput(random, id).bytes;
    parts.push(frames(random, Buffer.from(text, kind === 'feed' ? 'utf8' : 'latin1')));
  }
  if (random.chance(0.3)) parts.push(Buffer.from(frameInput(random), 'latin1'));
  return random.chance(0.2) ? [damage(random, Buffer.concat(parts))] : parts;
}

/** Splits it into pieces at random positions. */
function cut(random: Random, bytes: Buffer): Buffer[] {
  const places = Array.from({ length: random.chance(0.5) ? 0 : random.below(CUTS_MAX) }, () =>
    random.below(bytes.length + 1),
  ).toSorted((a, b) => a - b);
  return [...places, bytes.length].map((end, at) => bytes.subarray(places[at - 1] ?? 0, end));
}

// Plays one script on its own connection and returns the result.

/** Longer than any timeout of the exchange: a connection that is still open then was forgotten. */
const OPEN_MS_MAX = 60_000;
/** Source addresses: a single one has too few ports for a thousand connections a second. */
const ADDRESSES = 100;
/** A short text frame after the head of the upgrade response. */
// oxlint-disable-next-line no-control-regex
const CHALLENGE = /\r\n\r\n\u0081[\u0000-\u007d](\S+)$/;
const STATUS = /HTTP\/1\.1 (\d{3}) /g;

export interface Played {
  /** `refused`: the connection was never established. */
  readonly how: 'closed' | 'stayed' | 'refused';
  /** In order of arrival. No response body contains such a line. */
  readonly statuses: readonly number[];
  readonly bytes: number;
  readonly isLoggedIn: boolean;
}

export function play(script: Script, port: number, at: number): Promise<Played> {
  return new Promise((resolve) => {
    const source = process.platform === 'linux' ? { localAddress: `127.0.1.${1 + (at % ADDRESSES)}` } : {};
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true, ...source });
    let [isOpen, received, bytes] = [false, '', 0];
    const settle = (how: Played['how']): void => {
      clearTimeout(timer);
      const statuses = Array.from(received.matchAll(STATUS), ([, status]) => Number(status));
      resolve({ how, statuses, bytes, isLoggedIn: received.includes('"welcome"') });
    };
    const timer = setTimeout(() => {
      settle('stayed');
      socket.destroy();
    }, OPEN_MS_MAX);
    socket.on('connect', () => {
      isOpen = true;
      send(0);
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      bytes += chunk.length;
      if (isLoggingIn) answerChallenge();
      else if (script.end === 'wait') socket.end();
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => settle(isOpen ? 'closed' : 'refused'));
    let isLoggingIn = script.logIn !== undefined;
    const answerChallenge = (): void => {
      const challenge = CHALLENGE.exec(received)?.[1];
      if (challenge === undefined) return;
      isLoggingIn = false;
      socket.write(script.logIn!(challenge));
      send(1);
    };
    const send = (piece: number): void => {
      if (socket.destroyed) return;
      if (piece < script.pieces.length) {
        if (socket.writable) socket.write(script.pieces[piece]!);
        if (isLoggingIn) return;
        // The delay usually makes the next piece a separate read.
        if (piece + 1 < script.pieces.length) setTimeout(send, 1, piece + 1);
        else setImmediate(send, piece + 1);
      } else if (script.end === 'finish') socket.end();
      else if (script.end === 'reset') socket.resetAndDestroy();
      // An incomplete request gets no response, so end here.
      else setTimeout(() => socket.end(), 20);
    };
  });
}
